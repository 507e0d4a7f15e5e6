import { addDays } from './dates.js';
import {
  addAmounts,
  compareAmounts,
  fromCents,
  isNegative,
  subtractAmounts,
  toCents,
} from './money.js';
import type { Schemas } from './types.js';

type Forecast = Schemas['ForecastResponse'];

/**
 * How what is free until the next pay day comes about. Amounts are decimal strings in the currency
 * of the forecast, dates are `YYYY-MM-DD`.
 *
 * `balance + incomes - due - setAside - kept.amount - minimum` is `free`, or, where something is
 * `short`, `-short.by`; what is undefined is 0.00.
 */
export interface FreeExplanation {
  /** What there is now. */
  balance: string;
  /** What should always remain. */
  minimum: string;
  /** What can be spent beyond the plan until the next pay day; `"0.00"` if something is `short`. */
  free: string;
  /** What comes in today, without what is late; undefined: nothing. */
  incomes: string | undefined;
  /** Incomes dated before today, on which `free` does not count; undefined: none. */
  late: string | undefined;
  /** What is to be paid until the next pay day, with what is overdue. */
  due: string;
  /** How many expenses that is. */
  dueCount: number;
  /** How many of them are overdue. */
  overdueCount: number;
  /** What is set aside for budgets until the next pay day; undefined: nothing. */
  setAside: string | undefined;
  /**
   * What later days need of what would be left before the next pay day, and the day until which it
   * is kept, which may be after the end of the forecast. Undefined: later days need nothing of it.
   */
  kept: { amount: string; date: string } | undefined;
  /**
   * The first day with the lowest balance, if that is below the minimum, and `by` how much. The
   * balance is without what is late. Undefined: no day is below it.
   */
  short: { by: string; date: string; balance: string } | undefined;
  /** The last day before the next pay day, or of the forecast. */
  lastDay: string;
  /** The next day after today on which money comes in; undefined: none in the forecast. */
  payDay: string | undefined;
}

/**
 * How what is free until the next pay day comes about.
 *
 * @param forecast of `GET` or `POST /forecast`
 * @throws RangeError if it has no pay window, which those of the service have
 */
export function explainFree(forecast: Forecast): FreeExplanation {
  const { minimum_balance: minimum, opening_balance: balance, overdue } = forecast;
  const [first, ...later] = forecast.pay_windows;
  if (!first) throw new RangeError('A forecast has a window that begins today');
  const { date, balance: lowest } = first.limited_by;
  const late = overdue.incomes;
  const left = subtractAmounts(first.closing_balance, late);
  const missing = subtractAmounts(minimum, lowest);
  return {
    balance,
    minimum,
    free: first.free,
    incomes: positive(subtractAmounts(first.incomes, late)),
    late: positive(late),
    due: subtractAmounts(first.expenses, first.set_aside),
    dueCount: first.expense_count,
    overdueCount: overdue.expense_count,
    setAside: positive(first.set_aside),
    kept: date > first.to ? { amount: subtractAmounts(left, lowest), date } : undefined,
    short: isPositive(missing) ? { by: missing, date, balance: lowest } : undefined,
    lastDay: first.to,
    payDay: later[0]?.from,
  };
}

/** Days in a row at whose end the balance is below the minimum. Dates are `YYYY-MM-DD`. */
export interface ShortDays {
  from: string;
  /** Inclusive. */
  to: string;
  /** The first of these days with the lowest balance, in the currency of the forecast. */
  lowest: { date: string; balance: string };
}

/**
 * All days of a forecast on which the balance is below its minimum, ascending; empty if there are
 * none.
 *
 * @param forecast with `include=days`
 * @throws RangeError without `days`
 */
export function shortDays(forecast: Forecast): ShortDays[] {
  const { days, minimum_balance: minimum } = forecast;
  if (!days) throw new RangeError('The forecast has no days: request it with include=days');
  const runs: ShortDays[] = [];
  for (const { date, balance } of days) {
    if (compareAmounts(balance, minimum) >= 0) continue;
    const run = runs.at(-1);
    if (run?.to !== addDays(date, -1)) {
      runs.push({ from: date, to: date, lowest: { date, balance } });
      continue;
    }
    run.to = date;
    if (compareAmounts(balance, run.lowest.balance) < 0) run.lowest = { date, balance };
  }
  return runs;
}

