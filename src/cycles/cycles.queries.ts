import {
  expensesOfSql,
  incomesOfSql,
  IS_COUNTED_SQL,
  sumIncomesUsdSql,
  sumUsdSql,
} from '../ledger/entities/balance.js';
import type { CycleStatus } from '../ledger/entities/cycle.entity.js';
import type { Scope } from '../platform/database/database.js';
import type { CalendarDate } from '../platform/values/calendar-date.js';
import type { CycleRow } from './dto/cycle.dto.js';

/** The totals of the expenses of cycle `c`. $2: household. */
const EXPENSES = `
  SELECT ${sumUsdSql()} AS total_expenses,
    ${sumUsdSql(`e.category = 'fixed'`)} AS fixed_expenses,
    ${sumUsdSql(`e.category = 'variable'`)} AS variable_expenses,
    (count(*) FILTER (WHERE ${IS_COUNTED_SQL}))::int AS expense_count,
    (count(*) FILTER (WHERE ${IS_COUNTED_SQL} AND e.paid))::int AS paid_count,
    (count(*) FILTER (WHERE ${IS_COUNTED_SQL} AND NOT e.paid))::int AS pending_count
  FROM ${expensesOfSql('c', '$2')}`;

/** The totals of the incomes of cycle `c`. $2: household. */
const INCOMES = `
  SELECT ${sumIncomesUsdSql()} AS total_incomes,
    (count(*) FILTER (WHERE i.active))::int AS income_count
  FROM ${incomesOfSql('c', '$2')}`;

const TOTALS = `CROSS JOIN LATERAL (${EXPENSES}) AS e CROSS JOIN LATERAL (${INCOMES}) AS i`;

const COLUMNS = `c.id, c.name, c.start_date, c.end_date, c.income_amount, c.remaining_balance,
  c.status, c.budget_limits, c.created_at, c.updated_at`;

/** $1: owner, $2: household. */
const SELECT = `
  SELECT ${COLUMNS}, e.*, i.* FROM cycles c ${TOTALS}
  WHERE c.household_id = $2 AND c.user_id = $1 AND c.active`;

/** $3: cycle. */
const FIND = `${SELECT} AND c.id = $3`;

/** $3: cycles. */
const LIST_BY_IDS = `${SELECT} AND c.id = ANY($3)`;

/**
 * $1: owner, $2: household, $3: status or null, $4: day or null, $5: limit, $6: offset. An empty
 * page is a single row without a cycle.
 */
const PAGE = `
  WITH matching AS (
    SELECT * FROM cycles c
    WHERE c.household_id = $2 AND c.user_id = $1 AND c.active
      AND ($3::cycle_status IS NULL OR c.status = $3)
      AND ($4::date IS NULL OR $4 BETWEEN c.start_date AND c.end_date)
  ), page AS (
    SELECT * FROM matching ORDER BY start_date DESC, seq DESC LIMIT $5 OFFSET $6
  )
  SELECT t.total, ${COLUMNS}, e.*, i.*
  FROM (SELECT count(*)::int AS total FROM matching) AS t
  LEFT JOIN (page AS c ${TOTALS}) ON true
  ORDER BY c.start_date DESC, c.seq DESC`;

/** The cycle with its totals; undefined if it does not exist. */
export async function findCycle(
  { manager, userId, householdId }: Scope,
  id: string,
): Promise<CycleRow | undefined> {
  const [cycle] = await manager.query<CycleRow[]>(FIND, [userId, householdId, id]);
  return cycle;
}

/** The user's cycles with these ids, in any order; other ids are ignored. */
export function listCyclesByIds(
  { manager, userId, householdId }: Scope,
  ids: readonly string[],
): Promise<CycleRow[]> {
  return manager.query(LIST_BY_IDS, [userId, householdId, ids]);
}

/** A page of cycles, latest start date first, and the total number of cycles. */
export async function listCycles(
  { manager, userId, householdId }: Scope,
  { status = null, date = null }: { status?: CycleStatus | null; date?: CalendarDate | null },
  { offset, limit }: { offset: number; limit: number },
): Promise<{ cycles: CycleRow[]; total: number }> {
  const rows = await manager.query<((CycleRow | { id: null }) & { total: number })[]>(PAGE, [
    userId,
    householdId,
    status,
    date,
    limit,
    offset,
  ]);
  return { cycles: rows.filter((row) => row.id !== null), total: rows[0]?.total ?? 0 };
}
