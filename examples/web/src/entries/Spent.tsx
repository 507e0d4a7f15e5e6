/** What was just spent, in three presses: the amount, its budget, and Save. */
import { useState } from 'react';
import { Group, Select, TextInput, UnstyledButton } from '@mantine/core';
import { useForm, type UseFormReturnType } from '@mantine/form';
import { useLocalStorage } from '@mantine/hooks';
import type { Schemas } from 'expense-service-client';
import { noonOf } from '../accounts/account';
import { queries, useMe, useQuery, type Budget, type Currency } from '../api';
import { PaidWith } from '../cards/Instalments';
import type { Method } from '../cards/statement';
import { FieldError, Form } from '../components/Form';
import {
  ChipsInput,
  DayInput,
  MoneyInput,
  optionsOf,
  RecordSelect,
  useRules,
} from '../components/inputs';
import { useIsNarrow } from '../components/Page';
import { useLocale } from '../locale';
import { useDone } from '../write';
import { addEntry } from './entry';
import { Effect } from './Effect';
import { CycleNeeded, Dollars } from './EntryForm';

interface Draft {
  amount: string;
  currency: Currency;
  budget_id: string;
  payment_method_id: string;
  due_date: string;
  status: 'paid' | 'pending';
  description: string;
}

/** What was chosen last, the latest budget first. */
interface Last {
  method?: string;
  currency?: Currency;
  budgets: string[];
}

const ACTIVE = { params: { query: { active: true } } };

/** What else can be added. */
export type Other = 'expense' | 'income' | 'recurring';

interface SpentProps {
  /** The budget that is chosen at first. */
  budgetId?: string | undefined;
  /** Closes this for the form of something else. */
  onOther: (kind: Other) => void;
  onDone: () => void;
}

export function Spent(props: SpentProps) {
  const [count, setCount] = useState(0);
  const user = useMe().data;
  const methods = useQuery(queries.query('/payment-methods', ACTIVE)).data;
  const budgets = useQuery(queries.query('/budgets', ACTIVE)).data;
  if (!user || !methods || !budgets) return null;
  return (
    <SpentForm
      key={count}
      {...props}
      user={user}
      methods={methods}
      budgets={budgets}
      onAnother={() => setCount(count + 1)}
    />
  );
}

interface SpentFormProps extends SpentProps {
  user: Schemas['UserResponse'];
  methods: Method[];
  budgets: Budget[];
  /** Goes on with an empty form. */
  onAnother: () => void;
}

