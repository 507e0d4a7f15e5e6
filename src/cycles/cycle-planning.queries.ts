import { Big } from 'big.js';
import sql from 'sql-template-tag';
import type { SettlementsInUsd } from '../cards/cards.service.js';
import { expensesOfSql, incomesOfSql, IS_COUNTED_SQL } from '../ledger/entities/balance.js';
import type { StoredPeriod } from '../ledger/periods.js';
import type { Scope } from '../platform/database/database.js';
import { query } from '../platform/database/query.js';
import type { CalendarDate } from '../platform/values/calendar-date.js';
import type { Money } from '../platform/values/money.js';
import { cashFlowOf } from './cash-flow.js';
import { closingTotalsSql, LEFT_OVER_SQL } from './closing.queries.js';
import type { CashFlowResponse } from './dto/cash-flow.dto.js';

interface CashFlowRow {
  start_date: CalendarDate;
  end_date: CalendarDate;
  income_amount: string;
  date: CalendarDate | null;
  incomes: string;
  expenses: string;
}

/**
 * The cash flow of a cycle; undefined if it does not exist.
 *
 * @param openingBalance what there is before its `income_amount`, in USD
 */
export async function findCashFlow(
  { manager, userId, householdId }: Scope,
  cycleId: string,
  openingBalance: Money,
): Promise<CashFlowResponse | undefined> {
  // A row without a date if the cycle has no entries.
  const rows = await query<CashFlowRow>(
    manager,
    sql`
      SELECT c.start_date, c.end_date, c.income_amount, m.date, m.incomes, m.expenses
      FROM cycles c
      LEFT JOIN LATERAL (
        SELECT date, sum(incomes) AS incomes, sum(expenses) AS expenses
        FROM (
          SELECT e.due_date AS date, 0 AS incomes, e.amount_usd AS expenses
          FROM ${expensesOfSql(householdId)} AND ${IS_COUNTED_SQL}
          UNION ALL
          SELECT i.income_date, i.amount_usd, 0 FROM ${incomesOfSql(householdId)} AND i.active
        ) AS entries
        GROUP BY date
      ) AS m ON true
      WHERE c.household_id = ${householdId} AND c.user_id = ${userId} AND c.id = ${cycleId}
        AND c.active`,
  );
  const [cycle] = rows;
  if (!cycle) return undefined;
  const movements = rows.flatMap(({ date, incomes, expenses }) =>
    date === null ? [] : [{ date, incomes: new Big(incomes), expenses: new Big(expenses) }],
  );
  const dates = { startDate: cycle.start_date, endDate: cycle.end_date };
  return cashFlowOf(dates, openingBalance.plus(cycle.income_amount), movements);
}

export interface CycleSummary {
  id: string;
  name: string;
  start_date: CalendarDate;
  end_date: CalendarDate;
}

/** A cycle that a new one shares its name or days with, or that ended last before it. */
export interface RelatedCycle extends CycleSummary {
  has_name: boolean;
  overlaps: boolean;
  is_previous: boolean;
}

/**
 * The cycles that warnings about a new cycle are about, by end date. One with `side` shares no days
 * and follows none.
 */
export function listRelatedCycles(
  { manager, userId, householdId }: Scope,
  {
    name,
    startDate,
    endDate,
    side,
  }: { name: string | null; startDate: CalendarDate; endDate: CalendarDate; side: boolean },
): Promise<RelatedCycle[]> {
  const isOwned = sql`household_id = ${householdId} AND user_id = ${userId} AND active`;
  const takesDays = sql`NOT side AND NOT ${side}::boolean`;
  const overlaps = sql`(${takesDays} AND start_date <= ${endDate} AND end_date >= ${startDate})`;
  const isPrevious = sql`id IS NOT DISTINCT FROM (
    SELECT id FROM cycles WHERE ${isOwned} AND ${takesDays} AND end_date < ${startDate}
    ORDER BY end_date DESC, seq DESC LIMIT 1)`;
  return query(
    manager,
    sql`
      SELECT id, name, start_date, end_date, coalesce(name = ${name}, false) AS has_name,
        ${overlaps} AS overlaps, ${isPrevious} AS is_previous
      FROM cycles
      WHERE ${isOwned} AND (name = ${name} OR ${overlaps} OR ${isPrevious})
      ORDER BY end_date, seq`,
  );
}

/** What decides about the next cycle; without a cycle that it follows, all but `names` is null. */
interface BeforeNextCycle {
  id: string | null;
  startDate: CalendarDate;
  endDate: CalendarDate;
  incomeAmount: string;
  /** USD. */
  leftOver: string;
  /** The cycle that ended on the day before it, of several the one created last; null: none. */
  dayBefore: StoredPeriod | null;
  /** The names of all cycles. */
  names: string[];
}

/** The cycle that ends last of those without `side`, with what is left over of it. */
export async function findBeforeNextCycle(
  scope: Scope,
  settlements: SettlementsInUsd,
): Promise<BeforeNextCycle | undefined> {
  const { manager, userId, householdId } = scope;
  const isOwned = sql`household_id = ${householdId} AND user_id = ${userId} AND active`;
  const [found] = await query<BeforeNextCycle>(
    manager,
    sql`
      SELECT c.id, c.start_date AS "startDate", c.end_date AS "endDate",
        c.income_amount AS "incomeAmount", ${LEFT_OVER_SQL} AS "leftOver",
        (
          SELECT json_build_object('startDate', start_date, 'endDate', end_date) FROM cycles
          WHERE ${isOwned} AND NOT side AND end_date = c.start_date - 1
          ORDER BY seq DESC LIMIT 1
        ) AS "dayBefore",
        ARRAY(SELECT name FROM cycles WHERE ${isOwned}) AS names
      FROM (VALUES (true)) AS one
      LEFT JOIN LATERAL (
        SELECT * FROM cycles WHERE ${isOwned} AND NOT side ORDER BY end_date DESC, seq DESC LIMIT 1
      ) AS c ON true
      ${closingTotalsSql(scope, settlements)}`,
  );
  return found;
}
