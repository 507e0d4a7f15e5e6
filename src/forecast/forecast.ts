import { withPauses } from '../platform/process/pauses.js';
import { dayNumber, fromDayNumber, type CalendarDate } from '../platform/values/calendar-date.js';
import type { Cents } from '../platform/values/money.js';
import { compareText } from '../platform/values/text.js';
import type { Opening } from './opening.js';
import { payWindows, type PayWindow } from './pay-windows.js';
import type { Plan } from './plan.js';
import { isStored, type PlannedCycle } from './planned-cycle.js';
import {
  FORECAST_ENTRY_TYPES,
  type ForecastEntryType,
  type PlannedEntry,
} from './planned-entry.js';
import type { ForecastQuery } from './query.js';
import { budgetsWithRest, setAsideByDay, setAsideEntry, type PlannedBudget } from './set-aside.js';
import { warningsOf, type ForecastWarnings } from './warnings.js';

/** The entries of a response. */
const MAX_SHOWN_ENTRIES = 2000;

/** What is left, day by day. */
export interface Forecast {
  query: ForecastQuery;
  opening: Opening;
  closingBalance: Cents;
  /** The first day with the lowest balance. */
  lowest: Day;
  /** What is dated before today, and counts today. */
  overdue: Sums;
  payWindows: PayWindow[];
  cycles: ForecastCycle[];
  /** The statements of cards. */
  cards: Sums;
  days: Day[];
  warnings: ForecastWarnings;
}

/** Sums in the currency of the forecast. */
export interface Sums {
  incomes: Cents;
  expenses: Cents;
  incomeCount: number;
  expenseCount: number;
}

const noSums = (): Sums => ({ incomes: 0n, expenses: 0n, incomeCount: 0, expenseCount: 0 });

/** The balance at the end of a day. */
export interface Balance {
  date: CalendarDate;
  balance: Cents;
}

/** A day of a forecast: what counts on it, and the balance at its end. */
export interface Day extends Sums, Balance {
  /** What of the expenses is set aside for budgets. */
  setAside: Cents;
  /** What counts on the day, and what is set aside until it, which is in no sum. */
  entries: PlannedEntry[];
}

/** A cycle of a forecast: what counts of it, and the balance of everything at its end. */
export interface ForecastCycle extends Sums {
  cycle: PlannedCycle;
  closingBalance: Cents;
}

/**
 * What is left, day by day, until the last day that is shown. A function of its parameters alone:
 * what changes would make of it is the forecast of another plan. Other requests run meanwhile.
 *
 * @throws DomainError CYCLE_GENERATION_ERROR when budgets and new entries are too many
 */
export async function forecast(plan: Plan, query: ForecastQuery): Promise<Forecast> {
  const budgets = budgetsWithRest(plan);
  const { days: countedDays, overdue, ofCycles, cards } = await sumsOf(plan, query);
  await setAside(budgets, { days: countedDays, ofCycles }, query);
  let { balance } = plan.opening;
  for (const day of countedDays) {
    balance += day.incomes - day.expenses;
    day.balance = balance;
  }
  const days = countedDays.filter(({ date }) => date <= query.to);
  const lowest = days.reduce((low, day) => (day.balance < low.balance ? day : low));
  return {
    query,
    opening: plan.opening,
    closingBalance: days.at(-1)?.balance ?? plan.opening.balance,
    lowest,
    overdue,
    payWindows: payWindows(countedDays, {
      to: query.to,
      minimum: query.minimumBalance,
      late: overdue.incomes,
    }),
    cycles: shownCycles(plan, ofCycles, days),
    cards,
    days,
    warnings: warningsOf(plan, days, query),
  };
}

/** What counts by day, by cycle and as statements, and what of it is dated before today. */
async function sumsOf(
  { entries, cycles }: Plan,
  { today, to, freeUntil, currency }: ForecastQuery,
): Promise<{
  days: Day[];
  overdue: Sums;
  ofCycles: ReadonlyMap<PlannedCycle, Sums>;
  cards: Sums;
}> {
  const days = daysFrom(today, freeUntil);
  const dayOf = new Map(days.map((day) => [day.date, day]));
  for (const entry of entries) {
    dayOf.get(entry.date < today ? today : entry.date)?.entries.push(entry);
  }
  const ofCycles = new Map(cycles.map((cycle) => [cycle, noSums()]));
  const [overdue, cards] = [noSums(), noSums()];
  for await (const day of withPauses(days)) {
    for (const entry of day.entries) {
      const amount = currency === 'MXN' ? entry.amount : entry.amountUsd;
      add(day, entry, amount);
      if (entry.date < today) add(overdue, entry, amount);
      if (day.date > to) continue;
      const sums =
        entry.type === 'card_statement' ? cards : entry.cycle && ofCycles.get(entry.cycle);
      if (sums) add(sums, entry, amount);
    }
  }
  return { days, overdue, ofCycles, cards };
}

