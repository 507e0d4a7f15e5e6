/**
 * When a recurring expense falls due: pure functions of the rule, its reference date and a period.
 * The first occurrence in the period is computed, not walked to, so the reference may be centuries
 * away. Every date counts from the reference itself, never from the date before it: no drift.
 */
import {
  calendarDate,
  dateParts,
  dayNumber,
  dayOfWeek,
  daysInMonth,
  fromDayNumber,
  modulo,
  type CalendarDate,
} from '../../common/calendar-date.js';

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
  /** In a month without that day: its last day if true, no occurrence if false. */
  handle_month_end?: boolean;
}

export interface CustomConfig {
  interval: number;
  unit: RecurrenceUnit;
  /** For months and years: instead of the reference date's day. */
  day_of_month?: number;
  /** For years: instead of the reference date's month. */
  month_of_year?: number;
  /** For weeks: each date moves to this weekday of its own Sunday-to-Saturday week. */
  day_of_week?: Weekday;
}

export type RecurrenceConfig = WeeklyConfig | BiWeeklyConfig | MonthlyConfig | CustomConfig;

export type RecurrenceRule =
  | { type: 'weekly'; config: WeeklyConfig }
  | { type: 'bi_weekly'; config: BiWeeklyConfig }
  | { type: 'monthly'; config: MonthlyConfig }
  | { type: 'custom'; config: CustomConfig };

/** Both ends included. */
export interface Period {
  start: CalendarDate;
  end: CalendarDate;
}

/** Every due date within the period, ascending, each once. */
export function occurrences(
  rule: RecurrenceRule,
  referenceDate: CalendarDate,
  period: Period,
): CalendarDate[] {
  switch (rule.type) {
    case 'weekly':
      return weekly(rule.config, period);
    case 'bi_weekly':
      return everyDays(dayNumber(referenceDate), rule.config.interval_days, period);
    case 'monthly':
      return monthly(rule.config, period);
    case 'custom':
      return custom(rule.config, referenceDate, period);
  }
}

function weekly({ day_of_week }: WeeklyConfig, period: Period): CalendarDate[] {
  const start = dayNumber(period.start);
  const first = start + modulo(day_of_week - dayOfWeek(start), 7);
  return everyDays(first, 7, period);
}

function monthly(config: MonthlyConfig, period: Period): CalendarDate[] {
  const { day_of_month: day, handle_month_end: clamps = false } = config;
  return everyMonths({ anchor: monthNumber(period.start), step: 1, day, clamps }, period);
}

function custom(config: CustomConfig, referenceDate: CalendarDate, period: Period): CalendarDate[] {
  const reference = dateParts(referenceDate);
  const day = config.day_of_month ?? reference.day;
  switch (config.unit) {
    case 'days':
      return everyDays(dayNumber(referenceDate), config.interval, period);
    case 'weeks':
      return everyDays(weekAnchor(referenceDate, config.day_of_week), config.interval * 7, period);
    case 'months':
      return everyMonths(
        { anchor: monthNumber(referenceDate), step: config.interval, day, clamps: true },
        period,
      );
    case 'years': {
      const month = config.month_of_year ?? reference.month;
      const anchor = reference.year * 12 + month - 1;
      return everyMonths({ anchor, step: config.interval * 12, day, clamps: true }, period);
    }
  }
}

/** The day number of the reference, moved to the weekday within its own week. */
function weekAnchor(referenceDate: CalendarDate, weekday: Weekday | undefined): number {
  const reference = dayNumber(referenceDate);
  return weekday === undefined ? reference : reference - dayOfWeek(reference) + weekday;
}

/** The days `anchor + k * step`, k any integer, within the period. */
function everyDays(anchor: number, step: number, { start, end }: Period): CalendarDate[] {
  return steps(anchor, step, dayNumber(start), dayNumber(end)).map(fromDayNumber);
}

interface MonthSteps {
  anchor: number;
  step: number;
  day: number;
  /** A month without that day has its last day instead, or else no date. */
  clamps: boolean;
}

/** That day of the months `anchor + k * step`, within the period. */
function everyMonths(
  { anchor, step, day, clamps }: MonthSteps,
  { start, end }: Period,
): CalendarDate[] {
  return steps(anchor, step, monthNumber(start), monthNumber(end))
    .filter((month) => clamps || day <= daysIn(month))
    .map((month) => dayOfMonth(month, day))
    .filter((date) => date >= start && date <= end);
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

/** That day of the month, or its last day where it is shorter. */
function dayOfMonth(month: number, day: number): CalendarDate {
  return calendarDate({
    year: Math.floor(month / 12),
    month: modulo(month, 12) + 1,
    day: Math.min(day, daysIn(month)),
  });
}
