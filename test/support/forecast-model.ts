/**
 * A reference implementation of the forecast, which shares no code with the service: day by day and
 * entry by entry, without regard to time. What is planned is in `forecast-plan.ts`.
 */
import { cents, money, sumOf, type Cents } from '../model/cents.js';
import { unpaidStatements, withoutPurchases } from './forecast-cards.js';
import { plusDays } from './forecast-periods.js';
import {
  planOf,
  withRates,
  withTemplateChanges,
  type Change,
  type PlannedEntry,
} from './forecast-plan.js';
import {
  completedCycleWarnings,
  cycleWarnings,
  generatedWarnings,
  negativeBalance,
  type ModelWarning,
} from './forecast-warnings.js';
import { plannedOpeningOf } from './opening-model.js';
import type { Household } from './stored-household.js';

export interface ForecastParameters {
  to?: string;
  free_until?: string;
  currency?: 'USD' | 'MXN';
  payment_method_id?: string;
  opening_balance?: string;
  minimum_balance?: string;
  include?: readonly ('days' | 'entries')[];
  set_aside?: 'none' | 'budgets';
}

type Json = Record<string, unknown>;

/** The members of a forecast that are computed with. */
export interface ModelForecast extends Json {
  today: string;
  to: string;
  closing_balance: string;
  cards: { expenses: string; statement_count: number };
  overdue: { expenses: string; expense_count: number; incomes: string; income_count: number };
  days: { date: string; balance: string }[] | null;
  lowest: { date: string; balance: string };
  free_until: string;
  pay_windows: {
    from: string;
    to: string;
    closing_balance: string;
    free: string;
    limited_by: { date: string; balance: string };
  }[];
  cycles: { incomes: string; expenses: string; source: string }[];
  /** Without messages. */
  warnings: ModelWarning[];
}

const MAX_ENTRIES = 2000;

/** An entry that counts: on a day, with a value in the currency of the forecast. */
interface Counted extends PlannedEntry {
  day: string;
  value: Cents;
}

const valuesOf = (entries: readonly Counted[]): Cents => sumOf(entries.map(({ value }) => value));
const isExpense = ({ entity_type }: PlannedEntry): boolean =>
  entity_type === 'cycle_expense' || entity_type === 'card_statement';
const isStatement = ({ entity_type }: PlannedEntry): boolean => entity_type === 'card_statement';
const isSpent = (entry: PlannedEntry): boolean =>
  isExpense(entry) || entry.entity_type === 'budget';
const incomesOf = (entries: readonly Counted[]): Cents =>
  valuesOf(entries.filter((entry) => !isSpent(entry)));
const expensesOf = (entries: readonly Counted[]): Cents => valuesOf(entries.filter(isSpent));

const asideOf = (entries: readonly Counted[]): Cents =>
  valuesOf(entries.filter(({ entity_type }) => entity_type === 'budget'));

/** What is left of a budget, as one entry for each day until its cycle ends. */
function portionsOf(
  left: PlannedEntry,
  { today, free_until }: { today: string; free_until: string },
): PlannedEntry[] {
  const { start_date = today, end_date = today } = left.cycle ?? {};
  const dates: string[] = [];
  for (let date = start_date; date <= end_date; date = plusDays(date, 1)) {
    if (date >= today) dates.push(date);
  }
  const upTo = (whole: Cents, count: number): Cents =>
    (whole * BigInt(count)) / BigInt(dates.length);
  const on = (whole: Cents, index: number): Cents => upTo(whole, index + 1) - upTo(whole, index);
  return dates
    .filter((date) => date <= free_until)
    .map((date, index) => ({
      ...{ ...left, date, amount: on(left.amount, index) },
      amount_usd: on(left.amount_usd, index),
    }));
}

/** With one entry of all portions of a budget in a cycle, on the last day of them. */
function withoutPortions(entries: readonly Counted[]): Counted[] {
  const aside = new Map<string, Counted>();
  const others: Counted[] = [];
  for (const entry of entries) {
    if (entry.entity_type !== 'budget') {
      others.push(entry);
      continue;
    }
    const { cycle, id } = entry;
    const key = `${id ?? ''} ${cycle?.id ?? cycle?.start_date ?? ''}`;
    const before: Partial<Counted> = aside.get(key) ?? {};
    const { amount = 0n, amount_usd = 0n, value = 0n } = before;
    aside.set(key, {
      ...{ ...entry, amount: amount + entry.amount, amount_usd: amount_usd + entry.amount_usd },
      value: value + entry.value,
    });
  }
  return [...others, ...[...aside.values()].filter(({ value }) => value > 0n)];
}

/** The last day of a forecast without a parameter. */
export function defaultTo(today: string): string {
  const day = plusDays(today, 180);
  return day > '2999-12-31' ? '2999-12-31' : day;
}

/** Whether an entry counts in a forecast with these filters, on whatever day. */
function matches(
  entry: PlannedEntry,
  { currency, payment_method_id }: ForecastParameters,
): boolean {
  if (currency !== undefined && entry.currency !== currency) return false;
  return payment_method_id === undefined || entry.payment_method_id === payment_method_id;
}

