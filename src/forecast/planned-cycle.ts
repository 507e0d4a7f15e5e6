import type { CycleStatus } from '../ledger/entities/cycle.entity.js';
import { cyclesOfRun, runsWithoutCycle, unusedName } from '../ledger/periods.js';
import type { CalendarDate } from '../platform/values/calendar-date.js';
import type { Cents } from '../platform/values/money.js';
import type { Period } from '../templates/recurrence/recurrence.js';

/** A draft or active cycle, or one that would follow, which has no id. */
export interface PlannedCycle {
  id: string | null;
  name: string;
  startDate: CalendarDate;
  endDate: CalendarDate;
  /** The amount in USD. */
  incomeAmount: Cents;
}

/** A stored cycle in any state; amounts in USD. */
export interface StoredCycle extends PlannedCycle {
  id: string;
  status: CycleStatus;
  side: boolean;
  remainingBalance: Cents;
  /** Received incomes minus paid expenses; 0.00 for a completed cycle. */
  settled: Cents;
}

export const isStored = (cycle: PlannedCycle): cycle is StoredCycle => cycle.id !== null;

/** Days that no stored cycle has, both ends included. */
export interface Gap {
  from: CalendarDate;
  to: CalendarDate;
}

/**
 * The cycles that would follow the stored ones, by date, and the gaps before the latest stored end
 * date that they fill. A cycle has the income of the stored one that its run of days follows; one
 * that ends early has none.
 *
 * @param stored the cycles of all states, in the order of creation
 * @param maxDays the maximum of `end_date - start_date`
 */
export function followingCycles(
  stored: readonly StoredCycle[],
  { today, to }: { today: CalendarDate; to: CalendarDate },
  maxDays: number,
): { cycles: PlannedCycle[]; gaps: Gap[] } {
  const runs = runsWithoutCycle(stored, { start: today, end: to }, maxDays);
  const names = new Set(stored.map(({ name }) => name));
  const cycles = runs.flatMap((run) =>
    cyclesOfRun(run, to, maxDays).map(({ isCut, ...period }): PlannedCycle => {
      const name = unusedName(period, names);
      names.add(name);
      const incomeAmount = isCut ? 0n : (run.previous?.incomeAmount ?? 0n);
      return { id: null, name, startDate: period.start, endDate: period.end, incomeAmount };
    }),
  );
  const latestEnd = stored.reduce((end, { endDate }) => (endDate > end ? endDate : end), '');
  const gaps = runs
    .filter(({ end }) => end < latestEnd)
    .map(({ start, end }) => ({
      from: start < today ? today : start,
      to: end > to ? to : end,
    }));
  return { cycles, gaps };
}

export const periodOf = ({ startDate: start, endDate: end }: PlannedCycle): Period => ({
  start,
  end,
});
