import { Logger } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { addDays, calendarDate, dateOfInstant, type CalendarDate } from './calendar-date.js';

export const UTC = 'UTC';

/** The maximum length of the name of a time zone, in characters. */
export const MAX_TIME_ZONE_LENGTH = 64;

/** How many days later than in one time zone it can be in another one: from UTC-12 to UTC+14. */
export const MAX_DAYS_BETWEEN_ZONES = 2;

/** Each takes about 25 kB and 0.1 ms; names differ in case, too. */
const MAX_FORMATS = 100;
/** The maximum of warnings of names that `Intl` does not know. */
const MAX_WARNINGS = 100;

const formats = new LRUCache<string, Intl.DateTimeFormat | typeof UTC>({ max: MAX_FORMATS });
const unknownNames = new Set<string>();
const logger = new Logger('TimeZone');

/**
 * Whether a value is the name of a time zone: `UTC`, or a name with a slash that `Intl` knows, such
 * as `America/Mexico_City`. Offsets such as `-06:00` are not, as they have no summer time.
 */
export function isTimeZone(value: unknown): value is string {
  if (typeof value !== 'string' || value.length > MAX_TIME_ZONE_LENGTH) return false;
  return value === UTC || (value.includes('/') && newFormat(value) !== undefined);
}

/** Gives the current day in a time zone. */
export type TodayIn = (timeZone: string) => CalendarDate;

/**
 * The current day in a time zone.
 *
 * @param timeZone a stored name, see {@link dayIn}
 */
export const todayIn: TodayIn = (timeZone) => dayIn(timeZone, new Date());

/** @returns a stored name, or `UTC` for one that `Intl` does not know, or no longer */
export const timeZoneInForce = (timeZone: string): string =>
  formatOf(timeZone) === UTC ? UTC : timeZone;

/**
 * The day of an instant in a time zone.
 *
 * @param timeZone a stored name; one that `Intl` does not know, or no longer, counts as UTC
 */
export function dayIn(timeZone: string, instant: Date): CalendarDate {
  const format = formatOf(timeZone);
  if (format === UTC) return dateOfInstant(instant);
  const [month, day, year] = format.format(instant).split('/').map(Number);
  return calendarDate({ year: year ?? NaN, month: month ?? NaN, day: day ?? NaN });
}

/**
 * The hour of an instant in a time zone, from 0 to 23.
 *
 * @param timeZone a stored name, see {@link dayIn}
 */
export const hourIn = (timeZone: string, instant: Date): number =>
  Number(
    instant.toLocaleString('en-US', {
      ...{ hour: 'numeric', hourCycle: 'h23' },
      timeZone: timeZoneInForce(timeZone),
    }),
  );

/**
 * The first instant of a day in a time zone, to the second: not 00:00 where clocks are set forward
 * at midnight. Of a day that the zone has skipped it is that of the next day.
 *
 * @param timeZone a stored name, see {@link dayIn}
 */
export function startOfDay(timeZone: string, day: CalendarDate): Date {
  // It is less than a day before or after the same time in UTC.
  let before = secondsOf(addDays(day, -1));
  let begun = secondsOf(addDays(day, 1));
  while (begun - before > 1) {
    const middle = Math.floor((before + begun) / 2);
    if (dayIn(timeZone, new Date(middle * 1000)) < day) before = middle;
    else begun = middle;
  }
  return new Date(begun * 1000);
}

const secondsOf = (day: CalendarDate): number => Date.parse(day) / 1000;

/** @throws TypeError without a name, for which `Intl` would take the zone of the machine */
function formatOf(timeZone: string): Intl.DateTimeFormat | typeof UTC {
  if (timeZone === UTC) return UTC;
  const cached = formats.get(timeZone);
  if (cached) return cached;
  const format = timeZone.includes('/') ? newFormat(timeZone) : undefined;
  if (!format) warnOnce(timeZone);
  formats.set(timeZone, format ?? UTC);
  return format ?? UTC;
}

/** Undefined for a name that `Intl` does not know. */
function newFormat(timeZone: string): Intl.DateTimeFormat | undefined {
  try {
    // Every build of Node.js has this locale: month/day/year.
    return new Intl.DateTimeFormat('en-US', { timeZone, calendar: 'gregory' });
  } catch {
    return undefined;
  }
}

function warnOnce(timeZone: string): void {
  if (unknownNames.has(timeZone) || unknownNames.size >= MAX_WARNINGS) return;
  unknownNames.add(timeZone);
  logger.warn(`This Node.js does not know the time zone ${timeZone} of a user: it counts as UTC`);
}
