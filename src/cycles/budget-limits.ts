import type { Budget, BudgetLimit } from '../budgets/budget.entity.js';
import type { Cycle } from '../ledger/entities/cycle.entity.js';
import { formatMoney } from '../platform/values/money.js';
import type { BudgetLimitDto } from './dto/budget-limit.dto.js';

/** What a cycle stores of a budget with a limit. */
export const toBudgetLimit = ({ budget_id, limit }: BudgetLimit): BudgetLimit => ({
  budget_id,
  limit,
});

/**
 * The limits of a cycle that an update sets, in the order of the creation of the budgets.
 *
 * @param budgets the budgets of the limits, in the same order
 * @throws ValidationFailedError for an inactive budget that the cycle has no limit of yet
 */
export function chosenLimits(
  { budgetLimits }: Pick<Cycle, 'budgetLimits'>,
  limits: readonly BudgetLimitDto[],
  budgets: readonly Budget[],
): BudgetLimit[] {
  const present = new Set(budgetLimits.map(({ budget_id: id }) => id));
  for (const [index, budget] of budgets.entries()) {
    if (!present.has(budget.id)) budget.assertActive(`budget_limits.${index}.budget_id`);
  }
  const seqOf = new Map(budgets.map(({ id, seq }) => [id, Number(seq)]));
  return limits
    .toSorted((a, b) => (seqOf.get(a.budget_id) ?? 0) - (seqOf.get(b.budget_id) ?? 0))
    .map(({ budget_id, limit }) => ({ budget_id, limit: formatMoney(limit) }));
}