/**
 * The first pay day after today on which an amount can be spent beyond the plan, and what is free
 * then; undefined if there is none in the forecast.
 *
 * @param amount a decimal string of 0.00 or more, in the currency of the forecast
 * @throws RangeError for other text and for a negative amount
 */
export function firstFit(
  forecast: Forecast,
  amount: string,
): { date: string; leaves: string } | undefined {
  refuseNegative(amount);
  const [, ...later] = forecast.pay_windows;
  const window = later.find(({ free }) => compareAmounts(free, amount) >= 0);
  return window && { date: window.from, leaves: subtractAmounts(window.free, amount) };
}

/** What has been paid, compared with the plan. Amounts are decimal strings in USD. */
export interface PlanAgainstReality {
  /** What was planned for the paid expenses that have a planned amount. */
  planned: string;
  /** What was paid for them. */
  actual: string;
  /** `actual` minus `planned`: positive if more was paid. */
  difference: string;
  /** How many they are. */
  plannedCount: number;
  /** What was paid for expenses without a planned amount. */
  unplanned: string;
  /** How many they are. */
  unplannedCount: number;
}

/**
 * Compares the paid ones of the expenses with what was planned, in USD.
 *
 * A planned amount in pesos is converted at the rate that converted the expense, so that a change of
 * the rate makes no difference. An expense whose rate was not stored counts as paid as planned.
 */
export function planAgainstReality(
  expenses: readonly Schemas['ExpenseResponse'][],
): PlanAgainstReality {
  const paid = expenses.filter((expense) => expense.paid);
  const withPlan = paid.filter((expense) => expense.planned_amount !== null);
  const withoutPlan = paid.filter((expense) => expense.planned_amount === null);
  const planned = addAmounts(...withPlan.map(plannedUsd));
  const actual = totalUsd(withPlan);
  return {
    planned,
    actual,
    difference: subtractAmounts(actual, planned),
    plannedCount: withPlan.length,
    unplanned: totalUsd(withoutPlan),
    unplannedCount: withoutPlan.length,
  };
}

/** The decimals of a rate of the API. */
const RATE_DECIMALS = 6;
const RATE_UNIT = 10n ** BigInt(RATE_DECIMALS);

/**
 * An amount in pesos as the service converts it to USD: rounded to cents, half a cent up.
 *
 * The service divides by a rate that is stored from USD to pesos. Its inverse, which
 * `exchange_rate` of an expense then shows, is rounded to six decimals: the result can differ by a
 * cent, and by one more for each 20,000 pesos. The service refuses a result of 0.00 or above
 * 999999999.99, which is returned here.
 *
 * @param amount a decimal string of 0.00 or more, with two decimals
 * @param rate USD for one peso, with at most six decimals, such as `"0.050000"`
 * @throws RangeError for other text and for a negative amount
 */
export function convertToUsd(amount: string, rate: string): string {
  refuseNegative(amount);
  const [, integer = '', decimals = ''] = /^(\d+)(?:\.(\d{1,6}))?$/.exec(rate) ?? [];
  if (integer === '') throw new RangeError(`Not a rate with at most six decimals: ${rate}`);
  const millionths = BigInt(integer + decimals.padEnd(RATE_DECIMALS, '0'));
  return fromCents((toCents(amount) * millionths + RATE_UNIT / 2n) / RATE_UNIT);
}

function isPositive(amount: string): boolean {
  return compareAmounts(amount, '0.00') > 0;
}

const positive = (amount: string): string | undefined => (isPositive(amount) ? amount : undefined);

function refuseNegative(amount: string): void {
  if (isNegative(amount)) throw new RangeError(`Not an amount of 0.00 or more: ${amount}`);
}

function totalUsd(expenses: readonly Schemas['ExpenseResponse'][]): string {
  return addAmounts(...expenses.map((expense) => expense.amount_usd));
}

function plannedUsd(expense: Schemas['ExpenseResponse']): string {
  const { planned_amount: planned, amount, amount_usd: usd, currency } = expense;
  // Exactly as the service has converted it, also where it has divided by a rate.
  if (planned === null || planned === amount) return usd;
  if (currency === 'USD') return planned;
  return expense.exchange_rate === null ? usd : convertToUsd(planned, expense.exchange_rate.rate);
}
