import type { Holding } from '../balances/holdings.js';
import { oldestRateDate } from '../exchange-rates/rate-age.js';
import type { Gap } from '../ledger/following-cycles.js';
import { latestEndedBefore } from '../ledger/periods.js';
import type { UsedPaymentMethod } from '../payment-methods/payment-method.entity.js';
import { addDays, dayNumber, fromDayNumber } from '../platform/values/calendar-date.js';
import type { Cents } from '../platform/values/money.js';
import { compareText } from '../platform/values/text.js';
import type { OpenInCompleted } from './completed-cycles.queries.js';
import type { Day } from './forecast.js';
import type { Plan } from './plan.js';
import { isStored, type StoredCycle } from './planned-cycle.js';
import type { PlannedEntry } from './planned-entry.js';
import type { ForecastQuery } from './query.js';

/** What a forecast warns about; an empty list gives no warning. */
export interface ForecastWarnings {
  firstBelowMinimum: Day | undefined;
  /** Generated entries, converted by a rate that is stale today. */
  staleEntries: readonly PlannedEntry[];
  /** The payment methods of generated entries that are not active. */
  inactiveMethods: readonly UsedPaymentMethod[];
  gaps: readonly Gap[];
  /** Cycles that have ended and are not completed, the latest first; none where balances count. */
  endedCycles: readonly StoredCycle[];
  /** Cycles without `side` that share days of the forecast, by start date. */
  overlappingCycles: readonly StoredCycle[];
  /** What is open in completed cycles, the latest first. */
  openInCompleted: readonly OpenInCompleted[];
  repeatedIncome: RepeatedIncome | undefined;
  /** The days that only completed cycles have. */
  completedDays: readonly Gap[];
  /** Payment methods that are inactive and have something. */
  inactiveHoldings: readonly Holding[];
}

/** An income amount that counts for several cycles that would follow, beside other incomes. */
export interface RepeatedIncome {
  /** The stored cycle that these follow. */
  cycle: StoredCycle;
  times: number;
  total: Cents;
}

export function warningsOf(
  plan: Plan,
  days: readonly Day[],
  query: ForecastQuery,
): ForecastWarnings {
  const { source } = plan.opening;
  const generated = days.flatMap(({ entries }) => entries.filter((entry) => entry.generated));
  const stored = plan.cycles.filter(isStored);
  return {
    firstBelowMinimum:
      source === 'none' ? undefined : days.find(({ balance }) => balance < query.minimumBalance),
    staleEntries: staleEntries(generated, query),
    inactiveMethods: inactiveMethods(generated),
    gaps: plan.gaps,
    endedCycles: source === 'stated' ? [] : endedCycles(stored, query),
    overlappingCycles: overlappingCycles(
      stored.filter(({ side }) => !side),
      query,
    ),
    openInCompleted: plan.openInCompleted,
    repeatedIncome: repeatedIncome(plan, days),
    completedDays: completedDays(plan, query),
    inactiveHoldings: plan.inactiveHoldings.filter(({ amount }) => !amount.eq(0)),
  };
}

function staleEntries(
  generated: readonly PlannedEntry[],
  { today }: ForecastQuery,
): PlannedEntry[] {
  const oldest = oldestRateDate(today);
  return generated.filter((entry) => (entry.generated?.exchangeRateDate ?? oldest) < oldest);
}

function inactiveMethods(entries: readonly PlannedEntry[]): UsedPaymentMethod[] {
  const inactive = new Map<string, UsedPaymentMethod>();
  for (const { paymentMethod: method } of entries) {
    if (method && !method.active) inactive.set(method.id, method);
  }
  return [...inactive.values()];
}

const endedCycles = (stored: readonly StoredCycle[], { today }: ForecastQuery): StoredCycle[] =>
  stored
    .filter(({ endDate }) => endDate < today)
    .toSorted((a, b) => compareText(a.endDate, b.endDate))
    .reverse();

function overlappingCycles(
  stored: readonly StoredCycle[],
  { today, to }: ForecastQuery,
): StoredCycle[] {
  const overlapping = new Set<StoredCycle>();
  let last: StoredCycle | undefined;
  // The cycles come by start date: one that shares days with an earlier one shares them with that of
  // the earlier ones that ends last.
  for (const cycle of stored) {
    if (cycle.endDate < today || cycle.startDate > to) continue;
    const start = cycle.startDate < today ? today : cycle.startDate;
    if (last && last.endDate >= start) overlapping.add(last).add(cycle);
    if (!last || cycle.endDate > last.endDate) last = cycle;
  }
  return stored.filter((cycle) => overlapping.has(cycle));
}

/** The first stored cycle of which two or more cycles that would follow repeat the income amount. */
function repeatedIncome({ storedCycles }: Plan, days: readonly Day[]): RepeatedIncome | undefined {
  const entries = days.flatMap((day) => day.entries);
  if (!entries.some(({ type }) => type === 'cycle_income')) return undefined;
  const others = storedCycles.filter(({ side }) => !side);
  const repeated = new Map<StoredCycle, RepeatedIncome>();
  for (const { type, cycle, amountUsd } of entries) {
    if (type !== 'cycle' || !cycle || isStored(cycle)) continue;
    const followed = latestEndedBefore(others, cycle.startDate);
    if (!followed) continue;
    const { times, total } = repeated.get(followed) ?? { times: 0, total: 0n };
    repeated.set(followed, { cycle: followed, times: times + 1, total: total + amountUsd });
  }
  return [...repeated.values()].find(({ times }) => times > 1);
}

/** The days from today to the last one that is shown that only completed cycles have. */
function completedDays({ storedCycles }: Plan, { today, to }: ForecastQuery): Gap[] {
  const others = storedCycles.filter(({ side }) => !side);
  const isCompleted = ({ status }: StoredCycle): boolean => status === 'completed';
  const completed = coveredDays(others.filter(isCompleted), { today, to });
  const open = coveredDays(
    others.filter((cycle) => !isCompleted(cycle)),
    { today, to },
  );
  const periods: Gap[] = [];
  for (const [index, isCovered] of completed.entries()) {
    if (!isCovered || open[index]) continue;
    const day = fromDayNumber(dayNumber(today) + index);
    const last = periods.at(-1);
    if (last && addDays(last.to, 1) === day) last.to = day;
    else periods.push({ from: day, to: day });
  }
  return periods;
}

/** For each day whether one of the cycles has it. */
function coveredDays(
  cycles: readonly StoredCycle[],
  { today, to }: Pick<ForecastQuery, 'today' | 'to'>,
): boolean[] {
  const first = dayNumber(today);
  const covered = Array<boolean>(dayNumber(to) - first + 1).fill(false);
  for (const { startDate, endDate } of cycles) {
    const begin = Math.max(dayNumber(startDate) - first, 0);
    const end = Math.max(dayNumber(endDate) - first + 1, 0);
    covered.fill(true, begin, end);
  }
  return covered;
}
