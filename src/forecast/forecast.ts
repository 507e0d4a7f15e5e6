import type { BudgetReference } from '../budgets/dto/budget.dto.js';
import type { PaymentMethodReference } from '../payment-methods/dto/payment-method.dto.js';
import { withPauses } from '../platform/process/pauses.js';
import { dayNumber, fromDayNumber, type CalendarDate } from '../platform/values/calendar-date.js';
import { centsOf, formatCents, formatMoney, type Cents } from '../platform/values/money.js';
import { compareText } from '../platform/values/text.js';
import type {
  ForecastCycleResponse,
  ForecastEntryResponse,
  ForecastResponse,
} from './dto/forecast.dto.js';
import { payWindows } from './pay-windows.js';
import {
  FORECAST_ENTRY_TYPES,
  type ForecastEntryType,
  type ForecastQuery,
  type Plan,
  type PlannedCycle,
  type PlannedEntry,
} from './plan.js';
import { warningsOf } from './warnings.js';

/** The entries of a response. */
const MAX_SHOWN_ENTRIES = 2000;

/** In the currency of the forecast. */
export interface Sums {
  incomes: Cents;
  expenses: Cents;
  incomeCount: number;
  expenseCount: number;
}

const noSums = (): Sums => ({ incomes: 0n, expenses: 0n, incomeCount: 0, expenseCount: 0 });

/** A day of a forecast: what counts on it, and the balance at its end. */
export interface Day extends Sums {
  date: CalendarDate;
  entries: PlannedEntry[];
  balance: Cents;
}

/**
 * What is left, day by day, until the last day of the query. A function of its parameters alone:
 * what changes would make of it is the forecast of another plan. Other requests run meanwhile.
 */
export async function forecast(plan: Plan, query: ForecastQuery): Promise<ForecastResponse> {
  const { today, to, currency, paymentMethodId, minimumBalance, include } = query;
  const opening = openingBalance(plan, query);
  const { days, overdue, ofCycles } = await sumsOf(plan, query);
  let balance = opening;
  for (const day of days) {
    balance += day.incomes - day.expenses;
    day.balance = balance;
  }
  const lowest = days.reduce((low, day) => (day.balance < low.balance ? day : low));
  const shown = include.includes('entries') ? shownEntries(days) : null;
  return {
    today,
    to,
    currency,
    payment_method_id: paymentMethodId,
    opening_balance: formatCents(opening),
    minimum_balance: formatMoney(minimumBalance),
    closing_balance: formatCents(balance),
    lowest: { date: lowest.date, balance: formatCents(lowest.balance) },
    overdue: {
      expenses: formatCents(overdue.expenses),
      expense_count: overdue.expenseCount,
      incomes: formatCents(overdue.incomes),
      income_count: overdue.incomeCount,
    },
    pay_windows: payWindows(days, centsOf(formatMoney(minimumBalance))),
    cycles: shownCycles(plan, ofCycles, days),
    days: include.includes('days') ? days.map(toDay) : null,
    entries: shown,
    entries_left_out: shown && countEntries(days) - shown.length,
    warnings: warningsOf({ plan, days, lowest, query }),
  };
}

function openingBalance(
  { settled }: Plan,
  { openingBalance: given, currency, paymentMethodId }: ForecastQuery,
): Cents {
  if (given) return centsOf(formatMoney(given));
  return currency === null && paymentMethodId === null ? centsOf(formatMoney(settled)) : 0n;
}

/** What counts by day and by cycle, and what of it is dated before today. */
async function sumsOf(
  { entries, cycles }: Plan,
  { today, to, currency }: ForecastQuery,
): Promise<{ days: Day[]; overdue: Sums; ofCycles: ReadonlyMap<PlannedCycle, Sums> }> {
  const days = daysFrom(today, to);
  const dayOf = new Map(days.map((day) => [day.date, day]));
  for (const entry of entries) {
    dayOf.get(entry.date < today ? today : entry.date)?.entries.push(entry);
  }
  const ofCycles = new Map(cycles.map((cycle) => [cycle, noSums()]));
  const overdue = noSums();
  for await (const day of withPauses(days)) {
    for (const entry of day.entries) {
      const amount = centsOf(currency === 'MXN' ? entry.amount : entry.amount_usd);
      add(day, entry, amount);
      if (entry.date < today) add(overdue, entry, amount);
      const ofCycle = entry.cycle && ofCycles.get(entry.cycle);
      if (ofCycle) add(ofCycle, entry, amount);
    }
  }
  return { days, overdue, ofCycles };
}

