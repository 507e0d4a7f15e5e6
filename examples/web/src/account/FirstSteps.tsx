import { useState, type ReactNode } from 'react';
import { Accordion, ThemeIcon } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { IconCheck } from '@tabler/icons-react';
import { isNegative, type Schemas } from 'expense-service-client';
import { queries, useMe, useQuery } from '../api';
import { Loaded } from '../components/Page';
import { FieldError, RecordForm } from '../components/RecordForm';
import { putEntry } from '../entries/entry';
import { useLocale } from '../locale';
import { BudgetForm } from '../planning/Budgets';
import { CyclePreview } from '../planning/NextCycle';
import { TemplateForm } from '../planning/TemplateForm';
import { showMessage } from '../write';
import { MethodForm } from './access';
import { timeZoneField } from './SignInPages';

const STEPS = ['day', 'income', 'expense', 'budget', 'cycle'] as const;
type Step = (typeof STEPS)[number];

/** For an account without cycles. */
export function FirstSteps() {
  const { t } = useLocale();
  return (
    <>
      <div>
        <h1>{t.account.steps.title}</h1>
        <p className="muted">{t.account.steps.text}</p>
      </div>
      <Loaded state={useMe()} height={480}>
        {(user) => <Steps user={user} />}
      </Loaded>
    </>
  );
}

/** What exists says which steps are done, so that a reload goes on where the user was. */
function Steps({ user }: { user: Schemas['UserResponse'] }) {
  const { t, day, usd } = useLocale();
  const texts = t.account.steps;
  const [balance, setBalance] = useLocalStorage<string>({ key: `balance-${user.id}` });
  const [chosen, setChosen] = useState<Step>();
  const { data: incomes = [] } = useQuery(queries.query('/income-templates'));
  const { data: expenses = [] } = useQuery(queries.query('/expense-templates'));
  const { data: budgets = [] } = useQuery(queries.query('/budgets'));
  const { data: methods = [] } = useQuery(queries.query('/payment-methods'));

  const zone = user.time_zone.replace(/.*\//, '').replaceAll('_', ' ');
  const done: Record<Step, string> = {
    day: balance ? texts.dayDone(zone, day(user.today, 'long'), usd(balance)) : '',
    income: incomes.map(({ description }) => description).join(', '),
    expense: expenses.map(({ description }) => description).join(', '),
    budget: budgets.map(({ name }) => name).join(', '),
    cycle: '',
  };
  const open = chosen ?? STEPS.find((step) => !done[step]);
  const close = () => setChosen(undefined);
  const forms: Record<Step, ReactNode> = {
    day: (
      <RecordForm<{ time_zone: string; balance: string }>
        fields={{
          time_zone: timeZoneField(t, user.time_zone),
          balance: {
            ...{ label: texts.balance, description: texts.balanceText },
            ...{ kind: 'money', value: balance },
          },
        }}
        send={async ({ time_zone, balance: amount }) => {
          if (isNegative(amount)) throw new FieldError('balance', t.fields.invalidAmount);
          await queries.send('PUT', '/auth/me', { body: { time_zone } });
          setBalance(amount);
          close();
        }}
        label={texts.next}
      />
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
    cycle: <FirstCycle income_amount={balance ?? '0.00'} />,
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

/** The six weeks from today, and what they would have. `income_amount` is in USD. */
function FirstCycle({ income_amount }: { income_amount: string }) {
  const { t, nameOf } = useLocale();
  const { data: next } = useQuery(queries.query('/cycles/next'));
  if (!next) return null;
  const cycle = { ...next, income_amount };

  async function create({ name }: { name: string }): Promise<void> {
    const body = { ...cycle, name, income_amount: '0.00' };
    const { id } = (await queries.send('POST', '/cycles', { body })).data;
    const status = 'active';
    await queries.send('PUT', '/cycles/{id}', { params: { path: { id } }, body: { status } });
    const income = { description: t.account.steps.balance, income_date: cycle.start_date };
    const amount = { currency: 'USD' as const, amount: income_amount };
    if (income_amount !== '0.00') await receiveBalance(id, { ...income, ...amount });
    showMessage(t.account.steps.created);
  }

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

/** As an income: as `income_amount` of the cycle, the cycles after it would have it too. */
async function receiveBalance(cycleId: string, body: Schemas['CreateIncomeDto']): Promise<void> {
  const params = { path: { cycle_id: cycleId } };
  const { data } = await queries.send('POST', '/cycles/{cycle_id}/incomes', { params, body });
  await putEntry({ ...data, cycleId }, { received: true });
}
