import sql, { join, raw, type Sql } from 'sql-template-tag';
import {
  expensesOfSql,
  incomesOfSql,
  IS_COUNTED_SQL,
  sumIncomesUsdSql,
  sumUsdSql,
} from '../ledger/entities/balance.js';
import { budgetAmountSql, budgetRateSql } from '../ledger/entities/budget-amount.js';
import { displayedStatusSql, type ExpenseStatus } from '../ledger/entities/expense-status.js';
import type { Scope } from '../platform/database/database.js';
import { query } from '../platform/database/query.js';
import type { CalendarDate } from '../platform/values/calendar-date.js';
import type { CurrencyCode } from '../platform/values/currency.js';
import { budgetsOfCycleSql, type BudgetsOfCycle } from './budgets.queries.js';

/**
 * Totals of the expenses that are not cancelled, in USD with two decimals unless stated otherwise.
 */
interface Sums {
  total: string;
  fixed: string;
  variable: string;
  paid: string;
  pending: string;
  /** The total in the currency of the group. */
  native: string;
  /** The total and what is paid, each expense in the currency of its budget. */
  in_budget: string;
  paid_in_budget: string;
  lacks_rate: boolean;
  expense_count: number;
}

/** The dimension and key of a group of expenses; `all` is the whole cycle. */
type Group =
  | { dimension: 'all' }
  | { dimension: 'payment_method'; payment_method: { id: string; name: string; seq: number } }
  | { dimension: 'budget'; budget_id: string | null }
  | { dimension: 'currency'; currency: CurrencyCode }
  | { dimension: 'status'; status: ExpenseStatus };

export type ExpenseGroup = Group &
  Sums & {
    /** Includes cancelled expenses. */
    row_count: number;
  };

/** Amounts in USD with two decimals. */
interface CycleColumns {
  cycle_id: string;
  cycle_name: string;
  start_date: CalendarDate;
  end_date: CalendarDate;
  income_amount: string;
  net_balance: string;
  total_incomes: string;
  received_incomes: string;
  expected_incomes: string;
  income_count: number;
  received_count: number;
}

/** What only the group of all expenses has. */
interface WithBudgets {
  budgetsOfCycle: BudgetsOfCycle;
}

/**
 * The totals of a cycle over all expenses, and by payment method, budget, currency and status, in
 * any order.
 */
export interface CycleSummary {
  total: CycleColumns & Sums & WithBudgets;
  groups: readonly ExpenseGroup[];
}

/** The metrics of a comparison. */
export const COMPARISON_METRICS = [
  'total_expenses',
  'fixed_expenses',
  'variable_expenses',
  'income_amount',
  'net_balance',
  'paid_expenses',
  'pending_expenses',
  'total_incomes',
] as const;
export type ComparisonMetric = (typeof COMPARISON_METRICS)[number];

/** The requested metrics and always the total expenses, in USD with two decimals. */
export type ComparedCycle = Partial<Record<ComparisonMetric, string>> & {
  id: string;
  name: string;
  total_expenses: string;
};

/** The SQL of each metric of a cycle `c` with the expenses `e`. */
const metricsSql = ({ householdId }: Scope): Record<ComparisonMetric, Sql> => ({
  total_expenses: sumUsdSql(),
  fixed_expenses: sumUsdSql(sql`e.category = 'fixed'`),
  variable_expenses: sumUsdSql(sql`e.category = 'variable'`),
  income_amount: sql`c.income_amount`,
  net_balance: sql`c.remaining_balance`,
  paid_expenses: sumUsdSql(sql`e.paid`),
  pending_expenses: sumUsdSql(sql`NOT e.paid`),
  total_incomes: sql`(SELECT ${sumIncomesUsdSql()} FROM ${incomesOfSql(householdId)})`,
});

/** The totals of the incomes `i` of a cycle. */
const INCOMES = sql`
  ${sumIncomesUsdSql()} AS total_incomes,
  ${sumIncomesUsdSql(sql`i.received`)} AS received_incomes,
  (count(*) FILTER (WHERE i.active))::int AS income_count,
  (count(*) FILTER (WHERE i.active AND i.received))::int AS received_count`;

/**
 * The expenses of a cycle, those that no total tells apart as one row `e` with the columns of an
 * expense, so that each total sums few rows.
 */
const similarExpensesSql = ({ householdId, today }: Scope, cycleId: string): Sql => sql`
  SELECT e.payment_method_id, e.budget_id, e.currency, e.category, e.paid,
    ${displayedStatusSql(today)} AS status, true AS active,
    sum(e.amount) AS amount, sum(e.amount_usd) AS amount_usd, count(*) AS count,
    sum(${budgetAmountSql('e')}) AS in_budget, bool_or(${budgetAmountSql('e')} IS NULL) AS lacks_rate
  FROM cycle_expenses e ${budgetRateSql(householdId, 'e')}
  WHERE e.household_id = ${householdId} AND e.cycle_id = ${cycleId} AND e.active
  GROUP BY 1, 2, 3, 4, 5, 6`;

