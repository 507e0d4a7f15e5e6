import type { Scope } from '../platform/database/database.js';
import type { BudgetLimit } from './budget.entity.js';
import type { BudgetResponse, ListBudgetsQuery } from './dto/budget.dto.js';

/** $1: owner, $2: household, $3: filter, null for all. */
const LIST = `
  SELECT id, name, cycle_limit AS "limit", active, created_at, updated_at
  FROM budgets
  WHERE household_id = $2 AND user_id = $1 AND ($3::boolean IS NULL OR active = $3)
  ORDER BY seq DESC`;

/** The owner's budgets, newest first. The columns are the response. */
export function listBudgets(
  { manager, userId, householdId }: Scope,
  { active = null }: { active?: ListBudgetsQuery['active'] | null },
): Promise<BudgetResponse[]> {
  return manager.query(LIST, [userId, householdId, active]);
}

/** $1: owner, $2: household. */
const LIMITS = `
  SELECT id AS budget_id, name, cycle_limit AS "limit"
  FROM budgets
  WHERE household_id = $2 AND user_id = $1 AND active AND cycle_limit IS NOT NULL
  ORDER BY seq`;

/** A budget with its limit. */
export type LimitedBudget = BudgetLimit & { name: string };

/** The owner's active budgets with a limit, in the order of creation. */
export function listLimitedBudgets({
  manager,
  userId,
  householdId,
}: Scope): Promise<LimitedBudget[]> {
  return manager.query(LIMITS, [userId, householdId]);
}
