/** The activity of the last weeks, and what it names. */
import { addDays, dayOf, type Query, type Schemas } from 'expense-service-client';
import { queries, useMe, useQuery, useQueryList, type Currency } from '../api';
import { useLocale } from '../locale';
import type { ActivityRecord } from './operations';

const DAYS = 42;
/** The most that the service gives at once. */
const PER_PAGE = 200;
/** Each is a request of its own. */
const MAX_CHANGED_RECORDS = 20;

/** What has activity beside cycles and their entries. */
const PATHS = {
  recurrent_expense: '/expense-templates',
  recurrent_income: '/income-templates',
  budget: '/budgets',
  payment_method: '/payment-methods',
  balance: '/balances',
  card_statement: '/card-statements',
} as const;
const TYPES = Object.keys(PATHS) as (keyof typeof PATHS)[];

/** What the service gives the activity of: of nothing else than a cycle or a record. */
type Source = { cycle_id: string } | { entity_type: Schemas['EntityType']; entity_id: string };

/** What a record of the activity is about. */
export interface Subject {
  name: string;
  amount?: string | undefined;
  currency?: Currency | undefined;
}

interface Activity {
  records: ActivityRecord[];
  hasOlder: boolean;
  subjectOf: (record: ActivityRecord) => Subject;
}

/**
 * Of a cycle, or of the cycles, templates, budgets and accounts of the last weeks.
 *
 * @param pages how many are read of each
 */
export function useActivity(cycleId: string | undefined, pages: number) {
  const { nameOf } = useLocale();
  const me = useMe().data;
  const since = addDays(me?.today ?? '2000-01-01', -DAYS);
  const isRecent = ({ updated_at: at }: Listed) =>
    at !== null && dayOf(at, me?.time_zone ?? 'UTC') >= since;
  const cycles = useQuery(queries.query('/cycles'));
  const kinds = useQueryList(
    Object.values(PATHS).map((path) => queries.query(path) as Query<Listed[]>),
  );
  const lists = kinds.map(({ data }) => data);
  const isRead = me && cycles.data && lists.every((list) => list !== undefined);

  const cycleIds = cycleId
    ? [cycleId]
    : (cycles.data?.cycles ?? [])
        .filter(({ status, end_date: end }) => status !== 'completed' || end >= since)
        .map(({ id }) => id);
  const changed = TYPES.flatMap((entity_type, i) =>
    (lists[i] ?? [])
      .filter(isRecent)
      .map(({ id, updated_at }) => ({ entity_type, entity_id: id, at: `${updated_at}` })),
  );
  const sources: Source[] = [
    ...cycleIds.map((cycle_id) => ({ cycle_id })),
    ...changed
      .sort((a, b) => b.at.localeCompare(a.at))
      .slice(0, cycleId ? 0 : MAX_CHANGED_RECORDS)
      .map(({ entity_type, entity_id }) => ({ entity_type, entity_id })),
  ];
  const parts = (isRead ? sources : []).map((source) => pagesOf(source, pages));
  const states = useQueryList(parts.flat());
  const entries = useQueryList(
    cycleIds.flatMap((cycle_id) => {
      const params = { path: { cycle_id } };
      return [
        queries.query('/cycles/{cycle_id}/expenses', { params }) as Query<EntryList>,
        queries.query('/cycles/{cycle_id}/incomes', { params }) as Query<EntryList>,
      ];
    }),
  );

  const all = [cycles, ...kinds, ...states, ...entries];
  const error = all.find((state) => state.error !== undefined)?.error;
  if (!isRead || all.some(({ data }) => data === undefined)) return { data: undefined, error };

  const { records, hasOlder } = mergedOf(parts);
  const subjects = subjectsIn(records);
  for (const list of lists.flat())
    if (list) subjects.set(list.id, { ...subjects.get(list.id), ...subjectFrom(list) });
  for (const { data } of entries)
    for (const entry of [...(data?.expenses ?? []), ...(data?.incomes ?? [])])
      subjects.set(entry.id, subjectFrom(entry));
  for (const cycle of cycles.data?.cycles ?? []) subjects.set(cycle.id, { name: nameOf(cycle) });
  const subjectOf = ({ entity_id: id, changes }: ActivityRecord): Subject => {
    const { payment_method_id: method } = changes;
    const of = subjects.get(id);
    const name = of?.name ?? subjects.get(String(method?.to))?.name ?? '';
    return { ...of, name };
  };
  return { data: { records, hasOlder, subjectOf } satisfies Activity, error };
}

interface Described {
  name?: string;
  description?: string | null;
  payment_method?: { name: string } | null;
  amount?: string;
  base_amount?: string;
  limit?: string | null;
  currency?: Currency;
}

interface Listed extends Described {
  id: string;
  /** Null: a statement of which nothing is stored. */
  updated_at: string | null;
}

interface EntryList {
  expenses?: Listed[];
  incomes?: Listed[];
}

const subjectFrom = (of: Described): Subject => ({
  name: of.name ?? of.description ?? of.payment_method?.name ?? '',
  amount: of.amount ?? of.base_amount ?? of.limit ?? undefined,
  currency: of.currency,
});

/** What was deleted has its name in its own records alone. */
function subjectsIn(records: readonly ActivityRecord[]): Map<string, Subject> {
  const values = new Map<string, Described>();
  for (const { entity_id: id, changes } of records.toReversed())
    for (const [field, { to }] of Object.entries(changes))
      values.set(id, { ...values.get(id), [field]: to });
  return new Map([...values].map(([id, value]) => [id, subjectFrom(value)]));
}

/** The queries of the first pages; each page begins after the last record of the one before. */
function pagesOf(source: Source, count: number): Query<ActivityRecord[]>[] {
  const list: Query<ActivityRecord[]>[] = [];
  let before: string | undefined;
  while (list.length < count) {
    const query = { ...source, before, limit: PER_PAGE };
    const page = queries.query('/activity', { params: { query } });
    list.push(page);
    const records = page.getSnapshot().data ?? [];
    if (records.length < PER_PAGE) break;
    before = records.at(-1)?.id;
  }
  return list;
}

/** All records until the first day of which a source may have more that are not read. */
function mergedOf(parts: readonly Query<ActivityRecord[]>[][]) {
  const lists = parts.map((pages) => pages.map((page) => page.getSnapshot().data ?? []));
  const unread = lists
    .map((pages) => pages.at(-1) ?? [])
    .filter((page) => page.length === PER_PAGE)
    .map((page) => page.at(-1)?.created_at ?? '');
  const from = unread.sort().at(-1) ?? '';
  const records = lists
    .flat(2)
    .filter(({ created_at: at }) => at >= from)
    .sort((a, b) => b.created_at.localeCompare(a.created_at));
  return { records, hasOlder: unread.length > 0 };
}
