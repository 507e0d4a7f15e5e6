import { BUDGET_REFERENCE_SQL } from '../budgets/budget.entity.js';
import { expensesOfSql, IS_COUNTED_SQL, sumUsdSql } from '../ledger/balance.js';
import { budgetLimitsSql } from '../ledger/cycle.entity.js';
import type { Scope } from '../platform/database/database.js';
import type { BudgetSummary } from './dto/budget-summary.dto.js';

/**
 * SQL: what cycle `c` may spend on budgets and what is spent of it, as the JSON `by_budget` of one
 * row: each budget with a limit or an expense that counts, by name in the order of code points;
 * last, where there are some, the expenses without a budget. $2: household.
 *
 * @param spent a SELECT of `budget_id`, `total`, `paid` and `expense_count` of what counts, with a
 *   row for each budget, and one for null
 */
export const byBudgetSql = (spent: string): string => `
  SELECT coalesce(json_agg(json_build_object(
      'budget', ${BUDGET_REFERENCE_SQL},
      'limit', sums."limit"::text,
      'total_amount', sums.total::text,
      'paid_amount', sums.paid::text,
      'pending_amount', (sums.total - sums.paid)::text,
      'left', (sums."limit" - sums.total)::text,
      'expense_count', sums.expense_count
    ) ORDER BY b.name COLLATE "C", b.id), '[]') AS by_budget
  FROM (
    SELECT coalesce(l.budget_id, s.budget_id) AS budget_id, l."limit",
      coalesce(s.total, 0.00) AS total, coalesce(s.paid, 0.00) AS paid,
      coalesce(s.expense_count, 0) AS expense_count
    FROM ${budgetLimitsSql('c')} FULL JOIN (${spent}) AS s ON s.budget_id = l.budget_id
  ) AS sums
  LEFT JOIN budgets b ON b.household_id = $2 AND b.id = sums.budget_id`;

/** What is spent in cycle `c`. $2: household. */
const SPENT = `
  SELECT e.budget_id, ${sumUsdSql()} AS total, ${sumUsdSql('e.paid')} AS paid,
    count(*)::int AS expense_count
  FROM ${expensesOfSql('c', '$2')} AND ${IS_COUNTED_SQL} GROUP BY e.budget_id`;

/** $1: owner, $2: household, $3: cycle ids. */
const CYCLES = `
  SELECT c.id, c.name, b.by_budget
  FROM cycles c CROSS JOIN LATERAL (${byBudgetSql(SPENT)}) AS b
  WHERE c.household_id = $2 AND c.user_id = $1 AND c.active AND c.id = ANY($3)`;

/** The owner's cycles with these ids, in any order; cycles that do not exist are missing. */
export function listByBudget(
  { manager, userId, householdId }: Scope,
  ids: readonly string[],
): Promise<{ id: string; name: string; by_budget: BudgetSummary[] }[]> {
  return manager.query(CYCLES, [userId, householdId, ids]);
}
