import { addDays, type CalendarDate } from '../platform/values/calendar-date.js';

/** A rate is stale for a day that is more days after its date. */
export const MAX_RATE_AGE_DAYS = 35;

/** The date of the oldest rates that are not stale for a day. */
export const oldestRateDate = (day: CalendarDate): CalendarDate => addDays(day, -MAX_RATE_AGE_DAYS);
