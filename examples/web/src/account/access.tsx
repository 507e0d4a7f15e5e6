/** What reads the account, and what its expenses are paid with. */
import { useState } from 'react';
import { dayOf, type Schemas } from 'expense-service-client';
import { putMethod } from '../accounts/account';
import { queries, useMe, useQuery } from '../api';
import { RecordForm } from '../components/RecordForm';
import { RecordList } from '../components/RecordList';
import { useLocale } from '../locale';
import { useActive } from '../planning/useActive';
import { useDone } from '../write';

export const CURRENCIES = { USD: 'USD', MXN: 'MXN' };

type Method = Schemas['PaymentMethodResponse'];
type NewMethod = Omit<Schemas['CreatePaymentMethodDto'], 'closing_day' | DueDay> &
  Record<'closing_day' | 'amount', string | null> &
  Record<DueDay, string> & { due: 'day' | 'after' };
type DueDay = 'due_day' | 'due_days_after';

interface MethodFormProps {
  method?: Method | undefined;
  onDone: () => void;
}

/** Of a new one also what it has, unless that is left empty. */
export function MethodForm({ method, onDone }: MethodFormProps) {
  const { t, locale } = useLocale();
  const texts = t.account;
  const { cards } = t;
  const showDone = useDone();
  // A new one is stored before what it has, which may be refused.
  const [stored, setStored] = useState(method);
  const put = (body: Schemas['UpdatePaymentMethodDto']) => putMethod(method as Method, body);
  const actions = useActive(method && { ...method, put, onDone });
  const { data: methods = [] } = useQuery(queries.query('/payment-methods'));
  const sources = methods.filter(
    ({ id, active, closing_day: day }) => active && day === null && id !== method?.id,
  );
  const type = { label: texts.methodType, options: texts.methodTypes };
  const currency = { label: t.fields.currency, options: CURRENCIES };

  async function save({ amount, ...typed }: NewMethod): Promise<void> {
    const body = bodyOf(typed);
    const sent = await (stored
      ? putMethod(stored, body)
      : queries.send('POST', '/payment-methods', { body }));
    const { id, name } = sent.data;
    setStored(sent.data);
    const balances = amount ? [{ payment_method_id: id, amount }] : [];
    const stated =
      balances.length > 0 && (await queries.send('POST', '/balances', { body: { balances } }));
    showDone(t.done.saved(name), sent.operationId, stated ? stated.operationId : undefined);
    onDone();
  }

  const half = true;
  const isCard = ({ method_type }: NewMethod) => method_type === 'credit';
  const hasStatements = (body: NewMethod) => isCard(body) && body.closing_day !== null;

  return (
    <RecordForm<NewMethod>
      fields={{
        name: { label: t.fields.name, value: method?.name },
        method_type: { ...type, value: method?.method_type ?? 'debit', half: true },
        default_currency: {
          ...{ ...currency, half: true },
          value: method?.default_currency ?? (locale === 'es-MX' ? 'MXN' : 'USD'),
        },
        amount: {
          ...{ label: texts.hasNow, kind: 'money', optional: true },
          ...{ unit: (body) => body.default_currency ?? 'USD' },
          when: (body) => !method && !isCard(body),
        },
        closing_day: {
          ...{ label: cards.closingDay, description: cards.closingText, options: DAYS_OF_MONTH },
          ...{ value: method?.closing_day?.toString(), optional: true, when: isCard },
          placeholder: cards.noStatements,
        },
        due: {
          ...{ label: cards.dueKind, options: cards.dueKinds, half, when: hasStatements },
          value: method?.due_days_after ? 'after' : 'day',
        },
        due_day: {
          ...{ label: cards.dueDay, options: DAYS_OF_MONTH, half },
          ...{ value: method?.due_day?.toString() },
          when: (body) => hasStatements(body) && body.due === 'day',
        },
        due_days_after: {
          ...{ label: cards.daysAfter, options: numbers(60), half },
          ...{ value: method?.due_days_after?.toString() },
          when: (body) => hasStatements(body) && body.due === 'after',
        },
        due_weekend_rule: {
          ...{ label: t.planning.template.weekend, options: t.planning.template.weekends, half },
          ...{ value: method?.due_weekend_rule ?? 'keep', when: hasStatements },
        },
        paid_from_id: {
          ...{ label: cards.paidFromLabel, value: method?.paid_from_id, optional: true },
          ...{ placeholder: cards.mainOne, when: (body) => isCard(body) || method !== undefined },
          options: Object.fromEntries(sources.map(({ id, name }) => [id, name])),
        },
      }}
      send={save}
      label={t.do.save}
      actions={actions}
    />
  );
}

