/** Adds or changes an expense or an income. */
import { Button, Group } from '@mantine/core';
import { convertToUsd, dayOf, type Schemas } from 'expense-service-client';
import { Link } from 'wouter';
import { queries, useMe, useQuery, useRate, type Currency, type Cycle } from '../api';
import { PaidWith, Payments } from '../cards/Instalments';
import { Amount, Pairs } from '../components/Page';
import { usePanel } from '../components/Panel';
import { ChangedElsewhere, FieldError, FormDrawer, RecordForm } from '../components/RecordForm';
import type { Fields } from '../components/RecordForm';
import { useLocale } from '../locale';
import { addInstalments } from '../planning/templates';
import type { Texts } from '../texts';
import { useDone, type WriteAction } from '../write';
import { addEntry, dateOf, deleteEntry, isExpense, isSettled, putEntry } from './entry';
import { spentBy, stateOf, takesEntries } from './entry';
import type { Entry, ExpenseEntry, Kind, NewEntry } from './entry';
import { Refund } from './PaymentPanel';

const MAX_PAYMENTS = 60;

interface Draft extends NewEntry {
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
  method?: { id: string; name: string } | undefined;
  onDone: () => void;
}

export function EntryForm({ kind, entry, cycle, method, onDone }: EntryFormProps) {
  const { t } = useLocale();
  const texts = t.entries;
  const showDone = useDone();
  const actions = useActions(entry, onDone);
  const today = useMe().data?.today;
  if (!today) return null;
  const hasToday = !cycle || (cycle.start_date <= today && today <= cycle.end_date);
  const first = hasToday ? today : cycle.start_date;
  const date = { label: t.fields.date, kind: 'day' as const, value: entry ? dateOf(entry) : first };
  const notes = { label: t.fields.comments, optional: true };
  const dayOf = (body: NewEntry) => (kind === 'expense' ? body.due_date : body.income_date);

  const payment = paymentFields(t.fields, {
    kind,
    record: entry ?? (method && { payment_method: method }),
  });
  const canBeParts = kind === 'expense' && !entry && !cycle?.side;
  const counts = Array.from({ length: MAX_PAYMENTS - 1 }, (_, i) => [i + 2, `${i + 2}`]);

  async function save({ monthly, count, ...body }: Draft): Promise<void> {
    const saved = t.done.saved(body.description);
    if (monthly) {
      const { operationIds, isComplete } = await addInstalments(body, Number(count));
      const done = isComplete ? saved : `${saved}. ${t.planning.template.notYet}`;
      showDone(done, ...operationIds);
      return onDone();
    }
    const sent = await (entry ? putEntry(entry, body) : addEntry(body, cycle?.id));
    if (!sent) throw new FieldError(`${kind === 'expense' ? 'due' : 'income'}_date`, texts.noCycle);
    showDone(saved, sent.operationId);
    onDone();
  }

  return (
    <RecordForm<Draft>
      fields={{
        description: { label: t.fields.description, value: entry?.description },
        amount: {
          ...{ label: t.fields.amount, kind: 'money', value: entry?.amount, currency: 'currency' },
          description: (body) => <Dollars {...body} date={dayOf(body)} />,
        },
        currency: { value: entry?.currency ?? 'MXN' },
        due_date: { ...date, when: () => kind === 'expense' },
        income_date: { ...date, when: () => kind === 'income' },
        ...payment,
        payment_method_id: {
          ...payment.payment_method_id,
          description: (body) => kind === 'expense' && <PaidWith {...body} />,
        },
        monthly: { label: t.cards.monthly, kind: 'switch', value: 'false', when: () => canBeParts },
        count: {
          ...{ label: t.cards.count, value: '12', options: Object.fromEntries(counts) },
          when: ({ monthly }) => monthly,
        },
        comments: {
          ...{ ...notes, kind: 'notes', value: entry?.comments },
          when: ({ monthly }) => !monthly,
        },
      }}
      send={save}
      label={({ monthly, count }) => (monthly ? t.cards.addPayments(Number(count)) : t.do.save)}
      actions={actions}
    >
      {({ monthly, count, ...body }) =>
        monthly ? (
          <Payments {...body} count={Number(count)} />
        ) : entry || cycle ? (
          <OutsideCycle date={dayOf(body)} cycleId={entry?.cycleId ?? cycle?.id ?? ''} />
        ) : (
          <CycleNeeded date={dayOf(body)} onLeave={onDone} />
        )
      }
    </RecordForm>
  );
}

