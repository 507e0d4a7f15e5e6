import {
  dayNumber,
  fromDayNumber,
  type CalendarDate,
} from '../../platform/values/calendar-date.js';

const DAYS_PER_YEAR = 365;

/** Both days included. */
export interface Period {
  start: CalendarDate;
  end: CalendarDate;
}

/** Adjoining periods of at least a year; today is in the middle of the last but one. */
export function yearOfPeriods(today: CalendarDate, days: number): Period[] {
  const count = Math.ceil(DAYS_PER_YEAR / days);
  const current = dayNumber(today) - Math.floor(days / 2);
  return Array.from({ length: count }, (_, at) => {
    const start = current + (at - (count - 2)) * days;
    return { start: fromDayNumber(start), end: fromDayNumber(start + days - 1) };
  });
}