/** The body of `GET /forecast`, or of a part of `POST /forecast`; messages of warnings left out. */
export function forecastOf(
  stored: Household,
  parameters: ForecastParameters,
  changes: readonly Change[] = [],
  opening = plannedOpeningOf(stored, parameters),
): ModelForecast {
  const household = withTemplateChanges(stored, changes);
  const { today } = household;
  const { to = defaultTo(today) } = parameters;
  const { free_until = to > defaultTo(today) ? to : defaultTo(today) } = parameters;
  const { currency, payment_method_id, include = [] } = parameters;
  const setsBudgetsAside = parameters.set_aside === 'budgets';
  const { containedUntil } = opening;
  const plan = planOf(household, { to: free_until, setsBudgetsAside, containedUntil }, changes);
  const portions = plan.left.flatMap((left) => portionsOf(left, { today, free_until }));
  const filters = { currency, payment_method_id };
  const statements = unpaidStatements(household, plan.added, {
    ...{ filters, until: free_until, mainId: opening.mainId },
  });
  const countedForFree = [
    ...withoutPurchases(household, [...plan.entries, ...portions], filters).filter((entry) =>
      matches(entry, parameters),
    ),
    ...withRates({ today, to: free_until }, statements, changes),
  ]
    .map((entry) => ({
      ...entry,
      day: entry.date < today ? today : entry.date,
      value: currency === undefined ? entry.amount_usd : entry.amount,
    }))
    .filter(({ day }) => day <= free_until);
  const counted = countedForFree.filter(({ day }) => day <= to);

  const minimum = cents(parameters.minimum_balance ?? '0');
  const days: {
    date: string;
    incomes: Cents;
    expenses: Cents;
    set_aside: Cents;
    balance: Cents;
  }[] = [];
  let balance = opening.balance;
  for (let date = today; date <= to; date = plusDays(date, 1)) {
    const ofDay = counted.filter(({ day }) => day === date);
    const [incomes, expenses] = [incomesOf(ofDay), expensesOf(ofDay)];
    balance += incomes - expenses;
    days.push({ date, incomes, expenses, set_aside: asideOf(ofDay), balance });
  }
  const balanceOn = (date: string): Cents =>
    days.find((day) => day.date === (date < today ? today : date > to ? to : date))?.balance ?? 0n;
  let lowest = days[0];
  for (const day of days) if (lowest && day.balance < lowest.balance) lowest = day;
  const low = { date: lowest?.date ?? '', balance: money(lowest?.balance ?? 0n) };

  const late = counted.filter(({ date, entity_type }) => date < today && entity_type !== 'cycle');
  const ofEntries = sortedEntries(withoutPortions(counted)).filter(
    ({ entity_type, amount }) => entity_type !== 'cycle' || amount > 0n,
  );
  return {
    today,
    to,
    free_until,
    currency: currency ?? null,
    payment_method_id: payment_method_id ?? null,
    opening_balance: money(opening.balance),
    opening: {
      source: opening.source,
      stated_at: opening.statedAt === null ? null : new Date(opening.statedAt).toISOString(),
    },
    minimum_balance: money(minimum),
    closing_balance: money(balanceOn(to)),
    lowest: low,
    overdue: {
      expenses: money(expensesOf(late)),
      expense_count: late.filter(isExpense).length,
      incomes: money(incomesOf(late)),
      income_count: late.filter((entry) => !isExpense(entry)).length,
    },
    pay_windows: payWindows(countedForFree, {
      ...{ today, to, free_until, minimum, opening: opening.balance, balanceOn },
    }),
    cards: {
      expenses: money(valuesOf(counted.filter(isStatement))),
      statement_count: counted.filter(isStatement).length,
    },
    cycles: plan.cycles
      .filter(
        (cycle) =>
          (cycle.start_date <= to && cycle.end_date >= today) ||
          counted.some((entry) => entry.cycle === cycle),
      )
      .sort((a, b) => (a.start_date === b.start_date ? 0 : a.start_date < b.start_date ? -1 : 1))
      .map((cycle) => {
        const ofCycle = counted.filter((entry) => entry.cycle === cycle);
        const { id, name, start_date, end_date } = cycle;
        return {
          ...{ id, name, start_date, end_date, source: id === null ? 'proposed' : 'stored' },
          incomes: money(incomesOf(ofCycle)),
          expenses: money(expensesOf(ofCycle)),
          closing_balance: money(balanceOn(end_date)),
        };
      }),
    days: include.includes('days')
      ? days.map((day) => ({
          date: day.date,
          incomes: money(day.incomes),
          expenses: money(day.expenses),
          set_aside: money(day.set_aside),
          balance: money(day.balance),
        }))
      : null,
    entries: include.includes('entries')
      ? ofEntries.slice(0, MAX_ENTRIES).map((entry) => entryView(household, entry))
      : null,
    entries_left_out: include.includes('entries')
      ? Math.max(0, ofEntries.length - MAX_ENTRIES)
      : null,
    warnings: [
      ...(opening.source === 'none' ? [] : negativeBalance(days, minimum, low)),
      ...generatedWarnings(household, counted),
      ...cycleWarnings(household, to).filter(
        ({ code }) => code !== 'ended_cycles' || opening.source !== 'stated',
      ),
      ...completedCycleWarnings(household, counted, to),
    ],
  };
}

