import sql, { type Sql } from 'sql-template-tag';
import { expensesOfSql, IS_COUNTED_SQL, sumUsdSql } from '../ledger/entities/balance.js';
import { BUDGET_LIMITS_SQL } from '../ledger/entities/cycle.entity.js';
import type { Scope } from '../platform/database/database.js';
import { query } from '../platform/database/query.js';
import type { NamedLimit, SpentOnBudget } from './dto/budget-summary.dto.js';

/** SQL: the limits of cycle `c` as a JSON list of {@link NamedLimit}. */
export const namedLimitsSql = ({ householdId }: Scope): Sql => sql`
  CASE WHEN c.budget_limits = '[]' THEN '[]' ELSE (
    SELECT json_agg(json_build_object(
      'budget_id', l.budget_id, 'budget_name', b.name, 'limit', l."limit"::text
    ))
    FROM ${BUDGET_LIMITS_SQL}
    LEFT JOIN budgets b ON b.household_id = ${householdId} AND b.id = l.budget_id
  ) END`;

/** What is spent in cycle `c`. */
const spentSql = ({ householdId }: Scope): Sql => sql`
  SELECT e.budget_id, ${sumUsdSql()}::text AS total, ${sumUsdSql(sql`e.paid`)}::text AS paid,
    ${sumUsdSql(sql`NOT e.paid`)}::text AS pending, count(*)::int AS expense_count
  FROM ${expensesOfSql(householdId)} AND ${IS_COUNTED_SQL} GROUP BY e.budget_id`;

/** The owner's cycles with these ids, in any order; cycles that do not exist are missing. */
export function listSpentOnBudgets(
  scope: Scope,
  ids: readonly string[],
): Promise<{ id: string; name: string; limits: NamedLimit[]; spent: SpentOnBudget[] }[]> {
  const { manager, userId, householdId } = scope;
  return query(
    manager,
    sql`
      SELECT c.id, c.name, ${namedLimitsSql(scope)} AS limits, (
        SELECT coalesce(json_agg(json_build_object(
            'budget_id', s.budget_id, 'budget_name', b.name, 'total', s.total, 'paid', s.paid,
            'pending', s.pending, 'expense_count', s.expense_count
          )), '[]')
        FROM (${spentSql(scope)}) AS s
        LEFT JOIN budgets b ON b.household_id = ${householdId} AND b.id = s.budget_id
      ) AS spent
      FROM cycles c
      WHERE c.household_id = ${householdId} AND c.user_id = ${userId} AND c.active
        AND c.id = ANY(${ids})`,
  );
}
