import type { CalendarDate } from '../platform/values/calendar-date.js';
import type { Cents } from '../platform/values/money.js';
import type { Balance, Day } from './forecast.js';

/** The days from one on which money comes in to the next. */
export interface PayWindow {
  from: CalendarDate;
  to: CalendarDate;
  incomes: Cents;
  expenses: Cents;
  expenseCount: number;
  /** What of the expenses is set aside for budgets. */
  setAside: Cents;
  closingBalance: Cents;
  /** What can be spent in it beyond the plan. */
  free: Cents;
  /** The first day from its first one on with the lowest balance, without late incomes. */
  limitedBy: Balance;
}

/**
 * One window from the first day, and one from each later day on which money comes in, to the day
 * before the next. After its first day a window only falls, so that its lowest balance is the one
 * at its end.
 *
 * @param days the days that count, at least one, ascending
 * @param to the last day of the windows; later days count for what is free alone
 * @param minimum what should always remain
 * @param late the incomes that count on the first day, but not for what is free
 */
export function payWindows(
  days: readonly Day[],
  { to, minimum, late }: { to: CalendarDate; minimum: Cents; late: Cents },
): PayWindow[] {
  const lowest = lowestFrom(days);
  const windows: Window[] = [];
  for (const [index, day] of days.entries()) {
    if (day.date > to) break;
    const current = windows.at(-1);
    if (!current || day.incomeCount > 0) {
      windows.push({ first: day, last: day, days: [day], lowest: lowest[index] ?? day });
    } else {
      current.days.push(day);
      current.last = day;
    }
  }
  return windows.map((window) => {
    const { first, last, days: ofWindow } = window;
    const balance = window.lowest.balance - late;
    const free = balance - minimum;
    return {
      from: first.date,
      to: last.date,
      incomes: first.incomes,
      expenses: ofWindow.reduce((sum, { expenses }) => sum + expenses, 0n),
      expenseCount: ofWindow.reduce((count, { expenseCount }) => count + expenseCount, 0),
      setAside: ofWindow.reduce((sum, { setAside }) => sum + setAside, 0n),
      closingBalance: last.balance,
      free: free < 0n ? 0n : free,
      limitedBy: { date: window.lowest.date, balance },
    };
  });
}

interface Window {
  first: Day;
  last: Day;
  days: Day[];
  /** Of all days from the first one on. */
  lowest: Day;
}

/** Of each day and all later ones, the first with the lowest balance. */
const lowestFrom = (days: readonly Day[]): Day[] =>
  days
    .reduceRight<Day[]>((lowest, day) => {
      const later = lowest.at(-1);
      lowest.push(later && later.balance < day.balance ? later : day);
      return lowest;
    }, [])
    .reverse();