function SpentForm({ budgetId = '', user, methods, budgets, ...props }: SpentFormProps) {
  const { onOther, onDone, onAnother } = props;
  const { t, money } = useLocale();
  const texts = t.entries.spent;
  const showDone = useDone();
  const isNarrow = useIsNarrow();
  const rules = useRules();
  const [last, setLast] = useLocalStorage<Last>({
    key: 'spent',
    defaultValue: { budgets: [] },
    getInitialValueInEffect: false,
  });
  const [hasCurrency, setHasCurrency] = useState(false);
  const methodOf = (id: string | null) => methods.find((each) => each.id === id);
  // Dollars are what everybody prefers at first, so that only pesos have been chosen.
  const inPesos = methods.filter(({ default_currency: currency }) => currency === 'MXN');
  const candidates = user.preferred_currency === 'MXN' && inPesos.length > 0 ? inPesos : methods;
  const method =
    methodOf(last.method ?? null) ??
    candidates.find(({ method_type: type }) => type === 'debit') ??
    candidates[0];
  const form = useForm<Draft>({
    initialValues: {
      amount: '',
      currency: last.currency ?? method?.default_currency ?? user.preferred_currency,
      budget_id: budgetId,
      payment_method_id: method?.id ?? '',
      due_date: user.today,
      status: 'paid',
      description: '',
    },
    validate: {
      amount: rules.amount,
      payment_method_id: rules.required,
      due_date: rules.required,
    },
    // The amount is in the currency of what it is paid with, unless another one was chosen.
    onValuesChange: ({ payment_method_id: id }, { payment_method_id: former }) => {
      const currency = methodOf(id)?.default_currency;
      if (id !== former && currency && !hasCurrency) form.setFieldValue('currency', currency);
    },
  });
  const { amount, currency, budget_id, payment_method_id, due_date, status } = form.values;
  /** What has a statement leaves with that, and what is to come has not left yet. */
  const canBePaid =
    due_date <= user.today && (methodOf(payment_method_id)?.closing_day ?? null) === null;
  const isPaid = canBePaid && status === 'paid';
  const rankOf = ({ id }: Budget) =>
    last.budgets.includes(id) ? last.budgets.indexOf(id) : last.budgets.length;
  const chips = budgets
    .toSorted((a, b) => rankOf(a) - rankOf(b))
    .map(({ id, name }) => ({ value: id, label: name }));
  const currencyProps = form.getInputProps('currency');

  async function save(draft: Draft, isAnother: boolean): Promise<void> {
    const budget = budgets.find(({ id }) => id === draft.budget_id);
    const description = draft.description.trim() || (budget?.name ?? t.add.expense);
    const sent = await addEntry({
      description,
      amount,
      currency,
      payment_method_id,
      due_date,
      budget_id: budget?.id ?? null,
      category: 'variable',
      ...(isPaid && { paid: true, paid_at: noonOf(due_date, user) }),
    });
    if (!sent) throw new FieldError('due_date', t.entries.noCycle);
    const others = last.budgets.filter((id) => id !== budget_id);
    const latest = budget_id ? [budget_id, ...others] : others;
    setLast({ method: payment_method_id, currency, budgets: latest });
    const done = (isPaid ? t.done.paid : t.done.saved)(description);
    showDone(`${done}, ${money(amount, currency)}`, sent.operationId);
    if (isAnother) onAnother();
    else onDone();
  }

  return (
    <Form form={form} send={save} another={isNarrow ? undefined : texts.another} label={t.do.save}>
      <MoneyInput
        label={t.fields.amount}
        className="large"
        autoFocus
        data-autofocus
        description={<Dollars amount={amount} currency={currency} date={due_date} />}
        currencyProps={{
          ...currencyProps,
          onChange: (chosen) => {
            setHasCurrency(true);
            currencyProps.onChange(chosen);
          },
        }}
        {...form.getInputProps('amount')}
      />
      <ChipsInput
        label={texts.budget}
        data={[...chips, { value: '', label: t.fields.none }]}
        {...form.getInputProps('budget_id')}
      />
      <Facts form={form} canBePaid={canBePaid} />
      <TextInput label={texts.for} {...form.getInputProps('description')} />
      <PaidWith payment_method_id={payment_method_id} due_date={due_date} />
      <Effect
        date={due_date}
        at={isPaid ? noonOf(due_date, user) : null}
        budgetId={budget_id}
        methodId={payment_method_id}
        currency={currency}
        amount={amount}
      />
      <CycleNeeded date={due_date} onLeave={onDone} />
      <Others onOther={onOther} />
    </Form>
  );
}

interface FactsProps {
  form: UseFormReturnType<Draft>;
  canBePaid: boolean;
}

/** What it was paid with, when, and whether it has left already. */
function Facts({ form, canBePaid }: FactsProps) {
  const { t } = useLocale();
  return (
    <Group gap={8} grow align="flex-start" preventGrowOverflow={false}>
      <RecordSelect
        of="/payment-methods"
        label={t.entries.with}
        className="fact"
        style={{ flexBasis: 150 }}
        rightSectionWidth={14}
        {...form.getInputProps('payment_method_id')}
      />
      <DayInput label={t.entries.spent.on} className="fact" {...form.getInputProps('due_date')} />
      {canBePaid && (
        <Select
          label={t.entries.state}
          className="fact"
          rightSectionWidth={14}
          data={optionsOf({ paid: t.status.paid, pending: t.status.pending })}
          {...form.getInputProps('status')}
        />
      )}
    </Group>
  );
}

/** The forms of what else can be added, for a phone. */
function Others({ onOther }: Pick<SpentProps, 'onOther'>) {
  const { t } = useLocale();
  return (
    <Group gap="lg" hiddenFrom="sm">
      {(['expense', 'income', 'recurring'] as const).map((kind) => (
        <UnstyledButton key={kind} className="accent" py={10} onClick={() => onOther(kind)}>
          {kind === 'expense' ? t.add.planned : t.add[kind]}
        </UnstyledButton>
      ))}
    </Group>
  );
}
