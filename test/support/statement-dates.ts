/**
 * The dates of statements of cards, found by walking from day to day, without code of the service.
 */
import { dayAt, dayNumber } from './due-days.js';
import { plusDays } from './forecast-periods.js';

/** When a card closes, and when what it has closed is due. */
export interface StatementDays {
  closing_day: number;
  /** This or `due_days_after`; the other is null. */
  due_day: number | null;
  due_days_after: number | null;
  due_weekend_rule: 'keep' | 'before' | 'after';
}

/** Longer than from a closing to its due date. */
const LONGEST_WAIT_DAYS = 100;

/** The date, or the first one before or after it of which something is true. */
function walk(date: string, step: 1 | -1, isThere: (date: string) => boolean): string {
  let day = date;
  while (!isThere(day)) day = plusDays(day, step);
  return day;
}

/** Whether a date is that day of its month: the last one of a shorter month. */
function isDayOfMonth(date: string, day: number): boolean {
  const own = Number(date.slice(8));
  return own === day || (own < day && plusDays(date, 1).endsWith('-01'));
}

const isWeekday = (date: string): boolean => ![0, 6].includes(dayAt(dayNumber(date)).weekday);

export const isClosing = ({ closing_day }: StatementDays, date: string): boolean =>
  isDayOfMonth(date, closing_day);

/** The first closing on or after a date. */
export const closingFrom = (days: StatementDays, date: string): string =>
  walk(date, 1, (day) => isClosing(days, day));

/** The last closing before a date. */
export const closingBefore = (days: StatementDays, date: string): string =>
  walk(plusDays(date, -1), -1, (day) => isClosing(days, day));

/** When the statement of a closing is due by the rule. */
export function dueDateOf(days: StatementDays, closing: string): string {
  const { due_day, due_days_after, due_weekend_rule } = days;
  const due =
    due_day === null
      ? plusDays(closing, due_days_after ?? 0)
      : walk(plusDays(closing, 1), 1, (day) => isDayOfMonth(day, due_day));
  if (due_weekend_rule === 'keep') return due;
  const before = walk(due, -1, isWeekday);
  return due_weekend_rule === 'before' && before > closing ? before : walk(due, 1, isWeekday);
}

/** The first closing of a card that gets its days today: what it closed is not yet due. */
export function defaultFirstClosing(days: StatementDays, today: string): string {
  let closing = closingFrom(days, plusDays(today, -LONGEST_WAIT_DAYS));
  while (dueDateOf(days, closing) < today) closing = closingFrom(days, plusDays(closing, 1));
  return closing;
}
