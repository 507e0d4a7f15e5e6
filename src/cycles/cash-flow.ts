import { dayNumber, fromDayNumber, type CalendarDate } from '../platform/values/calendar-date.js';
import { formatMoney, type Money } from '../platform/values/money.js';
import type {
  CashFlowDayResponse,
  CashFlowResponse,
  DayBalanceResponse,
} from './dto/cash-flow.dto.js';

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

/**
 * The balance of a cycle day by day: what is dated before the cycle counts on its first day,
 * what is dated after it on its last.
 */
export function cashFlowOf(
  { startDate, endDate }: CycleDates,
  openingBalance: Money,
  movements: readonly Movement[],
): CashFlowResponse {
  const totals = new Map<CalendarDate, { incomes: Money; expenses: Money }>();
  for (const { date, incomes, expenses } of movements) {
    const day = date < startDate ? startDate : date > endDate ? endDate : date;
    const total = totals.get(day);
    totals.set(day, {
      incomes: total?.incomes.plus(incomes) ?? incomes,
      expenses: total?.expenses.plus(expenses) ?? expenses,
    });
  }
  const days: CashFlowDayResponse[] = [];
  let balance = openingBalance;
  let lowest = openingBalance;
  let formattedBalance = formatMoney(openingBalance);
  let lowestDay: DayBalanceResponse | undefined;
  const lastDay = dayNumber(endDate);
  for (let number = dayNumber(startDate); number <= lastDay; number += 1) {
    const date = fromDayNumber(number);
    const total = totals.get(date);
    if (total) {
      balance = balance.plus(total.incomes).minus(total.expenses);
      formattedBalance = formatMoney(balance);
    }
    if (!lowestDay || balance.lt(lowest)) {
      lowest = balance;
      lowestDay = { date, balance_usd: formattedBalance };
    }
    days.push({
      date,
      incomes_usd: total ? formatMoney(total.incomes) : '0.00',
      expenses_usd: total ? formatMoney(total.expenses) : '0.00',
      balance_usd: formattedBalance,
    });
  }
  return {
    opening_balance: formatMoney(openingBalance),
    days,
    lowest: lowestDay ?? { date: startDate, balance_usd: formattedBalance },
    closing_balance: formattedBalance,
  };
}
