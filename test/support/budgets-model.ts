/**
 * A reference implementation of what is spent on budgets, which shares no code with the service:
 * entry by entry from what is stored.
 */
import { cents, money, sumOf, type Cents } from '../model/cents.js';
import { valueIn } from './conversion-model.js';
import type { Budget, Currency, Household, StoredCycle, StoredEntry } from './stored-household.js';

/** `by_budget` of a cycle. */
export function spentOnBudgets(household: Household, cycle: StoredCycle): object[] {
  const inCycle = household.entries.filter(({ cycle_id }) => cycle_id === cycle.id);
  const counted = inCycle.filter(
    ({ entity_type, cancelled }) => entity_type === 'cycle_expense' && !cancelled,
  );
  const incomes = inCycle.filter(({ entity_type }) => entity_type === 'cycle_income');
  const valuesIn = (currency: Currency, entries: readonly StoredEntry[]): Cents =>
    sumOf(
      entries.map((entry) =>
        valueIn(household.rates, currency, {
          ...entry,
          amount: cents(entry.amount),
          amount_usd: cents(entry.amount_usd),
        }),
      ),
    );
  const shareOf = (budget: Budget | null): object[] => {
    const { id = null, currency = 'USD' } = budget ?? {};
    const limit = cycle.budget_limits.find(({ budget_id }) => budget_id === id)?.limit ?? null;
    const expenses = counted.filter(({ budget_id }) => budget_id === id);
    const refunds = budget ? incomes.filter(({ budget_id }) => budget_id === id) : [];
    if (limit === null && expenses.length + refunds.length === 0) return [];
    const total = valuesIn(currency, expenses);
    const paid = expenses.filter(({ settled }) => settled);
    const refunded = valuesIn(currency, refunds);
    return [
      {
        budget: budget && { id: budget.id, name: budget.name },
        ...{ currency, limit },
        total_amount: money(total),
        paid_amount: money(valuesIn(currency, paid)),
        pending_amount: money(total - valuesIn(currency, paid)),
        refunded_amount: money(refunded),
        left: limit === null ? null : money(cents(limit) - total + refunded),
        total_amount_usd: money(valuesIn('USD', expenses)),
        expense_count: expenses.length,
      },
    ];
  };
  const byName = [...household.budgets].sort((a, b) => compareCodePoints(a.name, b.name));
  return [...byName, null].flatMap(shareOf);
}

function compareCodePoints(a: string, b: string): number {
  const [left, right] = [a, b].map((text) => [...text].map((one) => one.codePointAt(0) ?? 0));
  const index = left?.findIndex((value, position) => value !== right?.[position]) ?? -1;
  return index === -1 ? -1 : (left?.[index] ?? 0) - (right?.[index] ?? -1);
}
