import { Big } from 'big.js';
import { dayNumber, fromDayNumber, type CalendarDate } from '../platform/values/calendar-date.js';
import { formatMoney, type Money } from '../platform/values/money.js';

/** Amounts in USD that come in or go out on a date. */
export interface Movement {
  date: CalendarDate;
  incomes: Money;
  expenses: Money;
}

interface CycleDates {
  startDate: CalendarDate;
  endDate: CalendarDate;
}

/** Amounts in USD, with two decimals. */
export interface CashFlowDay {
  date: CalendarDate;
  incomes_usd: string;
  expenses_usd: string;
  /** At the end of the day. */
  balance_usd: string;
}

export type DayBalance = Pick<CashFlowDay, 'date' | 'balance_usd'>;

export interface CashFlow {
  opening_balance: string;
  /** Every day of the cycle, ascending. */
  days: CashFlowDay[];
  /** The first day with the lowest balance. */
  lowest: DayBalance;
  closing_balance: string;
}

const ZERO = new Big(0);

/**
 * The balance of a cycle day by day (contract, section 17): what is dated before the cycle counts on its first day,
 * what is dated after it on its last.
 */
export function cashFlowOf(
  { startDate, endDate }: CycleDates,
  openingBalance: Money,
  movements: readonly Movement[],
): CashFlow {
  const totals = new Map<CalendarDate, { incomes: Money; expenses: Money }>();
  for (const { date, incomes, expenses } of movements) {
    const day = date < startDate ? startDate : date > endDate ? endDate : date;
    const total = totals.get(day) ?? { incomes: ZERO, expenses: ZERO };
    totals.set(day, {
      incomes: total.incomes.plus(incomes),
      expenses: total.expenses.plus(expenses),
    });
  }
  const days: CashFlowDay[] = [];
  let balance = openingBalance;
  let lowest: { date: CalendarDate; balance: Money } | undefined;
  for (let number = dayNumber(startDate); number <= dayNumber(endDate); number += 1) {
    const date = fromDayNumber(number);
    const { incomes, expenses } = totals.get(date) ?? { incomes: ZERO, expenses: ZERO };
    balance = balance.plus(incomes).minus(expenses);
    if (!lowest || balance.lt(lowest.balance)) lowest = { date, balance };
    days.push({
      date,
      incomes_usd: formatMoney(incomes),
      expenses_usd: formatMoney(expenses),
      balance_usd: formatMoney(balance),
    });
  }
  const { date, balance: lowestBalance } = lowest ?? { date: startDate, balance };
  return {
    opening_balance: formatMoney(openingBalance),
    days,
    lowest: { date, balance_usd: formatMoney(lowestBalance) },
    closing_balance: formatMoney(balance),
  };
}
