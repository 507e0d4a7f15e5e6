import type { Holding } from '../balances/holdings.js';
import { oldestRateDate } from '../exchange-rates/rate-age.js';
import type { Gap } from '../ledger/following-cycles.js';
import type { UsedPaymentMethod } from '../payment-methods/payment-method.entity.js';
import { compareText } from '../platform/values/text.js';
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
  /** Payment methods that are inactive and have something. */
  inactiveHoldings: readonly Holding[];
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