/** The totals of the expenses `e` of a group. */
const SUMS = sql`
  ${sumUsdSql()} AS total,
  ${sumUsdSql(sql`e.category = 'fixed'`)} AS fixed,
  ${sumUsdSql(sql`e.paid`)} AS paid,
  coalesce(sum(e.amount) FILTER (WHERE ${IS_COUNTED_SQL}), 0.00) AS native,
  coalesce(sum(e.in_budget) FILTER (WHERE ${IS_COUNTED_SQL}), 0.00) AS in_budget,
  coalesce(sum(e.in_budget) FILTER (WHERE ${IS_COUNTED_SQL} AND e.paid), 0.00) AS paid_in_budget,
  coalesce(bool_or(e.lacks_rate) FILTER (WHERE ${IS_COUNTED_SQL}), false) AS lacks_rate,
  coalesce(sum(e.count) FILTER (WHERE ${IS_COUNTED_SQL}), 0)::int AS expense_count,
  coalesce(sum(e.count), 0)::int AS row_count`;

/**
 * The totals of a cycle; undefined if it does not exist. Names are read by subqueries of the rows
 * that have them, which cost less than joins and a sort of so few rows.
 */
export async function summarizeCycle(
  scope: Scope,
  cycleId: string,
): Promise<CycleSummary | undefined> {
  const { manager, userId, householdId } = scope;
  const groups = await query<ExpenseGroup & CycleColumns & WithBudgets>(
    manager,
    sql`
      SELECT c.id AS cycle_id, c.name AS cycle_name, c.start_date, c.end_date, c.income_amount,
        c.remaining_balance AS net_balance, i.*,
        i.total_incomes - i.received_incomes AS expected_incomes, g.*,
        g.total - g.fixed AS variable, g.total - g.paid AS pending,
        CASE WHEN g.dimension = 'payment_method' THEN (
          SELECT json_build_object('id', pm.id, 'name', pm.name, 'seq', pm.seq)
          FROM payment_methods pm
          WHERE pm.household_id = ${householdId} AND pm.id = g.payment_method_id
        ) END AS payment_method,
        CASE WHEN g.dimension = 'all' THEN (
          SELECT row_to_json(b) FROM (SELECT ${budgetsOfCycleSql(scope)}) AS b
        ) END AS "budgetsOfCycle"
      FROM cycles c
      CROSS JOIN LATERAL (SELECT ${INCOMES} FROM ${incomesOfSql(householdId)}) AS i
      CROSS JOIN (
        SELECT CASE WHEN GROUPING(e.payment_method_id) = 0 THEN 'payment_method'
            WHEN GROUPING(e.budget_id) = 0 THEN 'budget'
            WHEN GROUPING(e.currency) = 0 THEN 'currency'
            WHEN GROUPING(e.status) = 0 THEN 'status' ELSE 'all' END AS dimension,
          e.payment_method_id, e.budget_id, e.currency, e.status, ${SUMS}
        FROM (${similarExpensesSql(scope, cycleId)}) AS e
        GROUP BY GROUPING SETS (
          (), (e.currency), (e.status), (e.payment_method_id), (e.budget_id)
        )
      ) AS g
      WHERE c.household_id = ${householdId} AND c.user_id = ${userId} AND c.id = ${cycleId}
        AND c.active`,
  );
  // The group of all expenses exists even without expenses.
  const total = groups.find(({ dimension }) => dimension === 'all');
  return total && { total, groups };
}

/**
 * The owner's cycles with these ids, earliest start date first; cycles that do not exist are
 * missing.
 */
export function compareCycles(
  scope: Scope,
  ids: readonly string[],
  metrics: readonly ComparisonMetric[],
): Promise<ComparedCycle[]> {
  const { manager, userId, householdId } = scope;
  const metricSql = metricsSql(scope);
  const columns = COMPARISON_METRICS.filter(
    (metric) => metric === 'total_expenses' || metrics.includes(metric),
  ).map((metric) => sql`${metricSql[metric]} AS ${raw(metric)}`);
  return query(
    manager,
    sql`
      SELECT c.id, c.name, s.*
      FROM cycles c
      CROSS JOIN LATERAL (SELECT ${join(columns, ', ')} FROM ${expensesOfSql(householdId)}) s
      WHERE c.household_id = ${householdId} AND c.user_id = ${userId} AND c.active
        AND c.id = ANY(${ids})
      ORDER BY c.start_date, c.seq`,
  );
}
