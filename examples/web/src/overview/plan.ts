/** What the overview shows, from the forecast and the entries of the stored cycles. */
import {
  addAmounts,
  addDays,
  compareAmounts,
  dayOf,
  subtractAmounts,
  type Schemas,
} from 'expense-service-client';
import type { Cycle, Forecast } from '../api';
import { paidUsd, type Statement } from '../cards/statement';
import { inCycle, isOpen, type ExpenseEntry, type IncomeEntry } from '../entries/entry';

export interface StoredCycle {
  cycle: Cycle;
  expenses: ExpenseEntry[];
  incomes: IncomeEntry[];
}

type ForecastCycle = Forecast['cycles'][number];

export interface Plan {
  /** Without incomes that are late. Its cycles are without trips. */
  forecast: Forecast;
  /** Incomes that are late, which are no money yet. */
  late: { usd: string; incomes: IncomeEntry[] };
  user: Schemas['UserResponse'];
  /** Of cards, with those that are paid. */
  statements: Statement[];
  /** The stored cycles that are not completed. */
  cycles: StoredCycle[];
  /** The active or draft cycle that includes today. */
  current: StoredCycle | undefined;
  /** The cycle that begins next, stored or proposed; without a current one, that of today. */
  next: ForecastCycle | undefined;
  /** Whether the current cycle is about to end, or none includes today: what follows counts. */
  isEnding: boolean;
}

interface Sources extends Pick<Plan, 'user' | 'statements'> {
  forecast: Forecast;
  cycles: readonly Cycle[];
  /** Of the cycles that are not completed. */
  expenses: readonly Schemas['FoundExpenseResponse'][];
  incomes: readonly Schemas['FoundIncomeResponse'][];
}

export function planOf({ user, forecast, statements, ...sources }: Sources): Plan {
  const { today } = forecast;
  const cycles = sources.cycles
    .filter(({ status }) => status !== 'completed')
    .sort((a, b) => a.start_date.localeCompare(b.start_date))
    .map((cycle): StoredCycle => {
      const isOf = (entry: { cycle: { id: string } }) => entry.cycle.id === cycle.id;
      return {
        cycle,
        expenses: inCycle(sources.expenses.filter(isOf), cycle.id, statements),
        incomes: inCycle(sources.incomes.filter(isOf), cycle.id, statements),
      };
    });
  const main = cycles.filter(({ cycle }) => !cycle.side);
  const current = main.find(({ cycle }) => cycle.start_date <= today && today <= cycle.end_date);
  const sides = cycles.flatMap(({ cycle: { side, id } }) => (side ? id : []));
  const ofForecast = forecast.cycles.filter(({ id }) => id === null || !sides.includes(id));
  const end = current?.cycle.end_date;
  return {
    user,
    statements,
    cycles,
    current,
    forecast: { ...withoutLate(forecast), cycles: ofForecast },
    late: {
      usd: forecast.overdue.incomes,
      incomes: cycles
        .flatMap(({ incomes }) => incomes)
        .filter((each) => isOpen(each) && !each.statement && each.income_date < today),
    },
    next: ofForecast.find(
      ({ id, start_date, end_date }) =>
        (id === null || main.some(({ cycle }) => cycle.id === id)) &&
        (end === undefined ? end_date >= today : start_date > end),
    ),
    isEnding: isNearEnd(today, end),
  };
}

/** How many days before its end a cycle is about to end. */
const LAST_DAYS = 6;

const isNearEnd = (today: string, end: string | undefined): boolean =>
  end === undefined || addDays(today, LAST_DAYS) >= end;

/** The forecast as what is free has it: nothing that should have arrived already is counted. */
export function withoutLate(forecast: Forecast): Forecast {
  const { days, lowest, pay_windows: windows, overdue } = forecast;
  const less = (amount: string) => subtractAmounts(amount, overdue.incomes);
  const lessToday = ({ incomes }: { incomes: string }, i: number) =>
    i === 0 ? less(incomes) : incomes;
  return {
    ...forecast,
    closing_balance: less(forecast.closing_balance),
    lowest: { ...lowest, balance: less(lowest.balance) },
    overdue: { ...overdue, incomes: '0.00', income_count: 0 },
    pay_windows: windows.map((window, i) => ({
      ...window,
      incomes: lessToday(window, i),
      closing_balance: less(window.closing_balance),
    })),
    days:
      days?.map((day, i) => ({
        ...day,
        incomes: lessToday(day, i),
        balance: less(day.balance),
      })) ?? null,
  };
}

/** The balance at the end of a day; undefined for a day that the forecast does not have. */
export const balanceOn = ({ days }: Forecast, date: string): string | undefined =>
  days?.find((day) => day.date === date)?.balance;

/** The lowest of the days from one to another; undefined where the forecast has none of them. */
export const lowestOf = ({ days }: Forecast, from: string, to: string): BalanceDay | undefined =>
  days
    ?.filter(({ date }) => date >= from && date <= to)
    .sort((a, b) => compareAmounts(a.balance, b.balance))[0];

export interface BalanceDay {
  date: string;
  balance: string;
}

/**
 * The balance at the end of each day of the current cycle before today, from what has been paid and
 * received since: back from what there is now.
 */
export function pastBalances({ forecast, user, cycles, statements, current }: Plan): BalanceDay[] {
  const { today, opening_balance } = forecast;
  const from = current?.cycle.start_date ?? today;
  const changes = new Map<string, string>();
  const add = (time: string | null, amount: string): void => {
    if (time === null) return;
    const date = time.length === 10 ? time : dayOf(time, user.time_zone);
    // Where the day of the sandbox is moved, a payment may be dated after it.
    const day = date > today ? today : date;
    changes.set(day, addAmounts(changes.get(day) ?? '0.00', amount));
  };
  for (const { cycle, expenses, incomes } of cycles) {
    if (cycle.start_date <= today) add(cycle.start_date, cycle.income_amount);
    for (const { paid_at, amount_usd, statement } of expenses)
      if (!statement) add(paid_at, `-${amount_usd}`);
    for (const { received_at, amount_usd, statement } of incomes)
      if (!statement) add(received_at, amount_usd);
  }
  for (const statement of statements) add(statement.paid_at, `-${paidUsd(statement)}`);
  const days: BalanceDay[] = [];
  let balance = opening_balance;
  for (let date = today; date > from; date = addDays(date, -1)) {
    balance = subtractAmounts(balance, changes.get(date) ?? '0.00');
    days.unshift({ date: addDays(date, -1), balance });
  }
  return days;
}

/** Incomes of a day, as they were received or as the forecast has them. */
export interface PayDay {
  date: string;
  names: string[];
  amount: string;
}

export function payDaysOf({ forecast, user, cycles }: Plan): PayDay[] {
  const { today, entries } = forecast;
  const days = new Map<string, PayDay>();
  const add = (date: string, name: string, usd: string): void => {
    const { names, amount } = days.get(date) ?? { names: [], amount: '0.00' };
    if (date !== today)
      days.set(date, { date, names: [...names, name], amount: addAmounts(amount, usd) });
  };
  const incomes = cycles.flatMap((each) => each.incomes).filter(({ statement }) => !statement);
  for (const { received_at, description, amount_usd } of incomes) {
    const date = received_at && dayOf(received_at, user.time_zone);
    if (date && date < today) add(date, description, amount_usd);
  }
  for (const { date, entity_type: type, description, amount_usd } of entries ?? []) {
    if (type === 'cycle' || type === 'cycle_income') add(date, description, amount_usd);
  }
  return [...days.values()].sort((a, b) => a.date.localeCompare(b.date));
}
