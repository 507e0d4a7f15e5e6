import { useState, type ReactNode } from 'react';
import { Accordion, Button, ThemeIcon } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import type { Schemas } from 'expense-service-client';
import { queries, useQuery } from '../api';
import { Loaded } from '../components/Page';
import { RecordForm } from '../components/RecordForm';
import { useLocale } from '../locale';
import { BudgetForm } from '../planning/Budgets';
import { CyclePreview } from '../planning/NextCycle';
import { TemplateForm } from '../planning/TemplateForm';
import { showMessage } from '../write';
import { MethodForm } from './access';

const STEPS = ['accounts', 'income', 'expense', 'budget', 'cycle'] as const;
type Step = (typeof STEPS)[number];

/** For an account without cycles. */
export function FirstSteps() {
  const { t } = useLocale();
  const methods = useQuery(queries.query('/payment-methods'));
  const holdings = useQuery(queries.query('/balances/current'));
  const data = methods.data && holdings.data && { methods: methods.data, holdings: holdings.data };
  return (
    <>
      <div>
        <h1>{t.account.steps.title}</h1>
        <p className="muted">{t.account.steps.text}</p>
      </div>
      <Loaded state={{ data, error: methods.error ?? holdings.error }} height={480}>
        {(content) => <Steps {...content} />}
      </Loaded>
    </>
  );
}

interface StepsProps {
  methods: Schemas['PaymentMethodResponse'][];
  holdings: Schemas['CurrentBalancesResponse'];
}

/** What exists says which steps are done, so that a reload goes on where the user was. */
function Steps({ methods, holdings }: StepsProps) {
  const { t, money } = useLocale();
  const texts = t.account.steps;
  const [chosen, setChosen] = useState<Step>();
  const [added, setAdded] = useState(0);
  const { data: incomes = [] } = useQuery(queries.query('/income-templates'));
  const { data: expenses = [] } = useQuery(queries.query('/expense-templates'));
  const { data: budgets = [] } = useQuery(queries.query('/budgets'));

  const done: Record<Step, string> = {
    accounts: holdings.payment_methods
      .map(({ payment_method: { name }, amount, currency }) =>
        t.accounts.has(name, money(amount, currency)),
      )
      .join(', '),
    income: incomes.map(({ description }) => description).join(', '),
    expense: expenses.map(({ description }) => description).join(', '),
    budget: budgets.map(({ name }) => name).join(', '),
    cycle: '',
  };
  // A step that was skipped is before one that is done.
  const open = chosen ?? STEPS.find((_, i) => STEPS.slice(i).every((step) => !done[step]));
  const close = () => setChosen(undefined);
  const forms: Record<Step, ReactNode> = {
    accounts: (
      <>
        <MethodForm
          key={added}
          onDone={() => {
            setAdded(added + 1);
            setChosen('accounts');
          }}
        />
        <Button variant="default" onClick={() => setChosen('income')}>
          {done.accounts ? texts.next : texts.skip}
        </Button>
      </>
    ),
    income: <TemplateForm kind="income" onDone={close} />,
    expense:
      methods.length > 0 ? (
        <TemplateForm kind="expense" onDone={close} />
      ) : (
        <>
          <p>{texts.method}</p>
          <MethodForm onDone={close} />
        </>
      ),
    budget: <BudgetForm onDone={close} />,
    cycle: <FirstCycle />,
  };

  return (
    <Accordion className="card" value={open} onChange={(step) => setChosen(step as Step)}>
      {STEPS.map((step, index) => (
        <Accordion.Item key={step} value={step}>
          <Accordion.Control
            icon={
              <ThemeIcon {...{ radius: 'xl', variant: done[step] ? 'light' : 'filled' }}>
                {done[step] ? <IconCheck size={16} /> : index + 1}
              </ThemeIcon>
            }
          >
            <b>{texts[step]}</b>
            <p className="muted">{done[step] || texts[`${step}Text`]}</p>
          </Accordion.Control>
          {/* A form begins anew each time. */}
          <Accordion.Panel>{step === open && forms[step]}</Accordion.Panel>
        </Accordion.Item>
      ))}
    </Accordion>
  );
}

/** The six weeks from today, and what they would have. */
function FirstCycle() {
  const { t, nameOf } = useLocale();
  const { data: next } = useQuery(queries.query('/cycles/next'));
  if (!next) return null;
  const { follows: _, ...cycle } = next;

  const create = async ({ name }: { name: string }): Promise<void> => {
    const { id } = (await queries.send('POST', '/cycles', { body: { ...cycle, name } })).data;
    const status = 'active';
    await queries.send('PUT', '/cycles/{id}', { params: { path: { id } }, body: { status } });
    showMessage(t.account.steps.created);
  };

  return (
    <RecordForm<{ name: string }>
      fields={{ name: { label: t.fields.name, value: nameOf(next) } }}
      send={create}
      label={t.account.steps.cycle}
    >
      {() => <CyclePreview draft={cycle} />}
    </RecordForm>
  );
}