const numbers = (last: number): Record<string, string> =>
  Object.fromEntries(Array.from({ length: last }, (_, i) => [i + 1, `${i + 1}`]));

const DAYS_OF_MONTH = numbers(31);

/** Without a day on which they close there are no statements. */
function bodyOf({ closing_day, due, due_day, due_days_after, ...body }: Omit<NewMethod, 'amount'>) {
  if (body.method_type !== 'credit' || !closing_day) return { ...body, closing_day: null };
  return {
    ...{ ...body, closing_day: Number(closing_day) },
    due_day: due === 'day' ? Number(due_day) : null,
    due_days_after: due === 'after' ? Number(due_days_after) : null,
  };
}

interface Feed {
  name: string;
  payment_method_id: string | null;
  /** An integer as text. */
  alarm_days: string | null;
}

export function CalendarFeeds() {
  const { t } = useLocale();
  const texts = t.account;
  const { data: methods = [] } = useQuery(queries.query('/payment-methods'));
  const methodNames = Object.fromEntries(methods.map(({ id, name }) => [id, name]));
  const alarms: Record<string, string> = texts.alarms;
  return (
    <RecordList
      title={texts.feeds}
      text={texts.feedsText}
      query={queries.query('/calendar-feeds')}
      row={({ id, name, payment_method_id: method, alarm_days: days }) => {
        const alarm = days === null ? texts.noAlarm : (alarms[days] ?? days);
        const path = { params: { path: { id } } };
        const send = () => queries.send('DELETE', '/calendar-feeds/{id}', path);
        return {
          ...{ name, detail: `${methodNames[method ?? ''] ?? texts.allMethods} · ${alarm}` },
          actions: [{ label: t.do.delete, done: t.done.deleted(name), send }],
        };
      }}
      form={(feed, close) => (
        <RecordForm<Feed>
          fields={{
            name: { label: t.fields.name, value: feed?.name ?? t.name },
            payment_method_id: {
              ...{ label: t.fields.paymentMethod, value: feed?.payment_method_id, optional: true },
              ...{ options: methodNames, placeholder: texts.allMethods },
            },
            alarm_days: {
              ...{ label: texts.alarm, value: feed?.alarm_days?.toString(), optional: true },
              ...{ options: alarms, placeholder: texts.noAlarm },
            },
          }}
          send={async ({ alarm_days: days, ...values }) => {
            const body = { ...values, alarm_days: days === null ? null : Number(days) };
            if (!feed) {
              const { data } = await queries.send('POST', '/calendar-feeds', { body });
              return close(data.url ?? texts.lostSecret);
            }
            const params = { path: { id: feed.id } };
            await queries.send('PUT', '/calendar-feeds/{id}', { params, body });
            close();
          }}
          label={t.do.save}
        />
      )}
    />
  );
}

export function Sessions() {
  const { t } = useLocale();
  const texts = t.account;
  const dayText = useDayOf();
  const deviceOf = (userAgent: string | null): string =>
    [/Firefox|Edg|Chrome|Safari/, /Android|iPhone|iPad|Windows|Mac|Linux/]
      .flatMap((name) => name.exec(userAgent ?? '')?.[0] ?? [])
      .join(', ') || texts.unknownDevice;
  return (
    <RecordList
      title={texts.sessions}
      text={texts.sessionsText}
      query={queries.query('/auth/sessions')}
      row={({ id, user_agent, created_at: since, last_refreshed_at: used, current }) => {
        const name = deviceOf(user_agent);
        const last = current ? texts.current : texts.used(dayText(used ?? since));
        const path = { params: { path: { id } } };
        const send = () => queries.send('DELETE', '/auth/sessions/{id}', path);
        return {
          ...{ name, detail: `${texts.since(dayText(since))} · ${last}` },
          actions: current ? [] : [{ label: texts.endSession, done: texts.ended(name), send }],
        };
      }}
    />
  );
}

/** The day of a timestamp for the user. */
export function useDayOf(): (timestamp: string) => string {
  const { day } = useLocale();
  const zone = useMe().data?.time_zone ?? 'UTC';
  return (timestamp) => day(dayOf(timestamp, zone), 'year');
}
