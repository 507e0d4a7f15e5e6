/** An instant as the API writes it: `2026-11-21T15:04:05.678Z`. */
export type Instant = string;

/** How PostgreSQL writes an instant in a session whose time zone is UTC; zeros in the end are left out. */
const STORED = /^(\d{4}-\d{2}-\d{2}) (\d{2}:\d{2}:\d{2})(?:\.(\d{1,6}))?\+00$/;

/**
 * PostgreSQL's text as an instant, cut to milliseconds. To make a `Date` of it first takes longer than
 * all else about reading a list.
 *
 * @returns undefined where the text has another form, as a year of five digits does
 */
export function instantOf(stored: string): Instant | undefined {
  const [, date, time, fraction = ''] = STORED.exec(stored) ?? [];
  if (date === undefined || time === undefined) return undefined;
  return `${date}T${time}.${fraction.slice(0, 3).padEnd(3, '0')}Z`;
}
