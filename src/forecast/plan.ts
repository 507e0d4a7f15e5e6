/** What a forecast is made of, as plain data, and how that comes from what is stored. */
import {
  holdingsOf,
  incomeAmountsOf,
  type Holding,
  type IncomeAmount,
} from '../balances/holdings.js';
import type { StatedRow } from '../balances/holdings.queries.js';
import type { DatedAmount, UsdConverter } from '../exchange-rates/exchange-rates.service.js';
import type { Gap } from '../ledger/following-cycles.js';
import { conversionOf, type DueOccurrence } from '../ledger/generation/entry-generator.js';
import { withPauses } from '../platform/process/pauses.js';
import { addDays, type CalendarDate } from '../platform/values/calendar-date.js';
import { centsOf } from '../platform/values/money.js';
import { compareText } from '../platform/values/text.js';
import { dayIn } from '../platform/values/time-zone.js';
import { roleOf, statementEntries, type PlannedCards, type ToUsd } from './card-statements.js';
import type { OpenInCompleted } from './completed-cycles.queries.js';
import { openingOf, type Opening } from './opening.js';
import type { PlannedCycle, StoredCycle } from './planned-cycle.js';
import { plannedEntry, type PlannedEntry } from './planned-entry.js';
import { isInForecast, type ForecastQuery } from './query.js';
import { plannedBudgets, type PlannedBudget, type StoredBudgets } from './set-aside.js';

/** Everything that a forecast is made of. */
export interface Plan {
  /** The draft and active cycles, and those that would follow, by start date, then creation. */
  cycles: readonly PlannedCycle[];
  /**
   * The entries in the forecast: incomes of cycles, then stored entries, then generated and added
   * ones, each in the order of creation or generation, then statements of cards.
   */
  entries: readonly PlannedEntry[];
  cards: PlannedCards;
  /**
   * Generated, added and changed purchases and credits of statements, which count with these alone.
   */
  purchases: readonly PlannedEntry[];
  /** How many entries templates and changes give, whether or not they are in the forecast. */
  newEntryCount: number;
  opening: Opening;
  /** What there is in payment methods that are inactive. */
  inactiveHoldings: readonly Holding[];
  /** What is left of budgets, where it is set aside. */
  budgets: readonly PlannedBudget[];
  /** The days until `to` before the latest end date that no stored cycle has. */
  gaps: readonly Gap[];
  /** The cycles of all states, in the order of creation. */
  storedCycles: readonly StoredCycle[];
  /** What is open in completed cycles, latest first. */
  openInCompleted: readonly OpenInCompleted[];
}

/** A cycle that would follow, and what templates give in it, whether or not it is in the forecast. */
export interface FollowingCycle {
  cycle: PlannedCycle;
  /** The occurrences in the order of generation. */
  occurrences: readonly DueOccurrence[];
}

/** What is read of the database. */
export interface StoredPlan extends Pick<
  Plan,
  'newEntryCount' | 'storedCycles' | 'openInCompleted'
> {
  /** The cycles that would follow, by date. */
  following: readonly FollowingCycle[];
  /** The days before the latest end date that no stored cycle has. */
  gaps: readonly Gap[];
  /** The open entries in the forecast, by kind and date, then creation. */
  open: readonly PlannedEntry[];
  /** The stored occurrences that changes of templates can replace, in the forecast or not. */
  occurrences: readonly PlannedEntry[];
  /** What such changes take away from statements, with amounts below 0.00, and add to them. */
  purchases: readonly PlannedEntry[];
  budgets: StoredBudgets;
  cards: PlannedCards;
  /** What was paid for statements, on the owner's days. */
  payments: readonly DatedAmount[];
  stated: Stated;
  converter: UsdConverter;
}

/** The balances of payment methods. */
export interface Stated {
  rows: readonly StatedRow[];
  /**
   * The day of the balance of the main payment method, by which every `income_amount` has been
   * received; null where no balance counts, or the request gives what there is.
   */
  on: CalendarDate | null;
  /** What the main payment method has received since then as `income_amount`. */
  incomeAmounts: readonly IncomeAmount[];
}

/**
 * The balances that a forecast begins with.
 *
 * @param cycles stored and following ones
 */
export function statedIn(
  rows: readonly StatedRow[],
  cycles: readonly PlannedCycle[],
  { today, openingBalance }: ForecastQuery,
  timeZone: string,
): Stated {
  const main = openingBalance === null ? rows.find(({ isMain }) => isMain) : undefined;
  if (!main) return { rows, on: null, incomeAmounts: [] };
  const on = dayIn(timeZone, new Date(main.statedAt));
  const incomeAmounts = incomeAmountsOf(cycles, { after: on, until: addDays(today, -1) });
  return { rows, on, incomeAmounts };
}

/** The generated occurrences that are in the forecast or in its statements, of all cycles. */
export const occurrencesInForecast = (
  following: readonly FollowingCycle[],
  query: ForecastQuery,
  cards: PlannedCards,
): DueOccurrence[] =>
  following.flatMap(({ occurrences }) =>
    occurrences.filter((one) => roleOfOccurrence(one, query, cards) !== null),
  );

const roleOfOccurrence = (
  occurrence: DueOccurrence,
  query: ForecastQuery,
  cards: PlannedCards,
): ReturnType<typeof roleOf> => roleOf(toNewEntry(occurrence), query, cards);