function daysFrom(today: CalendarDate, to: CalendarDate): Day[] {
  const [first, last] = [dayNumber(today), dayNumber(to)];
  return Array.from({ length: last - first + 1 }, (_, index) => ({
    date: fromDayNumber(first + index),
    entries: [],
    balance: 0n,
    ...noSums(),
  }));
}

function add(sums: Sums, { entity_type: type, count = 1 }: PlannedEntry, amount: Cents): void {
  if (type === 'cycle_expense') {
    sums.expenses += amount;
    sums.expenseCount += count;
  } else if (type === 'budget') {
    sums.expenses += amount;
  } else {
    sums.incomes += amount;
    sums.incomeCount += count;
  }
}

/** The cycles that would follow, and the stored ones that have a day or something that counts. */
function shownCycles(
  { cycles }: Plan,
  ofCycles: ReadonlyMap<PlannedCycle, Sums>,
  days: readonly Day[],
): ForecastCycleResponse[] {
  const [first, last] = [days[0], days.at(-1)] as [Day, Day];
  return cycles.flatMap((cycle) => {
    const sums = ofCycles.get(cycle) ?? noSums();
    const hasDay = cycle.start_date <= last.date && cycle.end_date >= first.date;
    const counts = sums.incomeCount + sums.expenseCount > 0;
    if (cycle.id !== null && !hasDay && !counts) return [];
    const { id, name, start_date, end_date } = cycle;
    const end = days[dayNumber(end_date) - dayNumber(first.date)];
    return {
      id,
      name,
      start_date,
      end_date,
      source: id === null ? 'proposed' : 'stored',
      incomes: formatCents(sums.incomes),
      expenses: formatCents(sums.expenses),
      closing_balance: formatCents((end ?? (end_date < first.date ? first : last)).balance),
    };
  });
}

const toDay = ({ date, incomes, expenses, balance }: Day) => ({
  date,
  incomes: formatCents(incomes),
  expenses: formatCents(expenses),
  balance: formatCents(balance),
});

const countEntries = (days: readonly Day[]): number =>
  days.reduce((count, { entries }) => count + entries.length, 0);

/** The first ones by day, kind and own date; the sort is stable. */
function shownEntries(days: readonly Day[]): ForecastEntryResponse[] {
  const shown: ForecastEntryResponse[] = [];
  for (const { date, entries } of days) {
    if (shown.length === MAX_SHOWN_ENTRIES) break;
    const sorted = entries.toSorted(byKindThenDate).slice(0, MAX_SHOWN_ENTRIES - shown.length);
    shown.push(...sorted.map((entry) => toEntry(entry, date)));
  }
  return shown;
}

const RANK = Object.fromEntries(FORECAST_ENTRY_TYPES.map((type, rank) => [type, rank])) as Record<
  ForecastEntryType,
  number
>;

const byKindThenDate = (a: PlannedEntry, b: PlannedEntry): number =>
  RANK[a.entity_type] - RANK[b.entity_type] || compareText(a.date, b.date);

const toEntry = (entry: PlannedEntry, date: CalendarDate): ForecastEntryResponse => ({
  date,
  entry_date: entry.date,
  entity_type: entry.entity_type,
  id: entry.id,
  cycle_id: entry.cycle?.id ?? null,
  template_id: entry.template_id,
  occurrence_date: entry.occurrence_date,
  description: entry.description,
  category: entry.category,
  budget: budgetOf(entry),
  payment_method: paymentMethodOf(entry),
  currency: entry.currency,
  amount: entry.amount,
  amount_usd: entry.amount_usd,
});

const budgetOf = ({ budget_id: id, budget_name: name }: PlannedEntry): BudgetReference | null =>
  id === null || name === null ? null : { id, name };

function paymentMethodOf({
  payment_method_id: id,
  method_name: name,
  method_type,
}: PlannedEntry): PaymentMethodReference | null {
  return id === null || name === null || method_type === null ? null : { id, name, method_type };
}
