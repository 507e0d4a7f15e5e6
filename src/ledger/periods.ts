/**
 * The days of the cycles that would follow the stored ones: pure functions of days. Each cycle that
 * follows is of the kind of the one before: a month from the same day, a half of a month, or as many
 * days.
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
 * - `month`: from a day of a month, the 1st to the 28th, to the day before that day of the next one
 * - `half`: from the 1st to the 15th of a month, or from the 16th to its last day
 */
type Kind = 'month' | 'half' | 'days';

/** The days of a cycle, stored or not, with their kind. */
export interface CyclePeriod extends Period {
  kind: Kind;
}

/**
 * Days that no stored cycle has, with the stored cycle that ended last before them, and what comes
 * directly before them: that one, or the last of the cycles that would follow it. `end` of the last
 * run is far beyond any date.
 */
export interface Run<Cycle extends StoredPeriod> extends Period {
  previous: Cycle | undefined;
  before: CyclePeriod | undefined;
}

/** A cycle that would follow; `isCut`: it ends early because a stored cycle begins. */
export interface FollowingPeriod extends Period {
  isCut: boolean;
}

/** Six weeks, both ends included. */
export const DEFAULT_CYCLE_DAYS = 42;

const LAST_START_OF_MONTH = 28;
const LAST_DAY_OF_FIRST_HALF = 15;
/** The largest `end - start` of the kinds that the calendar determines. */
const LONGEST = { month: 30, half: 15 };
/** The days from 16 to 28 February. */
const SHORTEST_CALENDAR_PERIOD_DAYS = 13;
const FOUR_WEEKS = 28;
const NO_END: CalendarDate = '9999-12-31';

/**
 * The days of a stored cycle with their kind.
 *
 * @param dayBefore the cycle that ended on the day before it, of several the one created last
 */
export const storedPeriod = (
  { startDate: start, endDate: end }: StoredPeriod,
  dayBefore?: StoredPeriod,
): CyclePeriod => withKind({ start, end }, dayBefore && storedPeriod(dayBefore));

/** @param before the cycle that ended on the day before */
const withKind = (period: Period, before: CyclePeriod | undefined): CyclePeriod => ({
  ...period,
  kind: kindOf(period, before),
});

function kindOf(period: Period, before: CyclePeriod | undefined): Kind {
  const { start, end } = period;
  const { day } = dateParts(start);
  if (day <= LAST_START_OF_MONTH && end === endOfMonthFrom(start)) {
    // From a day of February to the day before it in March are four weeks, which may be meant.
    const isFourWeeks = day > 1 && lengthOf(period) === FOUR_WEEKS;
    return isFourWeeks && before && before.kind !== 'month' ? 'days' : 'month';
  }
  return start === startOfHalf(start) && end === endOfHalf(start) ? 'half' : 'days';
}

/** Both ends included. */
const lengthOf = ({ start, end }: Period): number => daysBetween({ from: start, to: end }) + 1;

/**
 * The cycle that follows another one: of its kind, unless that is longer than `maxDays` allows; then
 * and else it has as many days, as far as `maxDays` allows them.
 *
 * @param maxDays the maximum of `end - start`
 */
export function periodAfter(before: CyclePeriod, maxDays: number): CyclePeriod {
  const start = addDays(before.end, 1);
  const calendarEnd = calendarEndOf(before.kind, start);
  const isAllowed = calendarEnd && daysBetween({ from: start, to: calendarEnd }) <= maxDays;
  const end = isAllowed ? calendarEnd : endAfterDays(start, lengthOf(before), maxDays);
  return withKind({ start, end }, before);
}

/** The first cycle: 42 days, as far as `maxDays` allows them. */
export const firstPeriod = (start: CalendarDate, maxDays: number): CyclePeriod =>
  withKind({ start, end: endAfterDays(start, DEFAULT_CYCLE_DAYS, maxDays) }, undefined);

const endAfterDays = (start: CalendarDate, days: number, maxDays: number): CalendarDate =>
  addDays(start, Math.min(days - 1, maxDays));

function calendarEndOf(kind: Kind, start: CalendarDate): CalendarDate | undefined {
  if (kind === 'days') return undefined;
  return kind === 'month' ? endOfMonthFrom(start) : endOfHalf(start);
}

/** The day before the same day of the next month. */
function endOfMonthFrom(start: CalendarDate): CalendarDate {
  return addDays(sameDay(start, 1), -1);
}

