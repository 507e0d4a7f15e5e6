/**
 * The days of the cycles that would follow the stored ones: pure functions of days. A calendar
 * period is a month, from its first to its last day, or a half of one, from the 1st to the 15th or
 * from the 16th to the last day.
 */
import {
  addDays,
  calendarDate,
  dateParts,
  daysBetween,
  daysInMonth,
  isCalendarDate,
  type CalendarDate,
} from '../platform/values/calendar-date.js';
import type { Period } from '../templates/recurrence/recurrence.js';

/** A stored cycle's days. */
export interface StoredPeriod {
  startDate: CalendarDate;
  endDate: CalendarDate;
}

/**
 * Days that no stored cycle has, with the stored cycle that ended last before them, and what comes
 * directly before them: that one, or the last of the cycles that would follow it. `end` of the last
 * run is far beyond any date.
 */
export interface Run<Cycle extends StoredPeriod> extends Period {
  previous: Cycle | undefined;
  before: StoredPeriod | undefined;
}

/** A cycle that would follow; `isCut`: it ends early because a stored cycle begins. */
export interface FollowingPeriod extends Period {
  isCut: boolean;
}

/** Six weeks, both ends included. */
export const DEFAULT_CYCLE_DAYS = 42;

const LAST_DAY_OF_FIRST_HALF = 15;
/** The days from 16 to 28 February. */
const SHORTEST_CALENDAR_PERIOD_DAYS = 13;
const NO_END: CalendarDate = '9999-12-31';

/**
 * The last day of the cycle that begins on `start` after `previous`: of the month after a month, of
 * the half of the month after a half, else after as many days as `previous` has. So it is after a
 * calendar period, too, if the next one is longer than `maxDays` allows. Without `previous`: after
 * 42 days. A start within a calendar period gives the rest of that period.
 *
 * @param maxDays the maximum of `endDate - startDate`
 */
export function lastDayAfter(
  previous: StoredPeriod | undefined,
  start: CalendarDate,
  maxDays: number,
): CalendarDate {
  const calendarEnd = previous && calendarEndAfter(previous, start);
  if (calendarEnd && daysBetween({ from: start, to: calendarEnd }) <= maxDays) return calendarEnd;
  const days = previous
    ? daysBetween({ from: previous.startDate, to: previous.endDate })
    : DEFAULT_CYCLE_DAYS - 1;
  return addDays(start, Math.min(days, maxDays));
}

/** Undefined if `previous` is no calendar period. */
function calendarEndAfter(previous: StoredPeriod, start: CalendarDate): CalendarDate | undefined {
  if (isMonth(previous)) return lastDayOfMonth(start);
  return isHalf(previous) ? lastDayOfHalf(start) : undefined;
}

const isMonth = ({ startDate: from, endDate: to }: StoredPeriod): boolean =>
  from === firstDayOfMonth(from) && to === lastDayOfMonth(from);

const isHalf = ({ startDate: from, endDate: to }: StoredPeriod): boolean =>
  from === firstDayOfHalf(from) && to === lastDayOfHalf(from);

const firstDayOfMonth = (date: CalendarDate): CalendarDate =>
  calendarDate({ ...dateParts(date), day: 1 });

function firstDayOfHalf(date: CalendarDate): CalendarDate {
  const isFirst = dateParts(date).day <= LAST_DAY_OF_FIRST_HALF;
  return calendarDate({ ...dateParts(date), day: isFirst ? 1 : LAST_DAY_OF_FIRST_HALF + 1 });
}

/** Each kind of period with its largest `endDate - startDate`. */
const CALENDAR_PERIODS = [
  [isMonth, firstDayOfMonth, 30],
  [isHalf, firstDayOfHalf, 15],
] as const;

function lastDayOfMonth(date: CalendarDate): CalendarDate {
  const { year, month } = dateParts(date);
  return calendarDate({ year, month, day: daysInMonth(year, month) });
}

function lastDayOfHalf(date: CalendarDate): CalendarDate {
  const { year, month, day } = dateParts(date);
  if (day > LAST_DAY_OF_FIRST_HALF) return lastDayOfMonth(date);
  return calendarDate({ year, month, day: LAST_DAY_OF_FIRST_HALF });
}

