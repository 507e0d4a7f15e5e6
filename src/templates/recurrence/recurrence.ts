/**
 * When a recurring expense or income falls due, and why: pure functions of the recurrence and a
 * period. The first occurrence in the period is computed directly, so that the distance to the
 * reference date does not matter. Every date is computed from the reference date and not from the
 * previous one, so that it does not drift.
 */
import {
  addDays,
  calendarDate,
  dateParts,
  dayNumber,
  dayOfWeek,
  daysInMonth,
  fromDayNumber,
  modulo,
  type CalendarDate,
} from '../../platform/values/calendar-date.js';
import {
  WEEKEND_MOVES,
  weekendMove,
  type WeekendRule,
} from '../../platform/values/weekend-rule.js';

export const RECURRENCE_TYPES = ['weekly', 'bi_weekly', 'monthly', 'custom'] as const;
export type RecurrenceType = (typeof RECURRENCE_TYPES)[number];

export const RECURRENCE_UNITS = ['days', 'weeks', 'months', 'years'] as const;
export type RecurrenceUnit = (typeof RECURRENCE_UNITS)[number];

/** 0 = Sunday ... 6 = Saturday. */
type Weekday = number;

export interface WeeklyConfig {
  day_of_week: Weekday;
}

export interface BiWeeklyConfig {
  interval_days: number;
}

export interface MonthlyConfig {
  day_of_month: number;
  /** Whether a month without that day has its occurrence on its last day; otherwise it has none. */
  handle_month_end?: boolean;
}

export interface CustomConfig {
  interval: number;
  unit: RecurrenceUnit;
  /** The day of months and years, instead of that of the reference date. */
  day_of_month?: number;
  /** The month of years, instead of that of the reference date. */
  month_of_year?: number;
  /** The weekday of weeks: each date moves to it in its own Sunday-to-Saturday week. */
  day_of_week?: Weekday;
}

export type RecurrenceConfig = WeeklyConfig | BiWeeklyConfig | MonthlyConfig | CustomConfig;

export type RecurrenceRule =
  | { type: 'weekly'; config: WeeklyConfig }
  | { type: 'bi_weekly'; config: BiWeeklyConfig }
  | { type: 'monthly'; config: MonthlyConfig }
  | { type: 'custom'; config: CustomConfig };

/** A rule with its reference date, its limits and its weekend rule. */
export interface Recurrence {
  rule: RecurrenceRule;
  referenceDate: CalendarDate;
  /** No occurrence is dated before it; null: no limit. */
  startsOn: CalendarDate | null;
  /** No occurrence is dated after it; null: no limit. */
  endsOn: CalendarDate | null;
  weekendRule: WeekendRule;
}

/** What moved a date, in this order. */
export const MOVE_REASONS = ['month_end', 'weekday', 'weekend'] as const;
/**
 * - `month_end`: the month does not have that day, so its last day is used
 * - `weekday`: moved to the `day_of_week` of the rule
 * - `weekend`: moved by the weekend rule
 */
export type MoveReason = (typeof MOVE_REASONS)[number];

export interface Occurrence {
  date: CalendarDate;
  /** The date before the weekend rule; unique within a recurrence. */
  ruleDate: CalendarDate;
  reasons: MoveReason[];
}

/** A month `YYYY-MM`. */
export type Month = string;

/** The occurrences in a period and the months of the period that the rule leaves out. */
export interface Schedule {
  /** Ascending by date, then by rule date. */
  occurrences: Occurrence[];
  /** Months without the day of a monthly rule that does not handle month ends; ascending. */
  skippedMonths: Month[];
}

/** A date of a rule, before the weekend rule. */
type RuleDate = Pick<Occurrence, 'ruleDate' | 'reasons'>;

interface RuleSchedule {
  dates: RuleDate[];
  skippedMonths: Month[];
}

/** Both ends included. */
export interface Period {
  start: CalendarDate;
  end: CalendarDate;
}

/**
 * Every occurrence whose date lies in the period, with the reasons of moved dates, and every month
 * left out. Adjoining periods together have each occurrence exactly once.
 */
export function scheduleOf(recurrence: Recurrence, period: Period): Schedule {
  const { rule, referenceDate, startsOn, endsOn, weekendRule } = recurrence;
  const start = startsOn !== null && startsOn > period.start ? startsOn : period.start;
  const end = endsOn !== null && endsOn < period.end ? endsOn : period.end;
  if (start > end) return { occurrences: [], skippedMonths: [] };
  const { saturday, sunday } = WEEKEND_MOVES[weekendRule];
  // The weekend rule may move a date from outside the period into it.
  const widened = {
    start: addDays(start, -Math.max(saturday, 0)),
    end: addDays(end, -Math.min(sunday, 0)),
  };
  const { dates, skippedMonths } = ruleSchedule(rule, referenceDate, widened);
  return {
    occurrences: dates
      .map((ruleDate) => moveOffWeekend(ruleDate, weekendRule))
      .filter(({ date }) => date >= start && date <= end),
    skippedMonths: skippedMonths.filter(
      (month) => month >= monthOf(start) && month <= monthOf(end),
    ),
  };
}

/** The occurrences of {@link scheduleOf}. */
export const occurrences = (recurrence: Recurrence, period: Period): Occurrence[] =>
  scheduleOf(recurrence, period).occurrences;

