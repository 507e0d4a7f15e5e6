/** A reference implementation of recurrence rules that shares no code with the service. */
import type { WeekendRule } from '../../src/platform/values/weekend-rule.js';
import type {
  CustomConfig,
  MoveReason,
  Occurrence,
  Period,
  Recurrence,
  RecurrenceRule,
} from '../../src/templates/recurrence/recurrence.js';

const MS_PER_DAY = 86_400_000;

/** The parts of a day, by the platform's `Date` and not by the code under test. */
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

/** Whether the rule falls due on a day, decided without other days. */
function isDue(rule: RecurrenceRule, reference: Day, day: Day): boolean {
  switch (rule.type) {
    case 'weekly':
      return day.weekday === rule.config.day_of_week;
    case 'bi_weekly':
      return isMultiple(day.number - reference.number, rule.config.interval_days);
    case 'monthly': {
      const { day_of_month: expectedDay, handle_month_end: clamps } = rule.config;
      return day.day === (clamps ? Math.min(expectedDay, lastOfMonth(day)) : expectedDay);
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

const isWeekend = ({ weekday }: Day): boolean => weekday === 0 || weekday === 6;

/** Moves day by day until the day is not on a weekend. */
function moveOffWeekend(day: Day, weekendRule: WeekendRule): Day {
  if (weekendRule === 'keep' || !isWeekend(day)) return day;
  return moveOffWeekend(dayAt(day.number + (weekendRule === 'before' ? -1 : 1)), weekendRule);
}

/** The reasons for which a date of the rule was moved, decided from that date alone. */
function reasonsOf({ rule, referenceDate, weekendRule }: Recurrence, day: Day): MoveReason[] {
  const reference = dayAt(dayNumber(referenceDate));
  const config = rule.config as Partial<CustomConfig>;
  const isMonthly = rule.type === 'monthly' || /month|year/.test(config.unit ?? '');
  const expectedDay = config.day_of_month ?? reference.day;
  const isOtherWeekday = ![undefined, reference.weekday].includes(config.day_of_week);
  return [
    ...(isMonthly && day.day < expectedDay ? (['month_end'] as const) : []),
    ...(config.unit === 'weeks' && isOtherWeekday ? (['weekday'] as const) : []),
    ...(weekendRule !== 'keep' && isWeekend(day) ? (['weekend'] as const) : []),
  ];
}

/** The months of a period in which a monthly rule has no date, between its start and end. */
export function monthsWithoutDay(
  { rule, startsOn, endsOn }: Recurrence,
  { start, end }: Period,
): string[] {
  if (rule.type !== 'monthly' || rule.config.handle_month_end) return [];
  const months = new Set<string>();
  for (let number = dayNumber(start); number <= dayNumber(end); number += 1) {
    const day = dayAt(number);
    if (startsOn !== null && day.date < startsOn) continue;
    if (endsOn !== null && day.date > endsOn) continue;
    if (lastOfMonth(day) < rule.config.day_of_month) months.add(day.date.slice(0, 7));
  }
  return [...months];
}

/**
 * Checks every day of the period and a week around it: slow, but simple enough to serve as the
 * reference.
 */
export function dueDays(recurrence: Recurrence, { start, end }: Period): Occurrence[] {
  const { rule, referenceDate, startsOn, endsOn, weekendRule } = recurrence;
  const reference = dayAt(dayNumber(referenceDate));
  const due: Occurrence[] = [];
  for (let number = dayNumber(start) - 7; number <= dayNumber(end) + 7; number += 1) {
    const day = dayAt(number);
    if (!isDue(rule, reference, day)) continue;
    const { date } = moveOffWeekend(day, weekendRule);
    if (date < start || date > end) continue;
    if (startsOn !== null && date < startsOn) continue;
    if (endsOn !== null && date > endsOn) continue;
    due.push({ date, ruleDate: day.date, reasons: reasonsOf(recurrence, day) });
  }
  return due;
}
