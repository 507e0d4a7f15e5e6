/**
 * What a template plans: the occurrences of its recurrence that are not skipped, which instalment
 * each one is, and which one is the last. Functions of dates alone.
 */
import {
  dayNumber,
  daysBetween,
  fromDayNumber,
  type CalendarDate,
} from '../../platform/values/calendar-date.js';
import {
  occurrences,
  scheduleOf,
  type Occurrence,
  type Period,
  type Recurrence,
  type RecurrenceRule,
  type Schedule,
} from './recurrence.js';

/** The skipped dates of a template. */
export const MAX_SKIPPED_DATES = 100;

/** The occurrences of a plan in instalments, without skipped ones. */
export const MAX_INSTALMENTS = 120;

/**
 * In more months there are more than that, even if as many as possible are skipped, and only the
 * months that have 31 days have one.
 */
const MAX_INSTALMENT_MONTHS = 400;

/** The first days in which the last occurrence is looked for: a daily rule has it in them. */
const FIRST_DAYS = 2 * MAX_SKIPPED_DATES;

/** Without a start, no occurrence is dated before it. */
const MIN_DATE = '1900-01-01';

/** Which one of how many payments it is, such as the 7th of 12. */
export type Instalment = Readonly<{ number: number; count: number }>;

/** A recurrence some of whose occurrences are left out. */
export interface PlannedRecurrence extends Recurrence {
  /** Dates before the weekend rule; those that the rule does not have do nothing. */
  skippedDates: readonly CalendarDate[];
}

export interface PlannedOccurrence extends Occurrence {
  /** null: not one of a plan in instalments. */
  instalment: Instalment | null;
}

export interface PlannedSchedule extends Schedule {
  occurrences: PlannedOccurrence[];
  /** The dates before the weekend rule of the occurrences that are left out; ascending. */
  skippedDates: CalendarDate[];
}

/** The schedule of a recurrence without its skipped dates. */
export function plannedSchedule(recurrence: PlannedRecurrence, period: Period): PlannedSchedule {
  const { occurrences: all, skippedMonths } = scheduleOf(recurrence, period);
  const skipped = new Set(recurrence.skippedDates);
  const instalments = instalmentsOf(recurrence);
  const planned: PlannedOccurrence[] = [];
  const skippedDates: CalendarDate[] = [];
  for (const { date, ruleDate, reasons } of all) {
    if (skipped.has(ruleDate)) skippedDates.push(ruleDate);
    else planned.push({ date, ruleDate, reasons, instalment: instalments.get(ruleDate) ?? null });
  }
  return { occurrences: planned, skippedMonths, skippedDates };
}

/**
 * The date before the weekend rule of the last occurrence that is not skipped, of a recurrence that
 * ends; null without one.
 */
export function lastRuleDate(recurrence: PlannedRecurrence): CalendarDate | null {
  const { startsOn, endsOn } = recurrence;
  if (endsOn === null) return null;
  const first = dayNumber(startsOn ?? MIN_DATE);
  let last = dayNumber(endsOn);
  // Longer and longer periods, so that neither frequent nor rare occurrences take long to find.
  for (let days = FIRST_DAYS; last >= first; days *= 2) {
    const from = Math.max(last - days, first);
    const period = { start: fromDayNumber(from), end: fromDayNumber(last) };
    const found = withoutSkipped(recurrence, period).at(-1);
    if (found) return found.ruleDate;
    last = from - 1;
  }
  return null;
}

/**
 * The instalments by the date before the weekend rule, counted from the start by the rule; none for
 * a recurrence that does not count in months, has no start or no end, or has more than
 * {@link MAX_INSTALMENTS}.
 */
function instalmentsOf(recurrence: PlannedRecurrence): ReadonlyMap<CalendarDate, Instalment> {
  const { rule, startsOn: start, endsOn: end } = recurrence;
  const months = monthsOf(rule);
  if (months === null || start === null || end === null) return new Map();
  const maxDays = MAX_INSTALMENT_MONTHS * 31 * months;
  if (daysBetween({ from: start, to: end }) > maxDays) return new Map();
  const planned = withoutSkipped(recurrence, { start, end });
  const count = planned.length;
  if (count > MAX_INSTALMENTS) return new Map();
  return new Map(planned.map(({ ruleDate }, index) => [ruleDate, { number: index + 1, count }]));
}

/** The months from one occurrence to the next; null for a rule that does not count in months. */
function monthsOf({ type, config }: RecurrenceRule): number | null {
  if (type === 'monthly') return 1;
  return type === 'custom' && config.unit === 'months' ? config.interval : null;
}

function withoutSkipped(recurrence: PlannedRecurrence, period: Period): Occurrence[] {
  const skipped = new Set(recurrence.skippedDates);
  return occurrences(recurrence, period).filter(({ ruleDate }) => !skipped.has(ruleDate));
}
