import { Big } from 'big.js';
import { formatMoney, sumMoney, type Money } from '../platform/values/money.js';
import type { PayWindowResponse } from './dto/forecast.dto.js';
import type { Day } from './forecast.js';

const ZERO = new Big(0);

/**
 * One window from the first day, and one from each later day on which money comes in, to the day
 * before the next. After its first day a window only falls, so that its lowest balance is the one
 * at its end.
 *
 * @param days at least one, ascending
 * @param minimum what should always remain
 */
export function payWindows(days: readonly Day[], minimum: Money): PayWindowResponse[] {
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
    const free = (lowest[index] ?? ZERO).minus(minimum);
    return {
      from: first.date,
      to: last.date,
      incomes: formatMoney(first.incomes),
      expenses: formatMoney(sumMoney(ofWindow.map(({ expenses }) => expenses))),
      expense_count: ofWindow.reduce((count, { expenseCount }) => count + expenseCount, 0),
      closing_balance: formatMoney(last.balance),
      free: formatMoney(free.lt(0) ? ZERO : free),
    };
  });
}

interface Window {
  first: Day;
  last: Day;
  days: Day[];
}

/** The lowest of each balance and all later ones. */
const lowestFrom = (balances: readonly Money[]): Money[] =>
  balances
    .reduceRight<Money[]>((lowest, balance) => {
      const later = lowest.at(-1);
      lowest.push(later?.lt(balance) ? later : balance);
      return lowest;
    }, [])
    .reverse();