/** What decides how an occurrence counts, and what is needed to convert it. */
export const toNewEntry = ({
  date,
  template: { currency, paymentMethod },
}: DueOccurrence): Pick<PlannedEntry, 'date' | 'currency' | 'paymentMethod'> => ({
  date,
  currency,
  paymentMethod,
});

/**
 * The plan of what is stored and generated. Other requests run meanwhile.
 *
 * @throws DomainError CYCLE_GENERATION_ERROR with the template whose amount cannot be converted;
 *   CURRENCY_CONVERSION_ERROR for balances in pesos without a stored rate
 */
export async function toPlan(read: StoredPlan, query: ForecastQuery): Promise<Plan> {
  const openCycles = read.storedCycles.filter(({ status }) => status !== 'completed');
  const cycles = [...openCycles, ...read.following.map(({ cycle }) => cycle)].toSorted(byStart);
  const hasBegun = ({ startDate }: PlannedCycle): boolean => startDate < query.today;
  const { stated, converter } = read;
  const incomes = cycles.filter(
    (cycle) =>
      !hasBegun(cycle) &&
      cycle.incomeAmount > 0n &&
      (stated.on === null || cycle.startDate > stated.on),
  );
  const settled = [
    ...openCycles.map((cycle) => cycle.settled),
    ...cycles.filter(hasBegun).map(({ incomeAmount }) => incomeAmount),
    ...read.payments
      .filter(({ date }) => !isInCompletedAlone(date, read.storedCycles))
      .map((payment) => -centsOf(converter.exchange(payment, 'USD'))),
  ];
  const holdings = holdingsOf(stated.rows, stated.incomeAmounts, converter);
  const { entries: generated, purchases: bought } = await generatedEntries(read, query);
  const purchases = [...read.purchases, ...bought];
  const { cards } = read;
  const toUsd: ToUsd = (amount) =>
    centsOf(converter.exchange({ ...amount, date: query.today }, 'USD'));
  return {
    cycles,
    entries: [
      ...incomes.map(incomeOf).filter((entry) => isInForecast(entry, query)),
      ...read.open,
      ...generated,
      ...(await statementEntries(cards, purchases, query, { toUsd, converter })),
    ],
    cards,
    purchases,
    newEntryCount: read.newEntryCount,
    opening: openingOf(query, {
      holdings,
      settled: settled.reduce((sum, amount) => sum + amount, 0n),
      converter,
    }),
    inactiveHoldings: holdings.filter(({ counts }) => !counts),
    budgets: await plannedBudgets(read, query),
    gaps: shownGaps(read.gaps, query),
    storedCycles: read.storedCycles,
    openInCompleted: read.openInCompleted,
  };
}

const shownGaps = (gaps: readonly Gap[], { to }: ForecastQuery): Gap[] =>
  gaps.filter(({ from }) => from <= to).map((gap) => (gap.to > to ? { ...gap, to } : gap));

/** The sort is stable. */
const byStart = (a: PlannedCycle, b: PlannedCycle): number => compareText(a.startDate, b.startDate);

/** What the `income_amount` of a cycle adds on its first day. */
const incomeOf = (cycle: PlannedCycle): PlannedEntry =>
  plannedEntry({
    type: 'cycle',
    cycle,
    id: cycle.id,
    date: cycle.startDate,
    description: cycle.name,
    currency: 'USD',
    amount: cycle.incomeAmount,
    amountUsd: cycle.incomeAmount,
  });

/** Whether only completed cycles have a day. */
function isInCompletedAlone(day: CalendarDate, cycles: readonly StoredCycle[]): boolean {
  const having = cycles.filter(({ startDate, endDate }) => startDate <= day && endDate >= day);
  return having.length > 0 && having.every(({ status }) => status === 'completed');
}

async function generatedEntries(
  { following, converter, cards }: StoredPlan,
  query: ForecastQuery,
): Promise<Pick<Plan, 'entries' | 'purchases'>> {
  const entries: PlannedEntry[] = [];
  const purchases: PlannedEntry[] = [];
  for await (const { cycle, occurrences } of withPauses(following)) {
    for (const occurrence of occurrences) {
      const role = roleOfOccurrence(occurrence, query, cards);
      if (role === null) continue;
      const entry = generatedEntry(occurrence, cycle, converter);
      (role === 'entry' ? entries : purchases).push(entry);
    }
  }
  return { entries, purchases };
}

function generatedEntry(
  occurrence: DueOccurrence,
  cycle: PlannedCycle,
  converter: UsdConverter,
): PlannedEntry {
  const { template, date, ruleDate, instalment, amount } = occurrence;
  const { amountUsd, ...rate } = conversionOf(occurrence, converter);
  const isExpense = template.kind === 'expense';
  return plannedEntry({
    type: isExpense ? 'cycle_expense' : 'cycle_income',
    cycle,
    date,
    templateId: template.id,
    occurrenceDate: ruleDate,
    instalment,
    description: template.description,
    category: isExpense ? template.category : null,
    budget: template.budget,
    paymentMethod: template.paymentMethod,
    currency: template.currency,
    amount: centsOf(amount),
    amountUsd: centsOf(amountUsd),
    generated: rate,
  });
}
