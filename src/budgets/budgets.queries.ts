import sql from 'sql-template-tag';
import type { Scope } from '../platform/database/database.js';
import { query } from '../platform/database/query.js';
import type { CurrencyCode } from '../platform/values/currency.js';
import type { BudgetLimit } from './budget.entity.js';
import type { BudgetResponse, ListBudgetsQuery } from './dto/budget.dto.js';

/** The owner's budgets, newest first. The columns are the response. */
export function listBudgets(
  { manager, userId, householdId }: Scope,
  { active }: ListBudgetsQuery,
): Promise<BudgetResponse[]> {
  return query(
    manager,
    sql`
      SELECT id, name, currency, cycle_limit AS "limit", active, created_at, updated_at
      FROM budgets
      WHERE household_id = ${householdId} AND user_id = ${userId}
        AND (${active}::boolean IS NULL OR active = ${active})
      ORDER BY seq DESC`,
  );
}

/** A budget with its limit. */
export type LimitedBudget = BudgetLimit & { name: string; currency: CurrencyCode };

/** The owner's active budgets with a limit, in the order of creation. */
export function listLimitedBudgets({
  manager,
  userId,
  householdId,
}: Scope): Promise<LimitedBudget[]> {
  return query(
    manager,
    sql`
      SELECT id AS budget_id, name, currency, cycle_limit AS "limit"
      FROM budgets
      WHERE household_id = ${householdId} AND user_id = ${userId}
        AND active AND cycle_limit IS NOT NULL
      ORDER BY seq`,
  );
}
