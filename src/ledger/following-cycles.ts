/** The cycles that would follow the stored ones. */
import type { CalendarDate } from '../platform/values/calendar-date.js';
import type { Cents } from '../platform/values/money.js';
import type { NextIncomeAmount } from '../users/user.entity.js';
import {
  cyclesOfRun,
  runsWithoutCycle,
  unusedName,
  type FollowingPeriod,
  type Run,
  type StoredPeriod,
} from './periods.js';

/** What decides about the cycles that would follow a stored one. */
export interface FollowedCycle extends StoredPeriod {
  /** The amount in USD. */
  incomeAmount: Cents;
  /** Whether it is beside the others, so that none follows it. */
  side: boolean;
}

/** A cycle that would follow; its amount in USD. */
export interface ProposedCycle extends StoredPeriod {
  incomeAmount: Cents;
}

/** Days that no stored cycle has, both ends included. */
export interface Gap {
  from: CalendarDate;
  to: CalendarDate;
}

export interface FollowingOptions {
  /** The maximum of `end_date - start_date`. */
  maxDays: number;
  nextIncomeAmount: NextIncomeAmount;
}

/**
 * The cycles that would follow the stored ones, by date, and the gaps before the latest stored end
 * date that they fill. A cycle has the income of the stored one that its run of days follows, or
 * none if the user wants it so; one that ends early has none.
 *
 * @param stored the cycles of all states, in the order of creation
 */
export function followingCycles(
  stored: readonly (FollowedCycle & { name: string })[],
  { today, to }: { today: CalendarDate; to: CalendarDate },
  options: FollowingOptions,
): { cycles: (ProposedCycle & { id: null; name: string })[]; gaps: Gap[] } {
  const others = stored.filter(({ side }) => !side);
  const runs = runsWithoutCycle(others, { start: today, end: to }, options.maxDays);
  const names = new Set(stored.map(({ name }) => name));
  const cycles = runs.flatMap((run) =>
    cyclesOfRun(run, to, options.maxDays).map((period) => {
      const name = unusedName(period, names);
      names.add(name);
      return { id: null, name, ...followingCycle(run, period, options) };
    }),
  );
  const latestEnd = others.reduce((end, { endDate }) => (endDate > end ? endDate : end), '');
  const gaps = runs
    .filter(({ end }) => end < latestEnd)
    .map(({ start, end }) => ({
      from: start < today ? today : start,
      to: end > to ? to : end,
    }));
  return { cycles, gaps };
}

const followingCycle = (
  { previous }: Run<FollowedCycle>,
  { start, end, isCut }: FollowingPeriod,
  { nextIncomeAmount }: FollowingOptions,
): ProposedCycle => ({
  startDate: start,
  endDate: end,
  incomeAmount: isCut || nextIncomeAmount === 'zero' ? 0n : (previous?.incomeAmount ?? 0n),
});