function payWindows(
  counted: readonly Counted[],
  {
    today,
    to,
    free_until,
    minimum,
    opening,
    balanceOn,
  }: {
    today: string;
    to: string;
    free_until: string;
    minimum: Cents;
    opening: Cents;
    balanceOn: (date: string) => Cents;
  },
): ModelForecast['pay_windows'] {
  const starts = [today];
  for (let date = plusDays(today, 1); date <= to; date = plusDays(date, 1)) {
    const isPaid = counted.some((entry) => entry.day === date && !isSpent(entry) && entry.value);
    if (isPaid) starts.push(date);
  }
  const lastDays = starts.map((_, index) => {
    const next = starts[index + 1];
    return next === undefined ? to : plusDays(next, -1);
  });
  const certain = counted.filter(
    ({ date, entity_type }) => entity_type !== 'cycle_income' || date >= today,
  );
  const left: { date: string; balance: Cents }[] = [];
  for (let date = today; date <= free_until; date = plusDays(date, 1)) {
    const past = certain.filter(({ day }) => day <= date);
    left.push({ date, balance: opening + incomesOf(past) - expensesOf(past) });
  }
  return starts.map((from, index) => {
    const last = lastDays[index] ?? to;
    const inside = counted.filter(({ day }) => from <= day && day <= last);
    const later = left.filter(({ date }) => date >= from);
    const limit = later.reduce((least, day) => (day.balance < least.balance ? day : least));
    const free = limit.balance - minimum;
    return {
      from,
      to: last,
      incomes: money(incomesOf(inside)),
      expenses: money(expensesOf(inside)),
      expense_count: inside.filter(isExpense).length,
      set_aside: money(asideOf(inside)),
      closing_balance: money(balanceOn(last)),
      free: money(free < 0n ? 0n : free),
      limited_by: { date: limit.date, balance: money(limit.balance) },
    };
  });
}

const ORIGINS = { stored: 'a', generated: 'b' };
const KINDS = ['cycle', 'cycle_expense', 'card_statement', 'budget', 'cycle_income'];

/**
 * By day and kind; those that are added last; by own date, stored ones first, else as before.
 * Budgets of a day stay as they are.
 */
function sortedEntries(entries: readonly Counted[]): Counted[] {
  const placeOf = ({ origin, date, entity_type }: Counted): string =>
    origin === 'added' ? 'z' : entity_type === 'budget' ? '' : `${date} ${ORIGINS[origin]}`;
  const keyOf = (entry: Counted): string =>
    [entry.day, KINDS.indexOf(entry.entity_type), placeOf(entry)].join(' ');
  return [...entries].sort((a, b) => (keyOf(a) === keyOf(b) ? 0 : keyOf(a) < keyOf(b) ? -1 : 1));
}

function entryView({ methods, budgets }: Household, entry: Counted): Json {
  const method = methods.find(({ id }) => id === entry.payment_method_id);
  const budget = budgets.find(({ id }) => id === entry.budget_id);
  return {
    date: entry.day,
    entry_date: entry.date,
    entity_type: entry.entity_type,
    id: entry.id,
    cycle_id: entry.origin === 'stored' ? (entry.cycle?.id ?? null) : null,
    template_id: entry.template_id,
    occurrence_date: entry.occurrence_date,
    instalment: entry.instalment,
    description: entry.description,
    category: entry.category,
    budget: budget ? { id: budget.id, name: budget.name } : null,
    payment_method: method
      ? { id: method.id, name: method.name, method_type: method.method_type }
      : null,
    currency: entry.currency,
    amount: money(entry.amount),
    amount_usd: money(entry.amount_usd),
  };
}

/** The body of `POST /forecast`; messages of warnings left out. */
export function whatIfOf(
  household: Household,
  parameters: ForecastParameters,
  changes: readonly Change[],
  opening = plannedOpeningOf(household, parameters),
): { base: ModelForecast; changed: ModelForecast; difference: Json } {
  const base = forecastOf(household, parameters, [], opening);
  const changed = forecastOf(household, parameters, changes, opening);
  const minus = (valueOf: (forecast: ModelForecast) => string | undefined): string =>
    money(cents(valueOf(changed) ?? '') - cents(valueOf(base) ?? ''));
  return {
    base,
    changed,
    difference: {
      closing_balance: minus(({ closing_balance }) => closing_balance),
      lowest_balance: minus(({ lowest }) => lowest.balance),
      free: minus(({ pay_windows }) => pay_windows[0]?.free),
    },
  };
}
