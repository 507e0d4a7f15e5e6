import { useEffect, useState, type ReactNode } from 'react';
import { Accordion, ThemeIcon } from '@mantine/core';
import { useForm } from '@mantine/form';
import { IconCheck } from '@tabler/icons-react';
import type { Schemas } from 'expense-service-client';
import { MethodForm } from '../accounts/MethodForm';
import { queries, useQuery } from '../api';
import { Form } from '../components/Form';
import { Loaded } from '../components/Page';
import { useLocale } from '../locale';
import { BudgetForm } from '../planning/Budgets';
import { CyclePreview } from '../planning/CyclePreview';
import { TemplateForm } from '../planning/TemplateForm';
import { showMessage } from '../write';
import { AccountLines } from './AccountLines';
import { ImportButton } from './DataCopy';

const STEPS = ['accounts', 'income', 'expense', 'budget', 'cycle'] as const;
type Step = (typeof STEPS)[number];

/** For an account without cycles. */
export function FirstSteps() {
  const { t } = useLocale();
  // What follows a first cycle or an import begins at its top.
  useEffect(() => () => window.scrollTo(0, 0), []);
  return (
    <>
      <div>
        <h1>{t.account.steps.title}</h1>
        <p className="muted">{t.account.steps.text}</p>
      </div>
      <Loaded state={useQuery(queries.query('/payment-methods'))} height={480}>
        {(methods) => <Steps methods={methods} />}
      </Loaded>
      <div className="card-body">
        <span className="muted">{t.account.steps.file}</span>{' '}
        <ImportButton variant="transparent" mt={0} px={0} label={t.account.steps.import} />
      </div>
    </>
  );
}

/** What exists says where the user was, so that a reload goes on there. */
function Steps({ methods }: { methods: Schemas['PaymentMethodResponse'][] }) {
  const { t, money } = useLocale();
  const texts = t.account.steps;
  const [chosen, setOpen] = useState<Step | null>();
  const [added, setAdded] = useState<Partial<Record<Step, number>>>({});
  const { data: holdings } = useQuery(queries.query('/balances/current'));
  const { data: incomes = [] } = useQuery(queries.query('/income-templates'));
  const { data: expenses = [] } = useQuery(queries.query('/expense-templates'));
  const { data: budgets = [] } = useQuery(queries.query('/budgets'));

  function withBalance({ id, name }: { id: string; name: string }): string {
    const holding = holdings?.payment_methods.find((each) => each.payment_method.id === id);
    return holding ? t.accounts.has(name, money(holding.amount, holding.currency)) : name;
  }

  const done: Record<Step, string> = {
    accounts: methods.map(withBalance).join(', '),
    income: namesOf(incomes),
    expense: namesOf(expenses),
    budget: budgets.map(({ name }) => name).join(', '),
    cycle: '',
  };
  // A step that was skipped is before one that is done.
  const first = STEPS.find((_, i) => STEPS.slice(i).every((step) => !done[step])) ?? 'cycle';
  const open = chosen === undefined ? first : chosen;
  // A step stays open for another one, with a new form; one that is open by then keeps its own.
  const another = (step: Step, next: Step) => ({
    key: added[step] ?? 0,
    onDone: () => setAdded((counts) => ({ ...counts, [step]: (counts[step] ?? 0) + 1 })),
    onCancel: () => setOpen(next),
    cancelLabel: done[step] ? texts.next : texts.skip,
  });
  const { key: incomeKey, ...income } = another('income', 'expense');
  const { key: expenseKey, ...expense } = another('expense', 'budget');
  const { key: budgetKey, ...budget } = another('budget', 'cycle');
  const forms: Record<Step, ReactNode> = {
    accounts: <AccountLines onDone={() => setOpen('income')} />,
    income: <TemplateForm key={incomeKey} kind="income" {...income} />,
    expense:
      methods.length > 0 ? (
        <TemplateForm key={expenseKey} kind="expense" {...expense} />
      ) : (
        <>
          <p>{texts.method}</p>
          <MethodForm {...expense} />
        </>
      ),
    budget: <BudgetForm key={budgetKey} {...budget} />,
    cycle: <FirstCycle />,
  };

  return (
    <Accordion
      className="card"
      value={open}
      // What is pressed would move away below the pointer.
      transitionDuration={0}
      onChange={(step) => setOpen(step as Step | null)}
    >
      {STEPS.map((step, index) => (
        <Accordion.Item key={step} value={step}>
          <Accordion.Control
            icon={
              <ThemeIcon radius="xl" variant={done[step] ? 'light' : 'filled'}>
                {done[step] ? <IconCheck size={16} /> : index + 1}
              </ThemeIcon>
            }
          >
            <b>{texts[step]}</b>
            <p className="muted">{done[step] || texts[`${step}Text`]}</p>
          </Accordion.Control>
          {/* A form begins anew each time, and its step stays open while somebody is in it. */}
          <Accordion.Panel onFocus={() => setOpen(step)}>
            {step === open && forms[step]}
          </Accordion.Panel>
        </Accordion.Item>
      ))}
    </Accordion>
  );
}

/** Each name once, for a quincena has two records. */
const namesOf = (records: { description: string }[]): string =>
  [...new Set(records.map(({ description }) => description))].join(', ');

/** The six weeks from today, and what they would have. */
function FirstCycle() {
  const { t, nameOf } = useLocale();
  const { data: next } = useQuery(queries.query('/cycles/next'));
  const form = useForm({ initialValues: {} });
  if (!next) return null;
  const { follows: _, ...cycle } = next;

  async function create(): Promise<void> {
    const { id } = (await queries.send('POST', '/cycles', { body: cycle })).data;
    const path = { id };
    await queries.send('PUT', '/cycles/{id}', { params: { path }, body: { status: 'active' } });
    showMessage(t.account.steps.created);
  }

  return (
    <Form form={form} send={create} label={t.account.steps.cycle}>
      <b>{nameOf(next)}</b>
      <CyclePreview draft={cycle} />
    </Form>
  );
}