/**
 * The runs of days from today to `to` that no stored cycle has, ascending. A run ends on the day
 * before the next stored cycle, also where that begins after `to`. The run that includes today
 * begins with the cycle that includes today, which can have begun before.
 *
 * @param stored of all states, in the order of creation
 * @param maxDays the maximum of `endDate - startDate`
 */
export function runsWithoutCycle<Cycle extends StoredPeriod>(
  stored: readonly Cycle[],
  { start: today, end: to }: Period,
  maxDays: number,
): Run<Cycle>[] {
  const runs: Run<Cycle>[] = [];
  const addRun = (firstDay: CalendarDate, end: CalendarDate): void => {
    const previous = latestEndedBefore(stored, firstDay);
    const before = previous && lastBefore(firstDay, previous, maxDays);
    runs.push({ start: before ? addDays(before.endDate, 1) : firstDay, end, previous, before });
  };
  let firstDay = today;
  for (const { startDate: start, endDate: end } of byStartDate(stored)) {
    if (end < firstDay) continue;
    if (start > firstDay) addRun(firstDay, addDays(start, -1));
    firstDay = addDays(end, 1);
    if (firstDay > to) return runs;
  }
  addRun(firstDay, NO_END);
  return runs;
}

const byStartDate = <Cycle extends StoredPeriod>(cycles: readonly Cycle[]): Cycle[] =>
  [...cycles].sort((a, b) => daysBetween({ from: b.startDate, to: a.startDate }));

/** The cycle with the latest end date before the day; of equal end dates the one created later. */
function latestEndedBefore<Cycle extends StoredPeriod>(
  stored: readonly Cycle[],
  day: CalendarDate,
): Cycle | undefined {
  let latest: Cycle | undefined;
  for (const cycle of stored) {
    if (cycle.endDate < day && (!latest || cycle.endDate >= latest.endDate)) latest = cycle;
  }
  return latest;
}

/**
 * The last one that ends before the day, of `previous` and the cycles that would follow it. It is
 * known at once of calendar periods, if all of them are allowed, and of cycles that are too short
 * to become one; others take some hundred steps in a century.
 */
function lastBefore(day: CalendarDate, previous: StoredPeriod, maxDays: number): StoredPeriod {
  for (const [isOfKind, firstDayOf, longest] of CALENDAR_PERIODS) {
    if (!isOfKind(previous) || longest > maxDays) continue;
    const end = addDays(firstDayOf(day), -1);
    return end > previous.endDate ? { startDate: firstDayOf(end), endDate: end } : previous;
  }
  let last = previous;
  for (;;) {
    const start = addDays(last.endDate, 1);
    const end = lastDayAfter(last, start, maxDays);
    if (end >= day) return last;
    last = { startDate: start, endDate: end };
    const length = daysBetween({ from: start, to: end }) + 1;
    if (length < SHORTEST_CALENDAR_PERIOD_DAYS) {
      const daysLeft = daysBetween({ from: end, to: day }) - 1;
      const skipped = daysLeft - (daysLeft % length);
      return { startDate: addDays(start, skipped), endDate: addDays(end, skipped) };
    }
  }
}

/**
 * The cycles that would follow one another in a run, until one that includes `to` or the run's end;
 * none that would end after 2999-12-31.
 *
 * @param maxDays the maximum of `endDate - startDate`
 */
export function cyclesOfRun(
  { start: firstDay, end: lastDay, before: directlyBefore }: Run<StoredPeriod>,
  to: CalendarDate,
  maxDays: number,
): FollowingPeriod[] {
  const cycles: FollowingPeriod[] = [];
  let before = directlyBefore;
  let start = firstDay;
  while (start <= to && start <= lastDay) {
    const wanted = lastDayAfter(before, start, maxDays);
    const isCut = wanted > lastDay;
    const end = isCut ? lastDay : wanted;
    if (!isCalendarDate(end)) break;
    cycles.push({ start, end, isCut });
    before = { startDate: start, endDate: end };
    start = addDays(end, 1);
  }
  return cycles;
}

/** A name made of the dates, with the first number from 2 that makes it an unused one. */
export function unusedName({ start, end }: Period, used: ReadonlySet<string>): string {
  const name = `${start} to ${end}`;
  let candidate = name;
  for (let number = 2; used.has(candidate); number += 1) candidate = `${name} (${number})`;
  return candidate;
}
