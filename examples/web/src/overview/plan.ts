/** What the overview shows, from the forecast and the entries of the stored cycles. */
import {
  addAmounts,
  addDays,
  compareAmounts,
  dayOf,
  isNegative,
  subtractAmounts,
} from 'expense-service-client';
import type { Cycle, Expense, Forecast, Income } from '../api';

export interface StoredCycle {
  cycle: Cycle;
  expenses: Expense[];
  incomes: Income[];
}

/** How what is free until the next pay day comes about; amounts in USD. */
export interface Freedom {
  balance: string;
  /** Incomes of today and late ones. */
  incomes: string;
  due: { amount: string; count: number; overdueCount: number };
  /** What a later day needs of what would be left at the end of the window. */
  kept: { amount: string; date: string } | undefined;
  minimum: string;
  /** 0.00 or more. */
  free: string;
  /** The lowest day, where it is below the minimum. */
  short: { by: string; date: string; balance: string } | undefined;
  /** The last day before the next pay day. */
  until: string;
  payDay: string | undefined;
}

export function freedomOf(forecast: Forecast): Freedom {
  const [first, ...later] = forecast.pay_windows;
  if (!first) throw new Error('A forecast has a window that begins today');
  const least = later.reduce<(typeof later)[number] | undefined>(
    (lowest, window) =>
      lowest && compareAmounts(lowest.closing_balance, window.closing_balance) <= 0
        ? lowest
        : window,
    undefined,
  );
  const needed = least ? subtractAmounts(first.closing_balance, least.closing_balance) : '0.00';
  const { lowest, minimum_balance: minimum } = forecast;
  const missing = subtractAmounts(minimum, lowest.balance);
  return {
    balance: forecast.opening_balance,
    incomes: first.incomes,
    due: {
      amount: first.expenses,
      count: first.expense_count,
      overdueCount: forecast.overdue.expense_count,
    },
    kept:
      least && compareAmounts(needed, '0.00') > 0
        ? { amount: needed, date: dayWithBalance(forecast, least) }
        : undefined,
    minimum,
    free: first.free,
    short:
      compareAmounts(missing, '0.00') > 0
        ? { by: missing, date: lowest.date, balance: lowest.balance }
        : undefined,
    until: first.to,
    payDay: later[0]?.from,
  };
}

/** The first day of a window on which its lowest balance is reached. */
const dayWithBalance = (
  { days }: Forecast,
  { from, to, closing_balance }: { from: string; to: string; closing_balance: string },
): string =>
  days?.find(({ date, balance }) => date >= from && date <= to && balance === closing_balance)
    ?.date ?? to;

export interface BalanceDay {
  date: string;
  balance: string;
}

/**
 * The balance at the end of each day before today, from what has been paid and received since: back
 * from what there is now.
 */
export function pastBalances(
  forecast: Forecast,
  { from, timeZone, cycles }: { from: string; timeZone: string; cycles: StoredCycle[] },
): BalanceDay[] {
  const { today } = forecast;
  const changes = new Map<string, string>();
  const add = (date: string, amount: string): void => {
    // Where the day of the sandbox is moved, a payment may be dated after it.
    const day = date > today ? today : date;
    changes.set(day, addAmounts(changes.get(day) ?? '0.00', amount));
  };
  for (const { cycle, expenses, incomes } of cycles) {
    if (cycle.start_date <= today) add(cycle.start_date, cycle.income_amount);
    for (const { paid_at: at, amount_usd: usd } of expenses) {
      if (at !== null) add(dayOf(at, timeZone), subtractAmounts('0.00', usd));
    }
    for (const { received_at: at, amount_usd: usd } of incomes) {
      if (at !== null) add(dayOf(at, timeZone), usd);
    }
  }
  const days: BalanceDay[] = [];
  let balance = forecast.opening_balance;
  for (let date = today; date > from; date = addDays(date, -1)) {
    balance = subtractAmounts(balance, changes.get(date) ?? '0.00');
    days.unshift({ date: addDays(date, -1), balance });
  }
  return days;
}

/** Days in a row on which the balance is below the minimum. */
export interface ShortDays {
  from: string;
  to: string;
  lowest: BalanceDay;
}

export function shortDaysOf({ days, minimum_balance: minimum }: Forecast): ShortDays[] {
  const runs: ShortDays[] = [];
  for (const { date, balance } of days ?? []) {
    if (compareAmounts(balance, minimum) >= 0) continue;
    const run = runs.at(-1);
    if (run?.to === addDays(date, -1)) {
      run.to = date;
      if (compareAmounts(balance, run.lowest.balance) < 0) run.lowest = { date, balance };
    } else runs.push({ from: date, to: date, lowest: { date, balance } });
  }
  return runs;
}

/** Incomes of a day that come in, as the forecast has them. */
export interface PayDay {
  date: string;
  names: string[];
  amount: string;
}

export function payDaysOf({ entries, today }: Forecast): PayDay[] {
  const days = new Map<string, PayDay>();
  for (const { date, entity_type: type, description, amount_usd: usd } of entries ?? []) {
    if (date === today || (type !== 'cycle' && type !== 'cycle_income')) continue;
    const day = days.get(date) ?? { date, names: [], amount: '0.00' };
    days.set(date, {
      date,
      names: [...day.names, description],
      amount: addAmounts(day.amount, usd),
    });
  }
  return [...days.values()];
}

export interface DueExpense {
  expense: Expense;
  cycle: Cycle;
}

/** What is neither paid nor cancelled, by its date. */
export const dueExpenses = (cycles: StoredCycle[]): DueExpense[] =>
  cycles
    .flatMap(({ cycle, expenses }) => expenses.map((expense) => ({ cycle, expense })))
    .filter(({ expense: { status } }) => status === 'pending' || status === 'overdue')
    .sort((a, b) => a.expense.due_date.localeCompare(b.expense.due_date));

export interface ExpectedIncome {
  income: Income;
  cycle: Cycle;
}

export const expectedIncomes = (cycles: StoredCycle[]): ExpectedIncome[] =>
  cycles
    .flatMap(({ cycle, incomes }) => incomes.map((income) => ({ cycle, income })))
    .filter(({ income }) => !income.received)
    .sort((a, b) => a.income.income_date.localeCompare(b.income.income_date));

/** The first pay day on which something of this amount in USD fits, and what it leaves. */
export function firstFit(
  { pay_windows: windows }: Forecast,
  amount: string,
): { date: string; leaves: string } | undefined {
  for (const { from, free } of windows.slice(1)) {
    const leaves = subtractAmounts(free, amount);
    if (!isNegative(leaves)) return { date: from, leaves };
  }
  return undefined;
}
