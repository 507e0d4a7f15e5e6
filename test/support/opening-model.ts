/** What the plan says has happened, for the reference implementations. */
import { cents, sumOf, type Cents } from '../model/cents.js';
import { isOfStatement, paidInUsd, paymentsOfPlan } from './cards-model.js';
import { cyclesThatFollow } from './forecast-periods.js';
import { isOpenCycle, type Currency, type Household } from './stored-household.js';

export interface Opening {
  source: 'given' | 'stated' | 'plan' | 'none';
  balance: Cents;
  /** Milliseconds. */
  statedAt: number | null;
  /** The last day whose income amounts of cycles are in what was stated; null: nothing was. */
  containedUntil: string | null;
  /** The main payment method; null: no balance counts. */
  mainId: string | null;
}

export interface OpeningQuery {
  opening_balance?: string;
  currency?: Currency;
  payment_method_id?: string;
}

export interface IncomeAmount {
  date: string;
  amount: Cents;
}

export const incomeAmountsOf = (cycles: Household['cycles']): IncomeAmount[] =>
  cycles.map(({ start_date, income_amount }) => ({
    date: start_date,
    amount: cents(income_amount),
  }));

/** Of the cycles that would follow and begin by today. */
export function followingIncomeAmounts(household: Household): IncomeAmount[] {
  const { today, nextIncomeAmount } = household;
  return cyclesThatFollow(household, today).map((cycle) => ({
    date: cycle.start_date,
    amount: nextIncomeAmount === 'zero' ? 0n : cycle.income_amount,
  }));
}

/** With what a forecast begins where no balance counts. */
export function plannedOpeningOf(
  household: Household,
  { opening_balance, currency, payment_method_id }: OpeningQuery,
): Opening {
  const others = { statedAt: null, containedUntil: null, mainId: null };
  if (opening_balance !== undefined) {
    return { source: 'given', balance: cents(opening_balance), ...others };
  }
  if (currency !== undefined || payment_method_id !== undefined) {
    return { source: 'none', balance: 0n, ...others };
  }
  return { source: 'plan', balance: happened(household), ...others };
}

/** What has happened in draft and active cycles, and what was paid for cards. */
function happened(household: Household): Cents {
  const { today, entries } = household;
  const open = household.cycles.filter(isOpenCycle);
  const effects = entries
    .filter(({ settled, cycle_id }) => settled && open.some(({ id }) => id === cycle_id))
    .filter((entry) => !isOfStatement(household, entry))
    .map(({ entity_type, amount_usd }) =>
      entity_type === 'cycle_income' ? cents(amount_usd) : -cents(amount_usd),
    );
  const begun = [...incomeAmountsOf(open), ...followingIncomeAmounts(household)].filter(
    ({ date }) => date < today,
  );
  return sumOf([
    ...effects,
    ...begun.map(({ amount }) => amount),
    ...paymentsOfPlan(household).map((payment) => -paidInUsd(household, payment)),
  ]);
}
