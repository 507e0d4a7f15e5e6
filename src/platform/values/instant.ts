/** An instant in the format of the API: `2026-11-21T15:04:05.678Z`. */
export type Instant = string;

/** PostgreSQL's format of a timestamp in a session with time zone UTC; it omits trailing zeros. */
const STORED = /^(\d{4}-\d{2}-\d{2}) (\d{2}:\d{2}:\d{2})(?:\.(\d{1,6}))?\+00$/;

/**
 * Converts PostgreSQL's text to an instant, truncated to milliseconds. Works on text, without a `Date` for each value
 * of a list.
 *
 * @returns undefined when the text has another format, such as a year of five digits
 */
export function instantOf(stored: string): Instant | undefined {
  const [, date, time, fraction = ''] = STORED.exec(stored) ?? [];
  if (date === undefined || time === undefined) return undefined;
  return `${date}T${time}.${fraction.slice(0, 3).padEnd(3, '0')}Z`;
}
