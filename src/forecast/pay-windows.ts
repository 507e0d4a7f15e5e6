import type { CalendarDate } from '../platform/values/calendar-date.js';
import type { Cents } from '../platform/values/money.js';
import type { Day } from './forecast.js';

/** The days from one on which money comes in to the next. */
export interface PayWindow {
  from: CalendarDate;
  to: CalendarDate;
  incomes: Cents;
  expenses: Cents;
  expenseCount: number;
  closingBalance: Cents;
  /** What can be spent in it beyond the plan. */
  free: Cents;
}

/**
 * One window from the first day, and one from each later day on which money comes in, to the day
 * before the next. After its first day a window only falls, so that its lowest balance is the one
 * at its end.
 *
 * @param days the days of the forecast, at least one, ascending
 * @param minimum what should always remain
 */
export function payWindows(days: readonly Day[], minimum: Cents): PayWindow[] {
  const windows: Window[] = [];
  for (const day of days) {
    const current = windows.at(-1);
    if (!current || day.incomeCount > 0) {
      windows.push({ first: day, last: day, days: [day] });
    } else {
      current.days.push(day);
      current.last = day;
    }
  }
  const lowest = lowestFrom(windows.map(({ last }) => last.balance));
  return windows.map(({ first, last, days: ofWindow }, index) => {
    const free = (lowest[index] ?? 0n) - minimum;
    return {
      from: first.date,
      to: last.date,
      incomes: first.incomes,
      expenses: ofWindow.reduce((sum, { expenses }) => sum + expenses, 0n),
      expenseCount: ofWindow.reduce((count, { expenseCount }) => count + expenseCount, 0),
      closingBalance: last.balance,
      free: free < 0n ? 0n : free,
    };
  });
}

interface Window {
  first: Day;
  last: Day;
  days: Day[];
}

/** The lowest of each balance and all later ones. */
const lowestFrom = (balances: readonly Cents[]): Cents[] =>
  balances
    .reduceRight<Cents[]>((lowest, balance) => {
      const later = lowest.at(-1);
      lowest.push(later !== undefined && later < balance ? later : balance);
      return lowest;
    }, [])
    .reverse();