function daysFrom(today: CalendarDate, until: CalendarDate): Day[] {
  const [first, last] = [dayNumber(today), dayNumber(until)];
  return Array.from({ length: last - first + 1 }, (_, index) => ({
    date: fromDayNumber(first + index),
    entries: [],
    incomes: 0n,
    expenses: 0n,
    incomeCount: 0,
    expenseCount: 0,
    setAside: 0n,
    balance: 0n,
  }));
}

function add(sums: Sums, { type, count }: PlannedEntry, amount: Cents): void {
  if (type === 'cycle_expense' || type === 'card_statement') {
    sums.expenses += amount;
    sums.expenseCount += count;
  } else {
    sums.incomes += amount;
    sums.incomeCount += count;
  }
}

/** Adds what budgets set aside to the days and cycles, and the entries that show it to the days. */
async function setAside(
  budgets: readonly PlannedBudget[],
  { days, ofCycles }: { days: readonly Day[]; ofCycles: ReadonlyMap<PlannedCycle, Sums> },
  query: ForecastQuery,
): Promise<void> {
  for await (const budget of withPauses(budgets)) {
    const { first, amounts, dayCount } = setAsideByDay(budget, query);
    const ofCycle = ofCycles.get(budget.cycle);
    const firstIndex = dayNumber(first) - dayNumber(query.today);
    let shown = 0n;
    let lastShown: { day: Day; days: number } | undefined;
    for (const [index, amount] of amounts.entries()) {
      const day = days[firstIndex + index];
      if (!day) break;
      day.expenses += amount;
      day.setAside += amount;
      if (day.date > query.to) continue;
      if (ofCycle) ofCycle.expenses += amount;
      shown += amount;
      lastShown = { day, days: index + 1 };
    }
    if (!lastShown || shown === 0n) continue;
    const { day, days: shownDays } = lastShown;
    day.entries.push(setAsideEntry(budget, { date: day.date, days: shownDays, dayCount }));
  }
}

/** The cycles that have a day that is shown, and the stored ones of which something counts. */
function shownCycles(
  { cycles }: Plan,
  ofCycles: ReadonlyMap<PlannedCycle, Sums>,
  days: readonly Day[],
): ForecastCycle[] {
  const [first, last] = [days[0], days.at(-1)] as [Day, Day];
  return cycles.flatMap((cycle) => {
    const sums = ofCycles.get(cycle) ?? noSums();
    const hasDay = cycle.startDate <= last.date && cycle.endDate >= first.date;
    const hasEntries = sums.incomeCount + sums.expenseCount > 0;
    if (!hasDay && !(isStored(cycle) && hasEntries)) return [];
    const end = days[dayNumber(cycle.endDate) - dayNumber(first.date)];
    const { balance } = end ?? (cycle.endDate < first.date ? first : last);
    return [{ cycle, ...sums, closingBalance: balance }];
  });
}

/** An entry and the day on which it counts. */
export interface ShownEntry {
  day: CalendarDate;
  entry: PlannedEntry;
}

/** The first entries by day, kind and own date, and how many more there are. */
export function shownEntries(days: readonly Day[]): { shown: ShownEntry[]; leftOut: number } {
  const shown: ShownEntry[] = [];
  for (const { date: day, entries } of days) {
    if (shown.length === MAX_SHOWN_ENTRIES) break;
    // The sort is stable.
    const sorted = entries.toSorted(byKindThenDate).slice(0, MAX_SHOWN_ENTRIES - shown.length);
    shown.push(...sorted.map((entry) => ({ day, entry })));
  }
  const count = days.reduce((sum, { entries }) => sum + entries.length, 0);
  return { shown, leftOut: count - shown.length };
}

const RANK = Object.fromEntries(FORECAST_ENTRY_TYPES.map((type, rank) => [type, rank])) as Record<
  ForecastEntryType,
  number
>;

const byKindThenDate = (a: PlannedEntry, b: PlannedEntry): number =>
  RANK[a.type] - RANK[b.type] || compareText(a.date, b.date);
