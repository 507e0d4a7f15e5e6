/** What may read the account, and what its expenses are paid with. */
import { dayOf, type Schemas } from 'expense-service-client';
import { queries, useQuery } from '../api';
import { useLocale } from '../locale';
import type { Texts } from '../texts';
import { CURRENCIES } from './fields';
import { RecordList } from './RecordList';

const NONE = 'none';

/** The day of a timestamp for the user. */
function useDayOf(): (timestamp: string) => string {
  const { day } = useLocale();
  const { data: me } = useQuery(queries.query('/auth/me'));
  return (timestamp) => day(dayOf(timestamp, me?.time_zone ?? 'UTC'), 'year');
}

export const methodFields = (
  { account: a, fields }: Texts,
  method?: Schemas['PaymentMethodResponse'],
) => ({
  name: { label: fields.name, value: method?.name },
  method_type: {
    ...{ label: a.methodType, value: method?.method_type ?? 'debit', options: a.methodTypes },
  },
  default_currency: {
    ...{ label: fields.currency, value: method?.default_currency ?? 'USD', options: CURRENCIES },
  },
});

export function PaymentMethods() {
  const { t } = useLocale();
  const a = t.account;
  return (
    <RecordList
      title={a.methods}
      text={a.methodsText}
      query={queries.query('/payment-methods')}
      row={({ name, method_type: type, default_currency: currency, active, ...version }) => ({
        name,
        detail: [a.methodTypes[type], currency, ...(active ? [] : [a.inactive])].join(' · '),
        end: {
          label: active ? a.deactivate : a.restore,
          done: active ? a.deactivated(name) : a.restored(name),
          send: () =>
            queries.send('PUT', '/payment-methods/{id}', {
              ...{ ...versionOf(version), body: { active: !active } },
            }),
        },
      })}
      fields={(method) => methodFields(t, method)}
      save={async (values, method) => {
        const body = values as Schemas['CreatePaymentMethodDto'];
        await (method
          ? queries.send('PUT', '/payment-methods/{id}', { ...versionOf(method), body })
          : queries.send('POST', '/payment-methods', { body }));
        return undefined;
      }}
    />
  );
}

/** Only this version of the record is changed. */
const versionOf = ({ id, updated_at }: { id: string; updated_at: string }) => ({
  params: { path: { id } },
  ifMatch: `"${updated_at}"`,
});

export function CalendarFeeds() {
  const { t } = useLocale();
  const a = t.account;
  const { data: methods = [] } = useQuery(queries.query('/payment-methods'));
  const methodNames = Object.fromEntries(methods.map(({ id, name }) => [id, name]));
  const alarms: Record<string, string> = { ...a.alarms, [NONE]: a.noAlarm };
  const feedFields = (feed?: Schemas['CalendarFeedResponse']) => ({
    name: { label: t.fields.name, value: feed?.name ?? t.name },
    payment_method_id: {
      ...{ label: t.fields.paymentMethod, value: feed?.payment_method_id ?? NONE },
      options: { [NONE]: a.allMethods, ...methodNames },
    },
    alarm_days: { label: a.alarm, value: String(feed?.alarm_days ?? NONE), options: alarms },
  });
  return (
    <RecordList
      title={a.feeds}
      text={a.feedsText}
      query={queries.query('/calendar-feeds')}
      row={({ id, name, payment_method_id: method, alarm_days: days }) => ({
        name,
        detail: `${methodNames[method ?? ''] ?? a.allMethods} · ${alarms[days ?? NONE] ?? days}`,
        end: {
          ...{ label: t.do.delete, done: t.done.deleted(name) },
          send: () => queries.send('DELETE', '/calendar-feeds/{id}', { params: { path: { id } } }),
        },
      })}
      fields={feedFields}
      save={async ({ name, payment_method_id: method, alarm_days: days }, feed) => {
        const payment_method_id = method === NONE ? null : method;
        const body = { name, payment_method_id, alarm_days: days === NONE ? null : Number(days) };
        if (!feed) {
          const { data } = await queries.send('POST', '/calendar-feeds', { body });
          return data.url ?? a.lostSecret;
        }
        const params = { path: { id: feed.id } };
        await queries.send('PUT', '/calendar-feeds/{id}', { params, body });
        return undefined;
      }}
    />
  );
}

export function AccessTokens() {
  const { t } = useLocale();
  const a = t.account;
  const dayText = useDayOf();
  return (
    <RecordList
      title={a.tokens}
      text={a.tokensText}
      query={queries.query('/auth/tokens')}
      row={({ id, name, access, expires_at, last_used_at: used }) => ({
        name,
        detail: [
          ...[a.access[access], a.until(dayText(expires_at))],
          used ? a.used(dayText(used)) : a.unused,
        ].join(' · '),
        end: {
          ...{ label: a.end, done: a.ended(name) },
          send: () => queries.send('DELETE', '/auth/tokens/{id}', { params: { path: { id } } }),
        },
      })}
      fields={() => ({
        name: { label: t.fields.name, description: a.tokenName },
        access: { label: a.accessLabel, value: 'read', options: a.access },
        expires_in_days: { label: a.expiry, value: '90', options: a.expiries },
      })}
      isFixed
      save={async ({ name, access, expires_in_days: days }) => {
        const body = { name, access: access as 'read' | 'write', expires_in_days: Number(days) };
        const { data } = await queries.send('POST', '/auth/tokens', { body });
        return data.token;
      }}
    />
  );
}

export function Sessions() {
  const { t } = useLocale();
  const a = t.account;
  const dayText = useDayOf();
  const deviceOf = (userAgent: string | null) =>
    [/Firefox|Edg|Chrome|Safari/, /Android|iPhone|iPad|Windows|Mac|Linux/]
      .flatMap((name) => name.exec(userAgent ?? '')?.[0] ?? [])
      .join(', ') ||
    (userAgent ?? a.unknownDevice);
  return (
    <RecordList
      title={a.sessions}
      text={a.sessionsText}
      query={queries.query('/auth/sessions')}
      row={({ id, user_agent, created_at: since, last_refreshed_at: used, current }) => {
        const name = deviceOf(user_agent);
        const send = () =>
          queries.send('DELETE', '/auth/sessions/{id}', { params: { path: { id } } });
        return {
          name,
          detail: `${a.since(dayText(since))} · ${current ? a.current : a.used(dayText(used ?? since))}`,
          ...(!current && { end: { label: a.end, done: a.ended(name), send } }),
        };
      }}
    />
  );
}
