/** Adds or changes an expense or an income. */
import { useState } from 'react';
import { Alert, Button, Select, Stack, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { formatNumber, parseAmount } from 'expense-service-client';
import { Link } from 'wouter';
import { queries, useMe, useQuery, type Currency } from '../api';
import { Loaded } from '../components/Page';
import {
  amountOf,
  DayField,
  FormButtons,
  MoneyField,
  RecordSelect,
  useSubmit,
} from '../components/forms';
import { useLocale } from '../locale';
import { useDone, useWrite } from '../write';
import { dateOf, deleteEntry, isExpense, putEntry, stateOf, type Entry, type Kind } from './entry';
import { toUsd } from './totals';

interface EntryFormProps {
  kind: Kind;
  /** Left out: a new one, which goes to the cycle of its day. */
  entry?: Entry;
  cycleId?: string;
  onDone: () => void;
}

export function EntryForm(props: EntryFormProps) {
  const me = useMe();
  return <Loaded state={me}>{({ today }) => <Fields {...props} today={today} />}</Loaded>;
}

function Fields({ kind, entry, cycleId, onDone, today }: EntryFormProps & { today: string }) {
  const { t, locale, day, money } = useLocale();
  const showDone = useDone();
  const [opened] = useState(entry);
  const expense = entry && isExpense(entry) ? entry : undefined;
  const dateField = kind === 'expense' ? 'due_date' : 'income_date';
  const form = useForm({
    initialValues: {
      description: entry?.description ?? '',
      amount: entry ? formatNumber(entry.amount, locale) : '',
      currency: entry?.currency ?? ('MXN' as Currency),
      due_date: entry ? dateOf(entry) : today,
      income_date: entry ? dateOf(entry) : today,
      payment_method_id: entry?.payment_method?.id ?? '',
      budget_id: expense?.budget?.id ?? null,
      category: expense?.category ?? 'variable',
      comments: entry?.comments ?? '',
    },
    validate: {
      description: (text) => (text.trim() ? null : t.fields.required),
      payment_method_id: (id) => (id || kind === 'income' ? null : t.fields.required),
    },
  });
  const date = form.values[dateField];
  const ofDay = useQuery(queries.query('/cycles', { params: { query: { date } } }));
  const target = cycleId ?? ofDay.data?.cycles.find(({ status }) => status !== 'completed')?.id;

  const { save, problem, isSaving } = useSubmit(form, async (values) => {
    if (!target) return form.getInputNode(dateField)?.focus();
    const { description, currency, payment_method_id, category, budget_id } = values;
    const amount = amountOf(values.amount, locale);
    const common = { description, currency, amount, comments: values.comments || null };
    const body =
      kind === 'expense'
        ? { ...common, payment_method_id, due_date: date, category, budget_id }
        : { ...common, payment_method_id: payment_method_id || null, income_date: date };
    const params = { path: { cycle_id: target } };
    const sent = entry
      ? await putEntry(kind, target, entry, body)
      : await queries.send('POST', `/cycles/{cycle_id}/${kind}s`, { params, body });
    showDone(t.done.saved(description), sent.operationId);
    onDone();
  });

  return (
    <form onSubmit={save} noValidate>
      <Stack>
        {entry && entry.updated_at !== opened?.updated_at && (
          <Alert role="alert" title={t.problem.changed(entry.description)}>
            {money(entry.amount, entry.currency)} · {day(dateOf(entry))} ·{' '}
            {t.status[stateOf(entry)]}
          </Alert>
        )}
        <TextInput
          label={t.fields.description}
          data-autofocus
          {...form.getInputProps('description')}
        />
        <MoneyField
          currency={form.values.currency}
          onCurrencyChange={(currency) => form.setFieldValue('currency', currency)}
          description={<Dollars {...form.values} date={date} />}
          {...form.getInputProps('amount')}
        />
        <DayField
          {...form.getInputProps(dateField)}
          {...(ofDay.data && !target && { error: t.entries.noCycle })}
        />
        {ofDay.data && !target && (
          <Button component={Link} href="/cycles/next" variant="default" onClick={onDone}>
            {t.entries.createCycle}
          </Button>
        )}
        <RecordSelect
          of="/payment-methods"
          present={entry?.payment_method}
          label={t.fields.paymentMethod}
          clearable={kind === 'income'}
          {...form.getInputProps('payment_method_id')}
        />
        {kind === 'expense' && (
          <>
            <RecordSelect
              of="/budgets"
              present={expense?.budget}
              label={t.fields.budget}
              placeholder={t.fields.none}
              clearable
              {...form.getInputProps('budget_id')}
            />
            <Select
              label={t.fields.category}
              data={(['fixed', 'variable'] as const).map((value) => ({
                value,
                label: t.fields[value],
              }))}
              allowDeselect={false}
              {...form.getInputProps('category')}
            />
          </>
        )}
        <Textarea label={t.fields.comments} autosize {...form.getInputProps('comments')} />
        <FormButtons label={t.do.save} problem={problem} isSaving={isSaving}>
          {entry && target && <OtherChanges {...{ kind, entry, onDone, cycleId: target }} />}
        </FormButtons>
      </Stack>
    </form>
  );
}

/** What pesos are in dollars at the rate of the day. */
function Dollars({ amount, currency, date }: { amount: string; currency: Currency; date: string }) {
  const { t, locale, usd } = useLocale();
  const query = { from: 'MXN', to: 'USD', date } as const;
  const rate = useQuery(queries.query('/exchange-rates', { params: { query } })).data?.rates[0];
  const pesos = parseAmount(amount, locale);
  if (currency === 'USD' || !rate || !pesos) return null;
  return <>{t.entries.about(usd(toUsd(pesos, rate.rate)))}</>;
}

/** What can be done with an entry besides changing its fields. */
function OtherChanges({ kind, entry, cycleId, onDone }: Required<EntryFormProps>) {
  const { t } = useLocale();
  const { write, isSaving } = useWrite();
  const { description: name } = entry;
  const put = (body: Parameters<typeof putEntry>[3]) => () => putEntry(kind, cycleId, entry, body);
  const cancel = [
    t.entries.cancelExpense,
    t.entries.cancelled,
    put({ status: 'cancelled' }),
  ] as const;
  const changes = {
    pending: cancel,
    overdue: cancel,
    cancelled: [t.entries.restore, t.entries.restored, put({ status: 'pending' })] as const,
    paid: [t.entries.unpay, t.entries.notPaid, put({ paid: false })] as const,
    received: [t.entries.unreceive, t.entries.notReceived, put({ received: false })] as const,
    expected: undefined,
  }[stateOf(entry)];
  const remove = [t.do.delete, t.done.deleted, () => deleteEntry(kind, cycleId, entry)] as const;
  return [remove, ...(changes ? [changes] : [])].map(([label, done, send]) => (
    <Button
      key={label}
      variant="subtle"
      disabled={isSaving}
      onClick={async () => {
        if (await write({ name, done: done(name), send })) onDone();
      }}
    >
      {label}
    </Button>
  ));
}
