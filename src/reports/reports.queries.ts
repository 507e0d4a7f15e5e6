import {
  expensesOfSql,
  incomesOfSql,
  IS_COUNTED_SQL,
  sumIncomesUsdSql,
  sumUsdSql,
} from '../ledger/entities/balance.js';
import { displayedStatusSql, type ExpenseStatus } from '../ledger/entities/expense-status.js';
import type { Scope } from '../platform/database/database.js';
import type { CalendarDate } from '../platform/values/calendar-date.js';
import type { CurrencyCode } from '../platform/values/currency.js';
import { NAMED_LIMITS } from './budgets.queries.js';
import type { NamedLimit } from './dto/budget-summary.dto.js';

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
  expense_count: number;
}

/** The dimension and key of a group of expenses; `all` is the whole cycle. */
type Group =
  | { dimension: 'all' }
  | { dimension: 'payment_method'; payment_method: { id: string; name: string; seq: number } }
  | { dimension: 'budget'; budget_id: string | null; budget_name: string | null }
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
interface WithLimits {
  limits: NamedLimit[];
}

/**
 * The totals of a cycle over all expenses, and by payment method, budget, currency and status, in
 * any order.
 */
export interface CycleSummary {
  total: CycleColumns & Sums & WithLimits;
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

/** The SQL of each metric of a cycle `c` with the expenses `e`. $2: household. */
const METRICS: Record<ComparisonMetric, string> = {
  total_expenses: sumUsdSql(),
  fixed_expenses: sumUsdSql(`e.category = 'fixed'`),
  variable_expenses: sumUsdSql(`e.category = 'variable'`),
  income_amount: 'c.income_amount',
  net_balance: 'c.remaining_balance',
  paid_expenses: sumUsdSql('e.paid'),
  pending_expenses: sumUsdSql('NOT e.paid'),
  total_incomes: `(SELECT ${sumIncomesUsdSql()} FROM ${incomesOfSql('c', '$2')})`,
};

/** $1: owner, $2: household, $3: cycle ids. */
const compareStatement = (columns: readonly ComparisonMetric[]): string => `
  SELECT c.id, c.name, s.*
  FROM cycles c
  CROSS JOIN LATERAL (
    SELECT ${columns.map((metric) => `${METRICS[metric]} AS ${metric}`).join(', ')}
    FROM ${expensesOfSql('c', '$2')}
  ) s
  WHERE c.household_id = $2 AND c.user_id = $1 AND c.active AND c.id = ANY($3)
  ORDER BY c.start_date, c.seq`;

/** The totals of the incomes of cycle `c`. $2: household. */
const INCOMES = `
  SELECT ${sumIncomesUsdSql()} AS total_incomes,
    ${sumIncomesUsdSql('i.received')} AS received_incomes,
    (count(*) FILTER (WHERE i.active))::int AS income_count,
    (count(*) FILTER (WHERE i.active AND i.received))::int AS received_count
  FROM ${incomesOfSql('c', '$2')}`;

/**
 * The expenses of a cycle, those that no total tells apart as one row `e` with the columns of an
 * expense, so that each total sums few rows. $2: household, $3: cycle, $4: today.
 */
const SIMILAR_EXPENSES = `
  SELECT e.payment_method_id, e.budget_id, e.currency, e.category, e.paid,
    ${displayedStatusSql('$4')} AS status, true AS active,
    sum(e.amount) AS amount, sum(e.amount_usd) AS amount_usd, count(*) AS count
  FROM cycle_expenses e
  WHERE e.household_id = $2 AND e.cycle_id = $3 AND e.active
  GROUP BY 1, 2, 3, 4, 5, 6`;

/** The totals of the expenses `e` of a group. */
const SUMS = `
  ${sumUsdSql()} AS total,
  ${sumUsdSql(`e.category = 'fixed'`)} AS fixed,
  ${sumUsdSql('e.paid')} AS paid,
  coalesce(sum(e.amount) FILTER (WHERE ${IS_COUNTED_SQL}), 0.00) AS native,
  coalesce(sum(e.count) FILTER (WHERE ${IS_COUNTED_SQL}), 0)::int AS expense_count,
  coalesce(sum(e.count), 0)::int AS row_count`;

/**
 * $1: owner, $2: household, $3: cycle, $4: today. Names are read by subqueries of the rows that have
 * them, which cost less than joins and a sort of so few rows.
 */
const GROUPS = `
  SELECT c.id AS cycle_id, c.name AS cycle_name, c.start_date, c.end_date, c.income_amount,
    c.remaining_balance AS net_balance, i.*, i.total_incomes - i.received_incomes AS expected_incomes, g.*,
    g.total - g.fixed AS variable, g.total - g.paid AS pending,
    CASE WHEN g.dimension = 'payment_method' THEN (
      SELECT json_build_object('id', pm.id, 'name', pm.name, 'seq', pm.seq)
      FROM payment_methods pm WHERE pm.household_id = $2 AND pm.id = g.payment_method_id
    ) END AS payment_method,
    CASE WHEN g.budget_id IS NOT NULL THEN (
      SELECT b.name FROM budgets b WHERE b.household_id = $2 AND b.id = g.budget_id
    ) END AS budget_name,
    CASE WHEN g.dimension = 'all' THEN ${NAMED_LIMITS} END AS limits
  FROM cycles c
  CROSS JOIN LATERAL (${INCOMES}) AS i
  CROSS JOIN (
    SELECT CASE WHEN GROUPING(e.payment_method_id) = 0 THEN 'payment_method'
        WHEN GROUPING(e.budget_id) = 0 THEN 'budget'
        WHEN GROUPING(e.currency) = 0 THEN 'currency'
        WHEN GROUPING(e.status) = 0 THEN 'status' ELSE 'all' END AS dimension,
      e.payment_method_id, e.budget_id, e.currency, e.status, ${SUMS}
    FROM (${SIMILAR_EXPENSES}) AS e
    GROUP BY GROUPING SETS (
      (), (e.currency), (e.status), (e.payment_method_id), (e.budget_id)
    )
  ) AS g
  WHERE c.household_id = $2 AND c.user_id = $1 AND c.id = $3 AND c.active`;

/** The totals of a cycle; undefined if it does not exist. */
export async function summarizeCycle(
  { manager, userId, householdId, today }: Scope,
  cycleId: string,
): Promise<CycleSummary | undefined> {
  const parameters = [userId, householdId, cycleId, today];
  const groups = await manager.query<(ExpenseGroup & CycleColumns & WithLimits)[]>(
    GROUPS,
    parameters,
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
  { manager, userId, householdId }: Scope,
  ids: readonly string[],
  metrics: readonly ComparisonMetric[],
): Promise<ComparedCycle[]> {
  const columns = COMPARISON_METRICS.filter(
    (metric) => metric === 'total_expenses' || metrics.includes(metric),
  );
  return manager.query(compareStatement(columns), [userId, householdId, ids]);
}
