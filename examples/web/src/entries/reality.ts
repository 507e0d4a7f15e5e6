import { addAmounts, fromCents, subtractAmounts, toCents } from 'expense-service-client';
import type { Expense } from '../api';

export const totalUsd = (entries: readonly { amount_usd: string }[]): string =>
  addAmounts(...entries.map((entry) => entry.amount_usd));

/** Compares what is paid with the plan, in dollars, each expense at the rate that converted it. */
export function planAgainstReality(expenses: readonly Expense[]) {
  const paid = expenses.filter((expense) => expense.paid);
  const withPlan = paid.filter((expense) => expense.planned_amount !== null);
  const withoutPlan = paid.filter((expense) => expense.planned_amount === null);
  const planned = addAmounts(...withPlan.map(plannedUsd));
  const actual = totalUsd(withPlan);
  return {
    ...{ planned, actual, difference: subtractAmounts(actual, planned) },
    plannedCount: withPlan.length,
    unplanned: totalUsd(withoutPlan),
    unplannedCount: withoutPlan.length,
  };
}

function plannedUsd({ planned_amount, currency, exchange_rate, amount_usd }: Expense): string {
  if (planned_amount === null) return '0.00';
  if (currency === 'USD') return planned_amount;
  // Rates were not always stored: then the expense counts as paid as planned.
  return exchange_rate === null ? amount_usd : toUsd(planned_amount, exchange_rate.rate);
}

/** In dollars, with half a cent rounded up as the service does. A rate has six decimals. */
export const toUsd = (amount: string, rate: string): string =>
  fromCents((toCents(amount) * BigInt(rate.replace('.', '')) + 500_000n) / 1_000_000n);
