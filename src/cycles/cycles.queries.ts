import sql, { type Sql } from 'sql-template-tag';
import {
  expensesOfSql,
  incomesOfSql,
  IS_COUNTED_SQL,
  sumIncomesUsdSql,
  sumUsdSql,
} from '../ledger/entities/balance.js';
import type { CycleStatus } from '../ledger/entities/cycle.entity.js';
import { IS_OPEN_EXPENSE_SQL } from '../ledger/entities/open-entries.js';
import type { Scope } from '../platform/database/database.js';
import { query } from '../platform/database/query.js';
import type { CalendarDate } from '../platform/values/calendar-date.js';
import type { CycleRow } from './dto/cycle.dto.js';

/** The totals of the expenses `e` of a cycle. */
const EXPENSE_TOTALS = sql`
  ${sumUsdSql()} AS total_expenses,
  ${sumUsdSql(sql`e.category = 'fixed'`)} AS fixed_expenses,
  ${sumUsdSql(sql`e.category = 'variable'`)} AS variable_expenses,
  (count(*) FILTER (WHERE ${IS_COUNTED_SQL}))::int AS expense_count,
  (count(*) FILTER (WHERE ${IS_COUNTED_SQL} AND e.paid))::int AS paid_count,
  (count(*) FILTER (WHERE ${IS_OPEN_EXPENSE_SQL}))::int AS pending_count`;

/** The totals of the incomes `i` of a cycle. */
const INCOME_TOTALS = sql`
  ${sumIncomesUsdSql()} AS total_incomes,
  (count(*) FILTER (WHERE i.active))::int AS income_count`;

/** The totals `e` and `i` of the entries of cycle `c`. */
const totalsSql = ({ householdId }: Scope): Sql => sql`
  CROSS JOIN LATERAL (SELECT ${EXPENSE_TOTALS} FROM ${expensesOfSql(householdId)}) AS e
  CROSS JOIN LATERAL (SELECT ${INCOME_TOTALS} FROM ${incomesOfSql(householdId)}) AS i`;

const COLUMNS = sql`c.id, c.name, c.start_date, c.end_date, c.income_amount, c.remaining_balance,
  c.status, c.budget_limits, c.side, c.created_at, c.updated_at`;

/** The owner's cycles `c`. */
const selectSql = (scope: Scope): Sql => sql`
  SELECT ${COLUMNS}, e.*, i.* FROM cycles c ${totalsSql(scope)}
  WHERE c.household_id = ${scope.householdId} AND c.user_id = ${scope.userId} AND c.active`;

/** The cycle with its totals; undefined if it does not exist. */
export async function findCycle(scope: Scope, id: string): Promise<CycleRow | undefined> {
  const [cycle] = await query<CycleRow>(scope.manager, sql`${selectSql(scope)} AND c.id = ${id}`);
  return cycle;
}

/** The user's cycles with these ids, in any order; other ids are ignored. */
export function listCyclesByIds(scope: Scope, ids: readonly string[]): Promise<CycleRow[]> {
  return query(scope.manager, sql`${selectSql(scope)} AND c.id = ANY(${ids})`);
}

/** A page of cycles, latest start date first, and the total number of cycles. */
export async function listCycles(
  scope: Scope,
  { status, date }: { status?: CycleStatus; date?: CalendarDate },
  { offset, limit }: { offset: number; limit: number },
): Promise<{ cycles: CycleRow[]; total: number }> {
  const { manager, userId, householdId } = scope;
  // An empty page is a single row without a cycle.
  const rows = await query<(CycleRow | { id: null }) & { total: number }>(
    manager,
    sql`
      WITH matching AS (
        SELECT * FROM cycles c
        WHERE c.household_id = ${householdId} AND c.user_id = ${userId} AND c.active
          AND (${status}::cycle_status IS NULL OR c.status = ${status})
          AND (${date}::date IS NULL OR ${date} BETWEEN c.start_date AND c.end_date)
      ), page AS (
        SELECT * FROM matching ORDER BY start_date DESC, seq DESC LIMIT ${limit} OFFSET ${offset}
      )
      SELECT t.total, ${COLUMNS}, e.*, i.*
      FROM (SELECT count(*)::int AS total FROM matching) AS t
      LEFT JOIN (page AS c ${totalsSql(scope)}) ON true
      ORDER BY c.start_date DESC, c.seq DESC`,
  );
  return { cycles: rows.filter((row) => row.id !== null), total: rows[0]?.total ?? 0 };
}
