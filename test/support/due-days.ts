/** When recurring expenses fall due, for tests to compare with: another way than the service's. */
import type {
  CustomConfig,
  Period,
  RecurrenceRule,
} from '../../src/templates/recurrence/recurrence.js';

const MS_PER_DAY = 86_400_000;

/** A day, taken apart by the platform's own calendar and not by the code under test. */
export interface Day {
  date: string;
  year: number;
  month: number;
  day: number;
  weekday: number;
  /** Days since 1970-01-01. */
  number: number;
}

export function dayAt(number: number): Day {
  const instant = new Date(number * MS_PER_DAY);
  const year = instant.getUTCFullYear();
  const month = instant.getUTCMonth() + 1;
  return {
    date: instant.toISOString().slice(0, 10),
    year,
    month,
    day: instant.getUTCDate(),
    weekday: instant.getUTCDay(),
    number,
  };
}

const lastOfMonth = ({ year, month }: Day): number =>
  new Date(Date.UTC(year, month, 0)).getUTCDate();

const isMultiple = (value: number, step: number): boolean => value % step === 0;

/** Whether the rule falls due on a day, asked of that day alone. */
function isDue(rule: RecurrenceRule, reference: Day, day: Day): boolean {
  switch (rule.type) {
    case 'weekly':
      return day.weekday === rule.config.day_of_week;
    case 'bi_weekly':
      return isMultiple(day.number - reference.number, rule.config.interval_days);
    case 'monthly': {
      const { day_of_month: wanted, handle_month_end: clamps } = rule.config;
      return day.day === (clamps ? Math.min(wanted, lastOfMonth(day)) : wanted);
    }
    case 'custom':
      return isCustomDue(rule.config, reference, day);
  }
}

function isCustomDue(config: CustomConfig, reference: Day, day: Day): boolean {
  const { interval, unit } = config;
  const isDayOfMonth = (): boolean =>
    day.day === Math.min(config.day_of_month ?? reference.day, lastOfMonth(day));
  switch (unit) {
    case 'days':
      return isMultiple(day.number - reference.number, interval);
    case 'weeks': {
      const sunday = (of: Day): number => of.number - of.weekday;
      const weeks = (sunday(day) - sunday(reference)) / 7;
      return (
        day.weekday === (config.day_of_week ?? reference.weekday) && isMultiple(weeks, interval)
      );
    }
    case 'months': {
      const months = (day.year - reference.year) * 12 + day.month - reference.month;
      return isMultiple(months, interval) && isDayOfMonth();
    }
    case 'years':
      return (
        day.month === (config.month_of_year ?? reference.month) &&
        isMultiple(day.year - reference.year, interval) &&
        isDayOfMonth()
      );
  }
}

export const dayNumber = (date: string): number => Date.parse(date) / MS_PER_DAY;

/** Walks the period day by day: slow, and too simple to be wrong in the same way. */
export function dueDays(
  rule: RecurrenceRule,
  referenceDate: string,
  { start, end }: Period,
): string[] {
  const reference = dayAt(dayNumber(referenceDate));
  const due: string[] = [];
  for (let number = dayNumber(start); number <= dayNumber(end); number += 1) {
    const day = dayAt(number);
    if (isDue(rule, reference, day)) due.push(day.date);
  }
  return due;
}
