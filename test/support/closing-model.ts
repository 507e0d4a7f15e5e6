/** What `GET /cycles/{id}/close` answers, entry by entry from what is stored. */
import { cents, money, sumOf, type Cents } from '../model/cents.js';
import { isOfStatement, paidInUsd, paymentsOf } from './cards-model.js';
import type { Household, StoredCycle } from './stored-household.js';

export function closingOf(household: Household, cycle: StoredCycle): Record<string, unknown> {
  const { id, start_date, end_date, remaining_balance } = cycle;
  const own = household.entries.filter((entry) => entry.cycle_id === id && !entry.cancelled);
  const ofType = (type: string, isOnCard: boolean): typeof own =>
    own.filter(
      (entry) => entry.entity_type === type && isOfStatement(household, entry) === isOnCard,
    );
  const usd = (entries: typeof own): Cents =>
    sumOf(entries.map(({ amount_usd }) => cents(amount_usd)));
  const expenses = ofType('cycle_expense', false).filter(({ settled }) => !settled);
  const incomes = ofType('cycle_income', false).filter(({ settled }) => !settled);
  // Less credits, which are in what remains of the cycle as well.
  const cardExpenses = usd(ofType('cycle_expense', true)) - usd(ofType('cycle_income', true));
  const payments = paymentsOf(household).filter(({ on }) => start_date <= on && on <= end_date);
  const cardPayments = sumOf(payments.map((payment) => paidInUsd(household, payment)));
  const remaining = cents(remaining_balance);
  return {
    left_over: money(remaining + usd(expenses) - usd(incomes) + cardExpenses - cardPayments),
    open_expenses: money(usd(expenses)),
    open_expense_count: expenses.length,
    open_incomes: money(usd(incomes)),
    open_income_count: incomes.length,
    card_expenses: money(cardExpenses),
    card_payments: money(cardPayments),
  };
}