interface PaymentBody {
  payment_method_id?: unknown;
  budget_id?: unknown;
  category?: unknown;
}

interface Paid {
  payment_method: { id: string; name: string } | null;
  budget?: { id: string; name: string } | null;
  /** Of expenses only. */
  category?: Schemas['ExpenseCategory'];
}

/** What an entry and its template have in common. */
export function paymentFields(
  texts: Texts['fields'],
  { kind, record }: { kind: Kind; record: Paid | undefined },
): Fields<PaymentBody> {
  const isOut = kind === 'expense';
  const { payment_method: method = null, budget = null, category = 'variable' } = record ?? {};
  return {
    payment_method_id: {
      ...{ label: texts.paymentMethod, of: '/payment-methods', optional: !isOut },
      ...{ value: method?.id, present: method },
    },
    budget_id: {
      ...{ label: texts.budget, of: '/budgets', optional: true, placeholder: texts.none },
      ...{ value: budget?.id, present: budget, half: isOut },
      description: isOut ? undefined : texts.refundOf,
    },
    category: {
      ...{ label: texts.category, value: category, half: true, when: () => isOut },
      options: { fixed: texts.fixed, variable: texts.variable },
    },
  };
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
  if (currency === 'USD' || !rate || !/^\d+\.\d\d$/.test(amount)) return null;
  return <>{t.entries.about(usd(convertToUsd(amount, rate)))}</>;
}

/** Offers to create a cycle, if none has the day. */
export function CycleNeeded({ date, onLeave }: { date: string; onLeave: () => void }) {
  const { t } = useLocale();
  const { data } = useQuery(queries.query('/cycles', { params: { query: { date } } }));
  if (!data || data.cycles.some(takesEntries)) return null;
  return (
    <Group mt="sm" justify="space-between" className="danger" role="status">
      {t.entries.noCycle}
      <Button component={Link} href="/cycles/next" variant="default" onClick={onLeave}>
        {t.entries.createCycle}
      </Button>
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
    ...{ label, name, done: done(name), onDone, send: () => putEntry(entry, body) },
  });
  const cancel = change(texts.cancelExpense, texts.cancelled, { status: 'cancelled' });
  const other = {
    ...{ pending: cancel, overdue: cancel, expected: undefined },
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
  cycle?: Cycle;
  /** What a new one is paid with at first. */
  method?: { id: string; name: string };
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
      {...{ title: opened && title, opened: opened !== undefined, onClose: close, isSheet: true }}
      closeOnEscape={!isRefunding}
    >
      {entry && (
        <ChangedElsewhere record={entry}>
          <b>{t.problem.changed(entry.description)}</b> {money(entry.amount, entry.currency)} ·{' '}
          {day(dateOf(entry))} · {t.status[stateOf(entry)]}
        </ChangedElsewhere>
      )}
      {isRefunding && <Facts expense={spent} />}
      {spent && (
        <Button
          {...{ variant: 'default', size: 'xs', my: 'sm', onClick: refund.toggle }}
          aria-expanded={refund.isOpen}
        >
          {t.entries.cameBack}
        </Button>
      )}
      {isRefunding ? (
        <Refund expense={spent} onClose={refund.close} onDone={close} />
      ) : (
        <EntryForm {...{ kind, entry, cycle, method }} onDone={close} />
      )}
    </FormDrawer>
  );
}

/** What an expense is, beside what came back of it. */
function Facts({ expense }: { expense: ExpenseEntry }) {
  const { t, day } = useLocale();
  const zone = useMe().data?.time_zone ?? 'UTC';
  const { due_date, paid_at, payment_method: method, budget, statement } = expense;
  const spentOn = paid_at && !statement ? dayOf(paid_at, zone) : due_date;
  const closing = statement && day(statement.closing_date, 'day');
  return (
    <Pairs
      isSum={false}
      pairs={[
        [t.status.paid, day(spentOn, 'long')],
        [t.fields.amount, <Amount {...expense} />],
        [t.fields.paymentMethod, closing ? t.cards.lineOf(method.name, closing) : method.name],
        [t.fields.budget, budget?.name ?? t.fields.none],
      ]}
    />
  );
}
