import sql, { type Sql } from 'sql-template-tag';
import type { BudgetLimit } from '../budgets/budget.entity.js';
import { expensesOfSql, incomesOfSql, IS_COUNTED_SQL } from '../ledger/entities/balance.js';
import { budgetAmountSql, budgetRateSql } from '../ledger/entities/budget-amount.js';
import type { Scope } from '../platform/database/database.js';
import { query } from '../platform/database/query.js';
import type { CurrencyCode } from '../platform/values/currency.js';

/** What cycles may spend on budgets, and what is given back to them. */
export interface BudgetsOfCycle {
  /** All budgets of the owner. */
  budgets: { id: string; name: string; currency: CurrencyCode }[];
  limits: readonly BudgetLimit[];
  refunds: RefundsOfBudget[];
}

/** The incomes of a cycle for a budget, in its currency. */
export interface RefundsOfBudget {
  budget_id: string;
  amount: string;
  /** Whether a rate was missing to convert them. */
  lacks_rate: boolean;
}

/**
 * The expenses of a cycle that count and have a budget, or none: in the currency of the budget, in
 * USD without one.
 */
export interface SpentOnBudget {
  budget_id: string | null;
  total: string;
  paid: string;
  total_usd: string;
  expense_count: number;
  /** Whether a rate was missing to convert them. */
  lacks_rate: boolean;
}

/** SQL: the columns of {@link BudgetsOfCycle} of a cycle `c`. */
export const budgetsOfCycleSql = ({ userId, householdId }: Scope): Sql => sql`
  (SELECT coalesce(json_agg(json_build_object(
      'id', b.id, 'name', b.name, 'currency', b.currency)), '[]')
    FROM budgets b WHERE b.household_id = ${householdId} AND b.user_id = ${userId}) AS budgets,
  c.budget_limits AS limits,
  (SELECT coalesce(json_agg(refund), '[]') FROM (
    SELECT i.budget_id, sum(${budgetAmountSql('i')})::text AS amount,
      bool_or(${budgetAmountSql('i')} IS NULL) AS lacks_rate
    FROM (SELECT i.* FROM ${incomesOfSql(householdId)} AND i.active AND i.budget_id IS NOT NULL) AS i
    ${budgetRateSql(householdId, 'i')}
    GROUP BY i.budget_id
  ) AS refund) AS refunds`;

/** SQL: what is spent in cycle `c`. */
const spentSql = ({ householdId }: Scope): Sql => sql`
  SELECT e.budget_id, sum(${budgetAmountSql('e')})::text AS total,
    coalesce(sum(${budgetAmountSql('e')}) FILTER (WHERE e.paid), 0.00)::text AS paid,
    sum(e.amount_usd)::text AS total_usd, count(*)::int AS expense_count,
    bool_or(${budgetAmountSql('e')} IS NULL) AS lacks_rate
  FROM (SELECT e.* FROM ${expensesOfSql(householdId)} AND ${IS_COUNTED_SQL}) AS e
  ${budgetRateSql(householdId, 'e')}
  GROUP BY e.budget_id`;

/** The owner's cycles with these ids, in any order; cycles that do not exist are missing. */
export function listSpentOnBudgets(
  scope: Scope,
  ids: readonly string[],
): Promise<(BudgetsOfCycle & { id: string; name: string; spent: SpentOnBudget[] })[]> {
  const { manager, userId, householdId } = scope;
  return query(
    manager,
    sql`
      SELECT c.id, c.name, ${budgetsOfCycleSql(scope)}, (
        SELECT coalesce(json_agg(spent), '[]') FROM (${spentSql(scope)}) AS spent
      ) AS spent
      FROM cycles c
      WHERE c.household_id = ${householdId} AND c.user_id = ${userId} AND c.active
        AND c.id = ANY(${ids})`,
  );
}
