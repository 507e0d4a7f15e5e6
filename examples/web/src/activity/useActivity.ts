/** The activity of the last weeks, and what it names. */
import { useRef } from 'react';
import { addDays, dayOf, type Query, type Schemas } from 'expense-service-client';
import { queries, useMe, useQueryList, type Currency, type State } from '../api';
import { useLocale, type Locale } from '../locale';
import type { ActivityRecord } from './operations';

const DAYS = 42;
/** The most that the service gives at once. */
const PER_PAGE = 200;
const CHANGES_PER_PAGE = 500;
/** Of the accounts, templates and budgets: the activity of each is a request of its own. */
const RECORDS_PER_PAGE = 8;

/** What the service gives the activity of: of nothing else than a cycle or a record. */
type Source = { cycle_id: string } | { entity_type: Schemas['EntityType']; entity_id: string };

/** What a record of the activity is about. */
export interface Subject {
  name: string;
  amount?: string | undefined;
  currency?: Currency | undefined;
  /** The budget or the account of an entry. */
  of?: string | undefined;
  /** Of an entry. */
  date?: string | undefined;
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
export function useActivity(cycleId: string | undefined, pages: number): State<Activity> {
  const locale = useLocale();
  const me = useMe().data;
  /** What is shown stays while more is read. */
  const last = useRef<{ cycleId: string | undefined; activity: Activity }>(undefined);
  const existing = useQueryList(pagesOfChanges());
  const isRead = existing.at(-1)?.data?.has_more === false;
  const present = existing.flatMap(({ data }) => data?.changes ?? []) as Present[];
  const since = addDays(me?.today ?? '2000-01-01', -DAYS);
  const { sources, unread } = cycleId
    ? { sources: [{ cycle_id: cycleId }], unread: undefined }
    : sourcesOf(
        present,
        RECORDS_PER_PAGE * pages,
        (at) => dayOf(at, me?.time_zone ?? 'UTC') >= since,
      );
  const parts = (me && isRead ? sources : []).map((source) => pagesOf(source, pages));
  const states = useQueryList(parts.flat());

  const all = [...existing, ...states];
  const error = all.find((state) => state.error !== undefined)?.error;
  if (me && isRead && all.every(({ data }) => data !== undefined)) {
    const merged = mergedOf(parts, unread);
    const subjectOf = subjectsOf(merged.records, present, locale);
    last.current = { cycleId, activity: { ...merged, subjectOf } };
  }
  const shown = last.current?.cycleId === cycleId ? last.current?.activity : undefined;
  return { data: shown, error };
}

/** What exists, of whichever kind. */
interface Present {
  entity_type: Schemas['EntityType'];
  entity_id: string;
  representation: (Described & { updated_at: string }) | null;
}

/** The queries of all that exists; each page begins where the one before ends. */
function pagesOfChanges(): Query<Schemas['ChangesResponse']>[] {
  const list: Query<Schemas['ChangesResponse']>[] = [];
  let since: string | undefined;
  do {
    const page = queries.query('/changes', {
      params: { query: { since, limit: CHANGES_PER_PAGE } },
    });
    list.push(page);
    const { data } = page.getSnapshot();
    since = data?.has_more ? data.next : undefined;
  } while (since);
  return list;
}

/** The cycles, and the newest of the other records; `unread` is when the next one was changed. */
function sourcesOf(present: Present[], count: number, isRecent: (at: string) => boolean) {
  const cycles = present.filter(
    ({ entity_type: type, representation }) =>
      type === 'cycle' &&
      representation &&
      (representation.status !== 'completed' || isRecent(representation.updated_at)),
  );
  const changed = present
    .filter(({ entity_type: type }) => !/^(cycle|comment)/.test(type))
    .map(({ representation, ...each }) => ({ ...each, at: representation?.updated_at ?? '' }))
    .filter(({ at }) => at !== '' && isRecent(at))
    .sort((a, b) => b.at.localeCompare(a.at));
  const sources: Source[] = [
    ...cycles.map(({ entity_id: cycle_id }) => ({ cycle_id })),
    ...changed.slice(0, count).map(({ entity_type, entity_id }) => ({ entity_type, entity_id })),
  ];
  return { sources, unread: changed[count]?.at };
}

interface Described {
  name?: string;
  description?: string | null;
  payment_method?: { name: string } | null;
  budget?: { name: string } | null;
  amount?: string;
  /** Of a statement. */
  paid_amount?: string | null;
  base_amount?: string;
  limit?: string | null;
  currency?: Currency;
  due_date?: string;
  income_date?: string;
  closing_date?: string;
  start_date?: string;
  end_date?: string;
  status?: string;
}

/** What was deleted has its name in its own records alone. */
function subjectsOf(records: readonly ActivityRecord[], present: Present[], locale: Locale) {
  const values = new Map<string, Described>();
  for (const { entity_id: id, changes } of records.toReversed())
    for (const [field, { to }] of Object.entries(changes))
      values.set(id, { ...values.get(id), [field]: to });
  for (const { entity_id: id, representation } of present)
    values.set(id, { ...values.get(id), ...representation });
  return ({ entity_id: id, entity_type, changes }: ActivityRecord): Subject => {
    const account = values.get(String(changes.payment_method_id?.to));
    const of = values.get(id);
    return subjectFrom({ payment_method: account as { name: string }, ...of }, entity_type, locale);
  };
}

function subjectFrom(
  of: Described,
  type: Schemas['EntityType'],
  { t, day, nameOf }: Locale,
): Subject {
  const account = of.payment_method?.name;
  const { name = of.description ?? account ?? '', start_date, end_date, closing_date } = of;
  const names = {
    cycle: start_date && end_date && nameOf({ name, start_date, end_date }),
    card_statement: account && closing_date && t.cards.lineOf(account, day(closing_date, 'day')),
  };
  return {
    name: (names as Record<string, string | undefined>)[type] ?? name,
    amount: of.paid_amount ?? of.amount ?? of.base_amount ?? of.limit ?? undefined,
    currency: of.currency,
    ...(type.startsWith('cycle_') && {
      of: of.budget?.name ?? account,
      date: of.due_date ?? of.income_date,
    }),
  };
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

/** All records until the first time of which a source may have more that are not read. */
function mergedOf(parts: readonly Query<ActivityRecord[]>[][], unreadSource = '') {
  const lists = parts.map((pages) => pages.map((page) => page.getSnapshot().data ?? []));
  const unread = lists
    .map((pages) => pages.at(-1) ?? [])
    .filter((page) => page.length === PER_PAGE)
    .map((page) => page.at(-1)?.created_at ?? '');
  const from = [unreadSource, ...unread].sort().at(-1) ?? '';
  const records = lists
    .flat(2)
    .filter(({ created_at: at }) => at >= from)
    .sort((a, b) => b.created_at.localeCompare(a.created_at));
  return { records, hasOlder: from !== '' };
}
