/** The days on which the statements of a card close and are due: pure functions of its rules. */
import {
  addDays,
  calendarDate,
  dateParts,
  daysInMonth,
  type CalendarDate,
} from '../platform/values/calendar-date.js';
import { MAX_DAYS_BETWEEN_ZONES } from '../platform/values/time-zone.js';
import { weekendMove, type WeekendRule } from '../platform/values/weekend-rule.js';

/** When statements close and are due: on a day of the month, or so many days after the closing. */
export interface StatementRules {
  /** 1-31; the last day of a shorter month. */
  closingDay: number;
  /** 1-31, like the closing day; null: `dueDaysAfter` is given. */
  dueDay: number | null;
  /** 1-60; null: `dueDay` is given. */
  dueDaysAfter: number | null;
  dueWeekendRule: WeekendRule;
}

/** More than the days from a closing to its due date: 60, or a month, and two of a weekend. */
const MAX_DAYS_UNTIL_DUE = 62;

/** The first such day of a month that is not before a date. */
export function monthDayFrom(date: CalendarDate, day: number): CalendarDate {
  const { year, month } = dateParts(date);
  const ofMonth = monthDay(year, month, day);
  return ofMonth >= date ? ofMonth : monthDay(year, month + 1, day);
}

/** The last such day of a month that is before a date. */
export function monthDayBefore(date: CalendarDate, day: number): CalendarDate {
  const { year, month } = dateParts(date);
  const ofMonth = monthDay(year, month, day);
  return ofMonth < date ? ofMonth : monthDay(year, month - 1, day);
}

/** @param month may be 0 or 13: of the year before or after */
function monthDay(year: number, month: number, day: number): CalendarDate {
  if (month === 0) return monthDay(year - 1, 12, day);
  if (month === 13) return monthDay(year + 1, 1, day);
  return calendarDate({ year, month, day: Math.min(day, daysInMonth(year, month)) });
}

/** The day on which a statement is due, which is always after its closing. */
export function dueDateOf(closing: CalendarDate, rules: StatementRules): CalendarDate {
  const { dueDay, dueDaysAfter, dueWeekendRule } = rules;
  const due =
    dueDay === null
      ? addDays(closing, dueDaysAfter ?? 1)
      : monthDayFrom(addDays(closing, 1), dueDay);
  const moved = addDays(due, weekendMove(due, dueWeekendRule));
  return moved > closing ? moved : addDays(due, weekendMove(due, 'after'));
}

/** The first closing of a card whose statements begin: its due date is not before today. */
export function firstClosing(rules: StatementRules, today: CalendarDate): CalendarDate {
  let closing = monthDayFrom(addDays(today, -MAX_DAYS_UNTIL_DUE), rules.closingDay);
  while (dueDateOf(closing, rules) < today) closing = nextClosing(closing, rules);
  return closing;
}

/** The first closing after a day. */
export const nextClosing = (
  date: CalendarDate,
  { closingDay }: Pick<StatementRules, 'closingDay'>,
): CalendarDate => monthDayFrom(addDays(date, 1), closingDay);

/** How far from today the first closing of a card may be set, in days. */
const MAX_DAYS_TO_FIRST_CLOSING = 400;

/** Days of which one can be the first closing of a card; both included. */
export interface ClosingDays {
  from: CalendarDate;
  to: CalendarDate;
}

/** The days near enough to today to be set as the first closing of a card. */
export const settableClosingDays = (today: CalendarDate): ClosingDays => ({
  from: addDays(today, -MAX_DAYS_TO_FIRST_CLOSING),
  to: addDays(today, MAX_DAYS_TO_FIRST_CLOSING),
});

/** Before the first closing of every card; bounds the statements that a card can have. */
const FIRST_CLOSING_DAY = '2020-01-01';

/**
 * The days that a stored card can have as its first closing: it was set on an earlier day, or in a
 * time zone whose day is later.
 */
export const storedClosingDays = (today: CalendarDate): ClosingDays => ({
  from: FIRST_CLOSING_DAY,
  to: addDays(today, MAX_DAYS_TO_FIRST_CLOSING + MAX_DAYS_BETWEEN_ZONES),
});

/** Whether a day is a closing, and among those that can be the first one. */
export const isAllowedFirstClosing = (
  date: CalendarDate,
  { closingDay }: Pick<StatementRules, 'closingDay'>,
  { from, to }: ClosingDays,
): boolean => date >= from && date <= to && monthDayFrom(date, closingDay) === date;
