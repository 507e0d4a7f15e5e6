import sql from 'sql-template-tag';
import type { FeedSlice } from '../activity/feed.js';
import type { EntryType } from '../ledger/entities/cycle-entry.entity.js';
import { IS_OPEN_EXPENSE_SQL, IS_OPEN_INCOME_SQL } from '../ledger/entities/open-entries.js';
import { PAYMENT_METHOD_REFERENCE_SQL } from '../payment-methods/payment-method.entity.js';
import type { Scope } from '../platform/database/database.js';
import { query } from '../platform/database/query.js';
import type { CalendarDate } from '../platform/values/calendar-date.js';
import type { BalanceResponse, ListBalancesQuery } from './dto/balance.dto.js';

/** The response of the user's balances `b`, without deleted ones. */
const selectSql = ({ userId, householdId }: Scope) => sql`
  SELECT b.id, ${PAYMENT_METHOD_REFERENCE_SQL} AS payment_method, b.currency, b.amount, b.stated_at,
    b.expected, b.amount - b.expected AS difference, b.created_at, b.updated_at
  FROM balances b
  JOIN payment_methods pm ON pm.household_id = ${householdId} AND pm.id = b.payment_method_id
  WHERE b.household_id = ${householdId} AND b.user_id = ${userId} AND b.active`;

/** A slice of the balances, the one that was stated last first, and of equal ones the newest. */
export function listBalances(
  scope: Scope,
  { payment_method_id: methodId }: Pick<ListBalancesQuery, 'payment_method_id'>,
  { limit, before }: FeedSlice,
): Promise<BalanceResponse[]> {
  const { manager, userId, householdId } = scope;
  return query(
    manager,
    sql`
      ${selectSql(scope)}
        AND (${methodId}::uuid IS NULL OR b.payment_method_id = ${methodId})
        AND (${before}::uuid IS NULL OR (b.stated_at, b.seq) < (
          SELECT previous.stated_at, previous.seq FROM balances previous
          WHERE previous.household_id = ${householdId} AND previous.user_id = ${userId}
            AND previous.id = ${before}))
      ORDER BY b.stated_at DESC, b.seq DESC
      LIMIT ${limit}`,
  );
}

/** The balance; undefined if it does not exist. */
export async function findBalance(scope: Scope, id: string): Promise<BalanceResponse | undefined> {
  const [balance] = await listBalancesByIds(scope, [id]);
  return balance;
}

/** The user's balances with these ids, in any order; other ids are ignored. */
export function listBalancesByIds(
  scope: Scope,
  ids: readonly string[],
): Promise<BalanceResponse[]> {
  return query(scope.manager, sql`${selectSql(scope)} AND b.id = ANY(${ids})`);
}

/** An entry that is neither settled nor cancelled. */
export interface OpenEntry {
  type: EntryType;
  id: string;
}

/**
 * The first open entries of draft and active cycles with one of the payment methods, dated until a
 * day, by date, expenses before incomes, then in the order of creation; and how many there are.
 */
export async function listOpenEntries(
  { manager, userId, householdId }: Scope,
  { methodIds, until }: { methodIds: readonly string[]; until: CalendarDate },
  limit: number,
): Promise<{ entries: OpenEntry[]; total: number }> {
  const rows = await query<OpenEntry & { total: number }>(
    manager,
    sql`
      SELECT entry.type, entry.id, (count(*) OVER ())::int AS total
      FROM (
        SELECT 'cycle_expense' AS type, e.id, e.due_date AS date, e.seq
        FROM cycles c
        JOIN cycle_expenses e ON e.household_id = ${householdId} AND e.cycle_id = c.id
          AND ${IS_OPEN_EXPENSE_SQL} AND e.due_date <= ${until}::date
          AND e.payment_method_id = ANY(${methodIds})
        WHERE c.household_id = ${householdId} AND c.user_id = ${userId} AND c.active
          AND c.status <> 'completed'
        UNION ALL
        SELECT 'cycle_income', i.id, i.income_date, i.seq
        FROM cycles c
        JOIN cycle_incomes i ON i.household_id = ${householdId} AND i.cycle_id = c.id
          AND ${IS_OPEN_INCOME_SQL} AND i.income_date <= ${until}::date
          AND i.payment_method_id = ANY(${methodIds})
        WHERE c.household_id = ${householdId} AND c.user_id = ${userId} AND c.active
          AND c.status <> 'completed'
      ) AS entry
      ORDER BY entry.date, entry.type, entry.seq
      LIMIT ${limit}`,
  );
  return { entries: rows.map(({ type, id }) => ({ type, id })), total: rows[0]?.total ?? 0 };
}
