/**
 * Calendar dates are strings `YYYY-MM-DD`, without a time and a time zone. ISO dates sort
 * chronologically, so that `<` and `===` compare them. Arithmetic uses the day number, the count of
 * days since 1970-01-01.
 */
export type CalendarDate = string;

/** Months are numbered 1-12, days 1-31. */
interface DateParts {
  year: number;
  month: number;
  day: number;
}

const MS_PER_DAY = 86_400_000;
const DATE_TEXT = /^\d{4}-\d{2}-\d{2}$/;
const MIN_YEAR = 1900;
const MAX_YEAR = 2999;

/** Whether the value is an existing date `YYYY-MM-DD` in the years 1900 to 2999. */
export function isCalendarDate(value: unknown): value is CalendarDate {
  if (typeof value !== 'string' || !DATE_TEXT.test(value)) return false;
  const { year, month, day } = dateParts(value);
  return (
    year >= MIN_YEAR &&
    year <= MAX_YEAR &&
    month >= 1 &&
    month <= 12 &&
    day >= 1 &&
    day <= daysInMonth(year, month)
  );
}

export function dateParts(date: CalendarDate): DateParts {
  return {
    year: Number(date.slice(0, 4)),
    month: Number(date.slice(5, 7)),
    day: Number(date.slice(8, 10)),
  };
}

export function calendarDate({ year, month, day }: DateParts): CalendarDate {
  const pad = (value: number, width: number): string => String(value).padStart(width, '0');
  return `${pad(year, 4)}-${pad(month, 2)}-${pad(day, 2)}`;
}

/** Days since 1970-01-01; negative before it. */
export function dayNumber(date: CalendarDate): number {
  return Date.parse(date) / MS_PER_DAY;
}

export function fromDayNumber(days: number): CalendarDate {
  return dateOfInstant(new Date(days * MS_PER_DAY));
}

export function addDays(date: CalendarDate, days: number): CalendarDate {
  return fromDayNumber(dayNumber(date) + days);
}

/** 0 = Sunday ... 6 = Saturday. */
export function dayOfWeek(days: number): number {
  // Day 0, 1970-01-01, was a Thursday.
  return modulo(days + 4, 7);
}

export function daysInMonth(year: number, month: number): number {
  return new Date(Date.UTC(year, month, 0)).getUTCDate();
}

/** The number of days from one date to the other; negative if `to` is earlier. */
export function daysBetween({ from, to }: { from: CalendarDate; to: CalendarDate }): number {
  return dayNumber(to) - dayNumber(from);
}

/** The current date in UTC. */
export function todayInUtc(): CalendarDate {
  return dateOfInstant(new Date());
}

/** The remainder with the sign of the divisor, unlike `%`. */
export function modulo(value: number, divisor: number): number {
  return ((value % divisor) + divisor) % divisor;
}

/** The date of an instant in UTC. Not from `toISOString`, which takes four times as long. */
export function dateOfInstant(instant: Date): CalendarDate {
  return calendarDate({
    year: instant.getUTCFullYear(),
    month: instant.getUTCMonth() + 1,
    day: instant.getUTCDate(),
  });
}
