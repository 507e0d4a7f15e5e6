import { expensesOfSql, IS_COUNTED_SQL, sumUsdSql } from '../ledger/entities/balance.js';
import { budgetLimitsSql } from '../ledger/entities/cycle.entity.js';
import type { Scope } from '../platform/database/database.js';
import type { NamedLimit, SpentOnBudget } from './dto/budget-summary.dto.js';

/** SQL: the limits of cycle `c` as a JSON list of {@link NamedLimit}. $2: household. */
export const NAMED_LIMITS = `CASE WHEN c.budget_limits = '[]' THEN '[]' ELSE (
  SELECT json_agg(json_build_object('budget_id', l.budget_id, 'budget_name', b.name, 'limit', l."limit"::text))
  FROM ${budgetLimitsSql('c')} LEFT JOIN budgets b ON b.household_id = $2 AND b.id = l.budget_id
) END`;

/** What is spent in cycle `c`. $2: household. */
const SPENT = `
  SELECT e.budget_id, ${sumUsdSql()}::text AS total, ${sumUsdSql('e.paid')}::text AS paid,
    ${sumUsdSql('NOT e.paid')}::text AS pending, count(*)::int AS expense_count
  FROM ${expensesOfSql('c', '$2')} AND ${IS_COUNTED_SQL} GROUP BY e.budget_id`;

/** $1: owner, $2: household, $3: cycle ids. */
const CYCLES = `
  SELECT c.id, c.name, ${NAMED_LIMITS} AS limits, (
    SELECT coalesce(json_agg(json_build_object(
        'budget_id', s.budget_id, 'budget_name', b.name, 'total', s.total, 'paid', s.paid,
        'pending', s.pending, 'expense_count', s.expense_count
      )), '[]')
    FROM (${SPENT}) AS s LEFT JOIN budgets b ON b.household_id = $2 AND b.id = s.budget_id
  ) AS spent
  FROM cycles c
  WHERE c.household_id = $2 AND c.user_id = $1 AND c.active AND c.id = ANY($3)`;

/** The owner's cycles with these ids, in any order; cycles that do not exist are missing. */
export function listSpentOnBudgets(
  { manager, userId, householdId }: Scope,
  ids: readonly string[],
): Promise<{ id: string; name: string; limits: NamedLimit[]; spent: SpentOnBudget[] }[]> {
  return manager.query(CYCLES, [userId, householdId, ids]);
}
