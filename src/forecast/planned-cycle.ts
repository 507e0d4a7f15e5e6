import type { CycleStatus } from '../ledger/entities/cycle.entity.js';
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

export const periodOf = ({ startDate: start, endDate: end }: PlannedCycle): Period => ({
  start,
  end,
});
