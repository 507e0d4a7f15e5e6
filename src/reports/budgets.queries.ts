import { BUDGET_REFERENCE_SQL } from '../budgets/budget.entity.js';
import { expensesOfSql, IS_COUNTED_SQL } from '../ledger/balance.js';
import { budgetLimitsSql } from '../ledger/cycle.entity.js';
import type { Scope } from '../platform/database/database.js';
import type { BudgetSummary } from './dto/budget-summary.dto.js';

/**
 * SQL: what cycle `c` may spend on budgets and what its expenses take of it, as JSON: each budget
 * with a limit or an expense that counts, by name in the order of code points; last, where there
 * are some, the expenses without a budget. $2: household.
 */
export const BY_BUDGET_SQL = `(
  SELECT coalesce(json_agg(json_build_object(
      'budget', ${BUDGET_REFERENCE_SQL},
      'limit', sums."limit"::text,
      'total_amount', sums.total::text,
      'paid_amount', sums.paid::text,
      'pending_amount', (sums.total - sums.paid)::text,
      'left', (sums."limit" - sums.total)::text,
      'expense_count', sums.expense_count
    ) ORDER BY b.name COLLATE "C", b.id), '[]')
  FROM (
    SELECT coalesce(l.budget_id, s.budget_id) AS budget_id, l."limit",
      coalesce(s.total, 0.00) AS total, coalesce(s.paid, 0.00) AS paid,
      coalesce(s.expense_count, 0) AS expense_count
    FROM ${budgetLimitsSql('c')}
    FULL JOIN (
      SELECT e.budget_id, sum(e.amount_usd) AS total,
        coalesce(sum(e.amount_usd) FILTER (WHERE e.paid), 0.00) AS paid,
        count(*)::int AS expense_count
      FROM ${expensesOfSql('c', '$2')} AND ${IS_COUNTED_SQL}
      GROUP BY e.budget_id
    ) AS s ON s.budget_id = l.budget_id
  ) AS sums
  LEFT JOIN budgets b ON b.household_id = $2 AND b.id = sums.budget_id
)`;

/** $1: owner, $2: household, $3: cycle ids. */
const CYCLES = `
  SELECT c.id, c.name, ${BY_BUDGET_SQL} AS by_budget
  FROM cycles c
  WHERE c.household_id = $2 AND c.user_id = $1 AND c.active AND c.id = ANY($3)`;

/** The owner's cycles with these ids, in any order; cycles that do not exist are missing. */
export function listByBudget(
  { manager, userId, householdId }: Scope,
  ids: readonly string[],
): Promise<{ id: string; name: string; by_budget: BudgetSummary[] }[]> {
  return manager.query(CYCLES, [userId, householdId, ids]);
}
