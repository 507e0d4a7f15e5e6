import { Big } from 'big.js';
import { expensesOfSql, incomesOfSql, IS_COUNTED_SQL } from '../ledger/entities/balance.js';
import type { Scope } from '../platform/database/database.js';
import type { CalendarDate } from '../platform/values/calendar-date.js';
import { cashFlowOf } from './cash-flow.js';
import type { CashFlowResponse } from './dto/cash-flow.dto.js';

/** $1: owner, $2: household, $3: cycle. A row without a date if the cycle has no entries. */
const CASH_FLOW = `
  SELECT c.start_date, c.end_date, c.income_amount, m.date, m.incomes, m.expenses
  FROM cycles c
  LEFT JOIN LATERAL (
    SELECT date, sum(incomes) AS incomes, sum(expenses) AS expenses
    FROM (
      SELECT e.due_date AS date, 0 AS incomes, e.amount_usd AS expenses
      FROM ${expensesOfSql('c', '$2')} AND ${IS_COUNTED_SQL}
      UNION ALL
      SELECT i.income_date, i.amount_usd, 0 FROM ${incomesOfSql('c', '$2')} AND i.active
    ) AS entries
    GROUP BY date
  ) AS m ON true
  WHERE c.household_id = $2 AND c.user_id = $1 AND c.id = $3 AND c.active`;

interface CashFlowRow {
  start_date: CalendarDate;
  end_date: CalendarDate;
  income_amount: string;
  date: CalendarDate | null;
  incomes: string;
  expenses: string;
}

/** The cash flow of a cycle; undefined if it does not exist. */
export async function findCashFlow(
  { manager, userId, householdId }: Scope,
  cycleId: string,
): Promise<CashFlowResponse | undefined> {
  const rows = await manager.query<CashFlowRow[]>(CASH_FLOW, [userId, householdId, cycleId]);
  const [cycle] = rows;
  if (!cycle) return undefined;
  const movements = rows.flatMap(({ date, incomes, expenses }) =>
    date === null ? [] : [{ date, incomes: new Big(incomes), expenses: new Big(expenses) }],
  );
  const dates = { startDate: cycle.start_date, endDate: cycle.end_date };
  return cashFlowOf(dates, new Big(cycle.income_amount), movements);
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
}

/** $1: owner, $2: household, $3: name or null, $4: start, $5: end. */
const RELATED = `
  SELECT id, name, start_date, end_date, coalesce(name = $3, false) AS has_name,
    start_date <= $5 AND end_date >= $4 AS overlaps
  FROM cycles
  WHERE household_id = $2 AND user_id = $1 AND active AND (
    name = $3 OR (start_date <= $5 AND end_date >= $4) OR id = (
      SELECT id FROM cycles
      WHERE household_id = $2 AND user_id = $1 AND active AND end_date < $4
      ORDER BY end_date DESC, seq DESC LIMIT 1
    )
  )
  ORDER BY end_date, seq`;

/** The cycles that warnings about a new cycle are about, by end date. */
export function listRelatedCycles(
  { manager, userId, householdId }: Scope,
  cycle: { name: string | null; startDate: CalendarDate; endDate: CalendarDate },
): Promise<RelatedCycle[]> {
  return manager.query(RELATED, [userId, householdId, cycle.name, cycle.startDate, cycle.endDate]);
}

/** The cycle with the latest end date, and the names of all cycles. $1: owner, $2: household. */
const LATEST = `
  SELECT c.start_date AS "startDate", c.end_date AS "endDate", c.income_amount AS "incomeAmount",
    ARRAY(
      SELECT name FROM cycles WHERE household_id = $2 AND user_id = $1 AND active
    ) AS names
  FROM cycles c
  WHERE c.household_id = $2 AND c.user_id = $1 AND c.active
  ORDER BY c.end_date DESC, c.seq DESC
  LIMIT 1`;

interface LatestCycle {
  startDate: CalendarDate;
  endDate: CalendarDate;
  incomeAmount: string;
  names: string[];
}

/** The cycle that ends last; undefined if there is none. */
export async function findLatestCycle({
  manager,
  userId,
  householdId,
}: Scope): Promise<LatestCycle | undefined> {
  const [latest] = await manager.query<LatestCycle[]>(LATEST, [userId, householdId]);
  return latest;
}
