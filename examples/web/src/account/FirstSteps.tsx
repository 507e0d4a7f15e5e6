import { useState, type ReactNode } from 'react';
import { Button, Group } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { IconCheck } from '@tabler/icons-react';
import { parseAmount, type Schemas } from 'expense-service-client';
import { queries, useMe, useQuery } from '../api';
import { amountOf } from '../components/forms';
import { Card, Loaded } from '../components/Page';
import { useLocale } from '../locale';
import { TemplateForm } from '../planning/TemplateForm';
import { methodFields } from './access';
import css from './account.module.css';
import { timeZoneField } from './fields';
import { FieldsForm } from './FieldsForm';
import { FirstCycle } from './FirstCycle';
import { ImportButton } from './ImportButton';

const STEPS = ['day', 'income', 'expense', 'budget', 'cycle'] as const;
type Step = (typeof STEPS)[number];

/** For an account without cycles. */
export function FirstSteps() {
  const { t } = useLocale();
  const s = t.account.steps;
  return (
    <>
      <div>
        <h1>{s.title}</h1>
        <p className="muted">{s.text}</p>
      </div>
      <div className="columns">
        <div>
          <Loaded state={useMe()} height={480}>
            {(user) => <Steps user={user} />}
          </Loaded>
          <Group px="md" gap={0}>
            <span className="muted">{s.file}</span>
            <ImportButton variant="subtle" />
          </Group>
        </div>
        <Card title={s.preview}>
          <Sketch />
          <dl className={css.preview}>
            {(['free', 'days', 'due'] as const).map((part) => (
              <div key={part}>
                <dt>{s[part]}</dt>
                <dd>{s[`${part}Text`]}</dd>
              </div>
            ))}
          </dl>
        </Card>
      </div>
    </>
  );
}

/** What exists says which steps are done, so that a reload goes on where the user was. */
function Steps({ user }: { user: Schemas['UserResponse'] }) {
  const { t, day, usd } = useLocale();
  const s = t.account.steps;
  const [balance, setBalance] = useLocalStorage<string>({ key: `balance-${user.id}` });
  const [chosen, setChosen] = useState<Step>();
  const [skipped, setSkipped] = useState<Step[]>([]);
  const { data: incomes = [] } = useQuery(queries.query('/income-templates'));
  const { data: expenses = [] } = useQuery(queries.query('/expense-templates'));
  const { data: budgets = [] } = useQuery(queries.query('/budgets'));
  const { data: methods = [] } = useQuery(queries.query('/payment-methods'));

  const zone = user.time_zone.replace(/.*\//, '').replaceAll('_', ' ');
  const done: Record<Step, string> = {
    day: balance ? s.dayDone(zone, day(user.today, 'long'), usd(balance)) : '',
    income: incomes.map(({ description }) => description).join(', '),
    expense: expenses.map(({ description }) => description).join(', '),
    budget: budgets.map(({ name }) => name).join(', '),
    cycle: '',
  };
  const open = chosen ?? STEPS.find((step) => !done[step] && !skipped.includes(step));
  const close = () => setChosen(undefined);
  const forms: Record<Step, ReactNode> = {
    day: (
      <DayForm user={user} balance={balance} onDone={(amount) => (setBalance(amount), close())} />
    ),
    income: <TemplateForm kind="income" onDone={close} />,
    expense: methods.length ? <TemplateForm kind="expense" onDone={close} /> : <MethodForm />,
    budget: <BudgetForm onDone={close} />,
    cycle: <FirstCycle income={balance ?? '0.00'} />,
  };

  return (
    <ol className={`card ${css.steps}`}>
      {STEPS.map((step, index) => (
        <li key={step} className={step === open ? css.open : done[step] && css.done}>
          <span className={css.number}>{done[step] ? <IconCheck size={16} /> : index + 1}</span>
          <div>
            <Group gap="xs" justify="space-between">
              <h2>{s[step]}</h2>
              {step !== open && done[step] && (
                <Button
                  {...{ variant: 'subtle', size: 'xs', onClick: () => setChosen(step) }}
                  aria-label={`${step === 'day' ? t.do.change : s.another}: ${s[step]}`}
                >
                  {step === 'day' ? t.do.change : s.another}
                </Button>
              )}
              {step === open && (step === 'expense' || step === 'budget') && (
                <Button
                  {...{ variant: 'subtle', size: 'xs' }}
                  onClick={() => (setSkipped([...skipped, step]), close())}
                >
                  {s.skip}
                </Button>
              )}
            </Group>
            <p className="muted">{done[step] || s[`${step}Text`]}</p>
            {step === open && <div style={{ marginTop: 16 }}>{forms[step]}</div>}
          </div>
        </li>
      ))}
    </ol>
  );
}

interface DayFormProps {
  user: Schemas['UserResponse'];
  balance: string | undefined;
  onDone: (balance: string) => void;
}

function DayForm({ user, balance, onDone }: DayFormProps) {
  const { t, locale } = useLocale();
  const s = t.account.steps;
  return (
    <FieldsForm
      fields={{
        time_zone: timeZoneField(t, user.time_zone),
        balance: {
          ...{ label: s.balance, description: s.balanceText, value: balance },
          ...{ inputMode: 'decimal', rightSection: 'USD' },
        },
      }}
      validate={{
        balance: (text) => (parseAmount(text, locale) ? null : t.fields.invalidAmount),
      }}
      send={async ({ time_zone, balance: text }) => {
        await queries.send('PUT', '/auth/me', { body: { time_zone } });
        onDone(amountOf(text, locale));
      }}
      label={s.next}
    />
  );
}

function MethodForm() {
  const { t } = useLocale();
  return (
    <>
      <p>{t.account.steps.method}</p>
      <FieldsForm
        fields={methodFields(t)}
        send={(values) => {
          const body = values as Schemas['CreatePaymentMethodDto'];
          return queries.send('POST', '/payment-methods', { body });
        }}
        label={t.account.steps.next}
      />
    </>
  );
}

function BudgetForm({ onDone }: { onDone: () => void }) {
  const { t, locale } = useLocale();
  return (
    <FieldsForm
      fields={{
        name: { label: t.fields.name },
        limit: { label: t.account.steps.limit, inputMode: 'decimal', rightSection: 'USD' },
      }}
      send={async ({ name, limit }) => {
        const body = { name, limit: limit ? amountOf(limit, locale) : null };
        await queries.send('POST', '/budgets', { body });
        onDone();
      }}
      label={t.do.save}
    />
  );
}

/** What the overview looks like, without numbers. */
function Sketch() {
  return (
    <svg viewBox="0 0 400 156" fill="none" stroke="var(--line-strong)" aria-hidden="true">
      <path d="M0 131.5h400" />
      <path d="M0 104h400" strokeDasharray="2 3" />
      <path d="M0 52h24v22h16" strokeWidth="1.5" opacity="0.5" />
      <path d="M40 74h30v12h30V34h38v14h30v16h30v20h28V28h40v22h40v24h40V40h54" strokeWidth="2" />
      <path d="M40 12v120" stroke="var(--text)" />
      <circle cx="212" cy="84" r="5" fill="var(--card)" strokeWidth="2.5" />
    </svg>
  );
}
