import { dateOfInstant, isCalendarDate } from './calendar-date.js';

/** An instant in the format of the API: `2026-11-21T15:04:05.678Z`. */
export type Instant = string;

/** PostgreSQL's format of a timestamp in a session with time zone UTC; it omits trailing zeros. */
const STORED = /^(\d{4}-\d{2}-\d{2}) (\d{2}:\d{2}:\d{2})(?:\.(\d{1,6}))?\+00$/;

/**
 * Converts PostgreSQL's text to an instant, truncated to milliseconds. Works on text, without a
 * `Date` for each value of a list.
 *
 * @returns undefined when the text has another format, such as a year of five digits
 */
export function instantOf(stored: string): Instant | undefined {
  const [, date, time, fraction = ''] = STORED.exec(stored) ?? [];
  if (date === undefined || time === undefined) return undefined;
  return `${date}T${time}.${fraction.slice(0, 3).padEnd(3, '0')}Z`;
}

/** ISO 8601 with an offset; without seconds they are 0. */
const TIMESTAMP =
  /^(\d{4}-\d{2}-\d{2})T([01]\d|2[0-3]):[0-5]\d(:[0-5]\d([.,]\d{1,9})?)?(Z|[+-]([01]\d|2[0-3]):?[0-5]\d)$/;

/**
 * The instant of an ISO 8601 timestamp with `Z` or an offset; undefined for any other value, and
 * for an instant that is not in the years of calendar dates in UTC, as which it is shown and
 * exported.
 */
export function parseTimestamp(value: unknown): Date | undefined {
  if (typeof value !== 'string') return undefined;
  const match = TIMESTAMP.exec(value);
  if (!match || !isCalendarDate(match[1])) return undefined;
  const instant = new Date(value.replace(',', '.'));
  return isCalendarDate(dateOfInstant(instant)) ? instant : undefined;
}
