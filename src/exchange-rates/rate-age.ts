import { daysBetween, type CalendarDate } from '../platform/values/calendar-date.js';

/** A rate is stale for a day that is more days after its date. */
export const MAX_RATE_AGE_DAYS = 35;

export const isStaleRate = ({
  rateDate,
  day,
}: {
  rateDate: CalendarDate;
  day: CalendarDate;
}): boolean => daysBetween({ from: rateDate, to: day }) > MAX_RATE_AGE_DAYS;
