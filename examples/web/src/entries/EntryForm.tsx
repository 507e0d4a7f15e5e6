/** Adds or changes an expense or an income. */
import { Button, Group, Select, Switch, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { convertToUsd, type Schemas } from 'expense-service-client';
import { Link } from 'wouter';
import { queries, useMe, useQuery, useQueryList, useRate, type Currency, type Cycle } from '../api';
import { PaidWith, Payments } from '../cards/Instalments';
import type { Method } from '../cards/statement';
import { usePanel } from '../components/Panel';
import { FieldError, Form } from '../components/Form';
import { ChangedElsewhere, FormDrawer } from '../components/FormDrawer';
import { DayInput, isAmount, MoneyInput, orNull, useRules } from '../components/inputs';
import { useLocale } from '../locale';
import { addInstalments } from '../planning/templates';
import { useDone, type WriteAction } from '../write';
import { addEntry, dateOf, deleteEntry, isExpense, isSettled, putEntry } from './entry';
import { spentBy, stateOf, takesEntries } from './entry';
import type { Entry, Kind, NewEntry } from './entry';
import { PaymentInputs, paymentValues } from './PaymentInputs';
import { Refund } from './PaymentPanel';

const MAX_PAYMENTS = 60;
const COUNTS = Array.from({ length: MAX_PAYMENTS - 1 }, (_, i) => `${i + 2}`);

interface Draft {
  description: string;
  amount: string;
  currency: Currency;
  /** The day of an expense or of an income, by the name that it has there. */
  due_date: string;
  income_date: string;
  payment_method_id: string | null;
  budget_id: string | null;
  category: Schemas['ExpenseCategory'];
  comments: string;
  /** Whether it is paid in monthly parts, and in how many. */
  monthly: boolean;
  count: string;
}

interface EntryFormProps {
  kind: Kind;
  /** Left out: a new one. */
  entry?: Entry | undefined;
  /** Of a new one; left out: the cycle of its day. */
  cycle?: Cycle | undefined;
  /** What a new one is paid with at first. */
  method?: Method | undefined;
  onDone: () => void;
}

export function EntryForm(props: EntryFormProps) {
  const me = useMe().data;
  return me && <Inputs {...props} user={me} />;
}

interface InputsProps extends EntryFormProps {
  user: Schemas['UserResponse'];
}

function Inputs({ kind, entry, cycle, method, onDone, user }: InputsProps) {
  const { t } = useLocale();
  const texts = t.entries;
  const showDone = useDone();
  const rules = useRules();
  const actions = useActions(entry, onDone);
  const isOut = kind === 'expense';
  const dayName = isOut ? 'due_date' : 'income_date';
  const record = entry ?? (method && { payment_method: method });
  const hasToday = !cycle || (cycle.start_date <= user.today && user.today <= cycle.end_date);
  const first = entry ? dateOf(entry) : hasToday ? user.today : cycle.start_date;
  const form = useForm<Draft>({
    initialValues: {
      description: entry?.description ?? '',
      amount: entry?.amount ?? '',
      currency: entry?.currency ?? method?.default_currency ?? user.preferred_currency,
      due_date: first,
      income_date: first,
      ...paymentValues(record),
      comments: entry?.comments ?? '',
      monthly: false,
      count: '12',
    },
    validate: {
      description: rules.required,
      amount: rules.amount,
      [dayName]: rules.required,
      payment_method_id: isOut ? rules.required : undefined,
    },
  });
  const { amount, currency, payment_method_id, monthly, count, [dayName]: date } = form.values;
  const purchase = { payment_method_id, due_date: date };

  async function save(draft: Draft): Promise<void> {
    const { description, budget_id, category } = draft;
    const saved = t.done.saved(description);
    // The payments of a purchase have no notes.
    const common = {
      description,
      amount,
      currency,
      payment_method_id,
      budget_id,
      ...(isOut ? { due_date: date, category } : { income_date: date }),
    } as NewEntry;
    if (monthly) {
      const { operationIds, isComplete } = await addInstalments(common, Number(count));
      const done = isComplete ? saved : `${saved}. ${t.planning.template.notYet}`;
      showDone(done, ...operationIds);
      return onDone();
    }
    const body = { ...common, comments: orNull(draft.comments) };
    const sent = await (entry ? putEntry(entry, body) : addEntry(body, cycle?.id));
    if (!sent) throw new FieldError(dayName, texts.noCycle);
    showDone(saved, sent.operationId);
    onDone();
  }

  return (
    <Form
      form={form}
      send={save}
      label={monthly ? t.cards.addPayments(Number(count)) : t.do.save}
      actions={actions}
    >
      <TextInput label={t.fields.description} {...form.getInputProps('description')} />
      <MoneyInput
        label={t.fields.amount}
        description={<Dollars amount={amount} currency={currency} date={date} />}
        currencyProps={form.getInputProps('currency')}
        {...form.getInputProps('amount')}
      />
      <DayInput label={t.fields.date} {...form.getInputProps(dayName)} />
      <PaymentInputs
        form={form}
        kind={kind}
        record={record}
        note={isOut && <PaidWith {...purchase} />}
      />
      {isOut && !entry && !cycle?.side && (
        <Switch label={t.cards.monthly} {...form.getInputProps('monthly', { type: 'checkbox' })} />
      )}
      {monthly ? (
        <>
          <Select label={t.cards.count} data={COUNTS} searchable {...form.getInputProps('count')} />
          <Payments {...purchase} amount={amount} currency={currency} count={Number(count)} />
        </>
      ) : (
        <Textarea label={t.fields.comments} {...form.getInputProps('comments')} />
      )}
      {!monthly &&
        (entry || cycle ? (
          <OutsideCycle date={date} cycleId={entry?.cycleId ?? cycle?.id ?? ''} />
        ) : (
          <CycleNeeded date={date} onLeave={onDone} />
        ))}
    </Form>
  );
}

interface DollarsProps {
  amount: string;
  currency: Currency;
  date: string;
}

/** What pesos are in dollars at the rate of the day. */
export function Dollars({ amount, currency, date }: DollarsProps) {
  const { t, usd } = useLocale();
  const rate = useRate(date);
  if (currency === 'USD' || !rate || !isAmount(amount)) return null;
  return <>{t.entries.about(usd(convertToUsd(amount, rate)))}</>;
}

/** Says that no cycle has the day, and offers to create the next one, unless the day is before it. */
export function CycleNeeded({ date, onLeave }: { date: string; onLeave: () => void }) {
  const { t } = useLocale();
  const { data } = useQuery(queries.query('/cycles', { params: { query: { date } } }));
  const isNeeded = data && !data.cycles.some(takesEntries);
  const [next] = useQueryList(isNeeded ? [queries.query('/cycles/next')] : []);
  if (!isNeeded || !next?.data) return null;
  const isBefore = date < next.data.start_date;
  return (
    <Group mt="sm" justify="space-between" className="danger" role="status">
      {isBefore ? t.entries.beforeCycles : t.entries.noCycle}
      {!isBefore && (
        <Button component={Link} href="/cycles/next" variant="default" onClick={onLeave}>
          {t.entries.createCycle}
        </Button>
      )}
    </Group>
  );
}

/** Says that an entry stays in its cycle, if its day is in none of the cycle's. */
function OutsideCycle({ date, cycleId }: { date: string; cycleId: string }) {
  const { t, days } = useLocale();
  const path = { id: cycleId };
  const { data } = useQuery(queries.query('/cycles/{id}', { params: { path } }));
  if (!data || (data.start_date <= date && date <= data.end_date)) return null;
  return (
    <p className="danger" role="status">
      {t.entries.outsideCycle(days(data))}
    </p>
  );
}

/** What can be done with an entry besides changing its fields. */
function useActions(entry: Entry | undefined, onDone: () => void): WriteAction[] {
  const { t } = useLocale();
  if (!entry) return [];
  const { description: name } = entry;
  const texts = t.entries;
  const change = (label: string, done: (name: string) => string, body: object): WriteAction => ({
    label,
    name,
    done: done(name),
    onDone,
    send: () => putEntry(entry, body),
  });
  const cancel = change(texts.cancelExpense, texts.cancelled, { status: 'cancelled' });
  const other = {
    pending: cancel,
    overdue: cancel,
    expected: undefined,
    cancelled: change(texts.restore, texts.restored, { status: 'pending' }),
    paid: change(texts.unpay, texts.notPaid, { paid: false }),
    received: change(texts.unreceive, texts.notReceived, { received: false }),
  }[stateOf(entry)];
  const remove = { label: t.do.delete, done: t.done.deleted(name), send: () => deleteEntry(entry) };
  return [{ ...remove, name, onDone }, ...(other ? [other] : [])];
}

interface EntryDrawerProps {
  /** What is opened, or the kind of a new entry. */
  opened: Entry | Kind | undefined;
  /** All that can be opened, as they are now. */
  entries: readonly Entry[];
  /** Of a new entry; left out: the one of its day. */
  cycle?: Cycle | undefined;
  /** What a new one is paid with at first. */
  method?: Method | undefined;
  onClose: () => void;
}

/** The form of an entry at the side of the page, or what came back of an expense that was paid. */
export function EntryDrawer({ opened, entries, cycle, method, onClose }: EntryDrawerProps) {
  const { t, day, money } = useLocale();
  const refund = usePanel();
  const today = useMe().data?.today ?? '';
  const isNew = typeof opened === 'string';
  const entry = isNew ? undefined : (entries.find(({ id }) => id === opened?.id) ?? opened);
  const kind = isNew ? opened : entry && isExpense(entry) ? 'expense' : 'income';
  const title = entry?.description ?? t.add[kind];
  const spent = entry && isExpense(entry) && isSettled(spentBy(today, entry)) ? entry : undefined;
  const isRefunding = spent && refund.isOpen;
  const close = () => {
    if (refund.isOpen) refund.close();
    onClose();
  };
  return (
    <FormDrawer
      title={opened && title}
      opened={opened !== undefined}
      onClose={close}
      isSheet
      closeOnEscape={!isRefunding}
    >
      {entry && (
        <ChangedElsewhere record={entry}>
          <b>{t.problem.changed(entry.description)}</b> {money(entry.amount, entry.currency)} ·{' '}
          {day(dateOf(entry))} · {t.status[stateOf(entry)]}
        </ChangedElsewhere>
      )}
      {spent && (
        <Button
          variant="default"
          size="xs"
          my="sm"
          onClick={refund.toggle}
          aria-expanded={refund.isOpen}
        >
          {t.entries.cameBack}
        </Button>
      )}
      {isRefunding ? (
        <Refund expense={spent} onClose={refund.close} onDone={close} />
      ) : (
        <EntryForm kind={kind} entry={entry} cycle={cycle} method={method} onDone={close} />
      )}
    </FormDrawer>
  );
}