function moveOffWeekend({ ruleDate, reasons }: RuleDate, weekendRule: WeekendRule): Occurrence {
  const days = weekendMove(ruleDate, weekendRule);
  if (days === 0) return { date: ruleDate, ruleDate, reasons };
  return { date: addDays(ruleDate, days), ruleDate, reasons: [...reasons, 'weekend'] };
}

const monthOf = (date: CalendarDate): Month => date.slice(0, 7);

/**
 * Every date of the rule within the period, ascending, without duplicates, and every month left
 * out.
 */
function ruleSchedule(
  rule: RecurrenceRule,
  referenceDate: CalendarDate,
  period: Period,
): RuleSchedule {
  switch (rule.type) {
    case 'weekly':
      return weekly(rule.config, period);
    case 'bi_weekly': {
      const anchor = dayNumber(referenceDate);
      return everyDays({ anchor, step: rule.config.interval_days }, period);
    }
    case 'monthly':
      return monthly(rule.config, period);
    case 'custom':
      return custom(rule.config, referenceDate, period);
  }
}

function weekly({ day_of_week }: WeeklyConfig, period: Period): RuleSchedule {
  const start = dayNumber(period.start);
  const anchor = start + modulo(day_of_week - dayOfWeek(start), 7);
  return everyDays({ anchor, step: 7 }, period);
}

function monthly(config: MonthlyConfig, period: Period): RuleSchedule {
  const { day_of_month: day, handle_month_end: isClamped = false } = config;
  return everyMonths({ anchor: monthNumber(period.start), step: 1, day, isClamped }, period);
}

function custom(config: CustomConfig, referenceDate: CalendarDate, period: Period): RuleSchedule {
  const reference = dateParts(referenceDate);
  const day = config.day_of_month ?? reference.day;
  switch (config.unit) {
    case 'days':
      return everyDays({ anchor: dayNumber(referenceDate), step: config.interval }, period);
    case 'weeks':
      return everyWeeks(config, referenceDate, period);
    case 'months':
      return everyMonths(
        { anchor: monthNumber(referenceDate), step: config.interval, day, isClamped: true },
        period,
      );
    case 'years': {
      const month = config.month_of_year ?? reference.month;
      const anchor = reference.year * 12 + month - 1;
      return everyMonths({ anchor, step: config.interval * 12, day, isClamped: true }, period);
    }
  }
}

/** Counts from the reference date, moved to the weekday in the same week. */
function everyWeeks(
  { interval, day_of_week: weekday }: CustomConfig,
  referenceDate: CalendarDate,
  period: Period,
): RuleSchedule {
  const reference = dayNumber(referenceDate);
  const days = weekday === undefined ? 0 : weekday - dayOfWeek(reference);
  const reasons: MoveReason[] = days === 0 ? [] : ['weekday'];
  return everyDays({ anchor: reference + days, step: interval * 7, reasons }, period);
}

interface DaySteps {
  anchor: number;
  step: number;
  /** The reasons of every date. */
  reasons?: MoveReason[];
}

/** The days `anchor + k * step`, k any integer, within the period. */
function everyDays({ anchor, step, reasons = [] }: DaySteps, { start, end }: Period): RuleSchedule {
  const days = steps(anchor, step, dayNumber(start), dayNumber(end));
  return {
    dates: days.map((day) => ({ ruleDate: fromDayNumber(day), reasons })),
    skippedMonths: [],
  };
}

interface MonthSteps {
  anchor: number;
  step: number;
  day: number;
  /** Whether a month without that day has a date, its last day. */
  isClamped: boolean;
}

/** The dates with that day in the months `anchor + k * step`, within the period. */
function everyMonths(
  { anchor, step, day, isClamped }: MonthSteps,
  { start, end }: Period,
): RuleSchedule {
  const dates: RuleDate[] = [];
  const skippedMonths: Month[] = [];
  for (const month of steps(anchor, step, monthNumber(start), monthNumber(end))) {
    const ruleDate = dayOfMonth(month, day);
    const isShort = day > daysIn(month);
    if (isShort && !isClamped) skippedMonths.push(monthOf(ruleDate));
    else if (ruleDate >= start && ruleDate <= end) {
      dates.push({ ruleDate, reasons: isShort ? ['month_end'] : [] });
    }
  }
  return { dates, skippedMonths };
}

/** The numbers `anchor + k * step`, k any integer, from `first` to `last`. */
function steps(anchor: number, step: number, first: number, last: number): number[] {
  const found: number[] = [];
  const next = anchor + Math.ceil((first - anchor) / step) * step;
  for (let value = next; value <= last; value += step) found.push(value);
  return found;
}

/** Months since the year 0. */
function monthNumber(date: CalendarDate): number {
  const { year, month } = dateParts(date);
  return year * 12 + month - 1;
}

function daysIn(month: number): number {
  return daysInMonth(Math.floor(month / 12), modulo(month, 12) + 1);
}

/** The date with that day in the month, or its last day if the month is shorter. */
function dayOfMonth(month: number, day: number): CalendarDate {
  return calendarDate({
    year: Math.floor(month / 12),
    month: modulo(month, 12) + 1,
    day: Math.min(day, daysIn(month)),
  });
}
