import { memoize } from './memoize.js';

const DAY_MS = 86_400_000;

/** Formats the calendar day of a timestamp in a time zone. */
const dayFormatOf = memoize(
  (timeZone: string) =>
    new Intl.DateTimeFormat('en-US-u-ca-gregory-nu-latn', {
      timeZone,
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
    }),
);

/**
 * A date of the API in the words of a locale, by default in its medium form: `Jan 25, 2026`. The
 * day is the same in every time zone.
 *
 * @param date `YYYY-MM-DD`
 * @param options of `Intl.DateTimeFormat`; its `timeZone` is ignored
 * @throws RangeError if `date` is not such a date
 */
export function formatDate(
  date: string,
  locale: string,
  options: Intl.DateTimeFormatOptions = { dateStyle: 'medium' },
): string {
  return new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' }).format(startOf(date));
}

/**
 * The date that is so many days later, or earlier if they are negative.
 *
 * @throws RangeError if `date` is not `YYYY-MM-DD`, or `days` is not an integer
 */
export function addDays(date: string, days: number): string {
  if (!Number.isInteger(days)) throw new RangeError(`Not a number of days: ${days}`);
  return new Date(startOf(date) + days * DAY_MS).toISOString().slice(0, 10);
}

/**
 * The number of days from a date to another one, negative if that is earlier.
 *
 * @throws RangeError if one is not `YYYY-MM-DD`
 */
export function daysBetween({ from, to }: { from: string; to: string }): number {
  return (startOf(to) - startOf(from)) / DAY_MS;
}

/**
 * The calendar day of a timestamp of the API in a time zone, as `YYYY-MM-DD`.
 *
 * @param timeZone for example the `time_zone` of the user, `America/Mexico_City`
 * @throws RangeError if the timestamp or the time zone does not exist
 */
export function dayOf(timestamp: string, timeZone: string): string {
  const parts = dayFormatOf(timeZone).formatToParts(new Date(timestamp));
  const part = (type: string): string => parts.find((each) => each.type === type)?.value ?? '';
  return `${part('year')}-${part('month')}-${part('day')}`;
}

/** The start of the day in UTC, in milliseconds since 1970. */
function startOf(date: string): number {
  const start = /^\d{4}-\d\d-\d\d$/.test(date) ? Date.parse(date) : NaN;
  // Engines move a day that does not exist, such as February 30, to the next month.
  if (Number.isNaN(start) || new Date(start).toISOString().slice(0, 10) !== date) {
    throw new RangeError(`Not a date YYYY-MM-DD: ${date}`);
  }
  return start;
}