/** The same day, at most the 28th, a month later (1) or earlier (-1). */
function sameDay(date: CalendarDate, months: 1 | -1): CalendarDate {
  const { year, month, day } = dateParts(date);
  if (month + months > 12) return calendarDate({ year: year + 1, month: 1, day });
  if (month + months < 1) return calendarDate({ year: year - 1, month: 12, day });
  return calendarDate({ year, month: month + months, day });
}

/** The last start of a month from a day of the month, the 1st to the 28th, up to a date. */
function startOfMonthFrom(startDay: number, date: CalendarDate): CalendarDate {
  const inMonth = calendarDate({ ...dateParts(date), day: startDay });
  return inMonth <= date ? inMonth : sameDay(inMonth, -1);
}

function startOfHalf(date: CalendarDate): CalendarDate {
  const isFirst = dateParts(date).day <= LAST_DAY_OF_FIRST_HALF;
  return calendarDate({ ...dateParts(date), day: isFirst ? 1 : LAST_DAY_OF_FIRST_HALF + 1 });
}

function endOfHalf(date: CalendarDate): CalendarDate {
  const { year, month, day } = dateParts(date);
  const isFirst = day <= LAST_DAY_OF_FIRST_HALF;
  return calendarDate({
    year,
    month,
    day: isFirst ? LAST_DAY_OF_FIRST_HALF : daysInMonth(year, month),
  });
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
    const before = previous && lastBefore(firstDay, periodOf(stored, previous), maxDays);
    runs.push({ start: before ? addDays(before.end, 1) : firstDay, end, previous, before });
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
export function latestEndedBefore<Cycle extends StoredPeriod>(
  stored: readonly Cycle[],
  day: CalendarDate,
): Cycle | undefined {
  let latest: Cycle | undefined;
  for (const cycle of stored) {
    if (cycle.endDate < day && (!latest || cycle.endDate >= latest.endDate)) latest = cycle;
  }
  return latest;
}

/** @param stored in the order of creation */
function periodOf(stored: readonly StoredPeriod[], cycle: StoredPeriod): CyclePeriod {
  const dayBefore = addDays(cycle.startDate, -1);
  return storedPeriod(
    cycle,
    stored.findLast(({ endDate }) => endDate === dayBefore),
  );
}

/** The last one that ends before the day, of `previous` and the cycles that would follow it. */
function lastBefore(day: CalendarDate, previous: CyclePeriod, maxDays: number): CyclePeriod {
  let last = previous;
  for (;;) {
    const next = periodAfter(last, maxDays);
    if (next.end >= day) return last;
    last = skipped(next, day, maxDays);
  }
}

/**
 * The last one that ends before the day, where it is known at once: of months and halves, if the
 * longest is allowed, and of cycles that are too short to become one. Else the period itself; then
 * the sequence takes some hundred steps in a century.
 */
function skipped(period: CyclePeriod, day: CalendarDate, maxDays: number): CyclePeriod {
  const { start, end, kind } = period;
  if (kind === 'days') {
    const length = lengthOf(period);
    if (length >= SHORTEST_CALENDAR_PERIOD_DAYS) return period;
    const daysLeft = daysBetween({ from: end, to: day }) - 1;
    const days = daysLeft - (daysLeft % length);
    return { start: addDays(start, days), end: addDays(end, days), kind };
  }
  if (LONGEST[kind] > maxDays) return period;
  const startOf = (date: CalendarDate): CalendarDate =>
    kind === 'month' ? startOfMonthFrom(dateParts(start).day, date) : startOfHalf(date);
  const lastEnd = addDays(startOf(day), -1);
  return { start: startOf(lastEnd), end: lastEnd, kind };
}

/**
 * The cycles that would follow one another in a run, until one that includes `to` or the run's end;
 * none that would end after 2999-12-31.
 *
 * @param maxDays the maximum of `end - start`
 */
export function cyclesOfRun(
  { start: firstDay, end: lastDay, before }: Run<StoredPeriod>,
  to: CalendarDate,
  maxDays: number,
): FollowingPeriod[] {
  const cycles: FollowingPeriod[] = [];
  let period = before ? periodAfter(before, maxDays) : firstPeriod(firstDay, maxDays);
  while (period.start <= to && period.start <= lastDay) {
    const isCut = period.end > lastDay;
    const end = isCut ? lastDay : period.end;
    if (!isCalendarDate(end)) break;
    cycles.push({ start: period.start, end, isCut });
    period = periodAfter(period, maxDays);
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
