import { dayNumber, dayOfWeek, type CalendarDate } from './calendar-date.js';

/** How a date on a Saturday or Sunday is moved: not at all, to the Friday before or Monday after. */
export const WEEKEND_RULES = ['keep', 'before', 'after'] as const;
export type WeekendRule = (typeof WEEKEND_RULES)[number];

/** The number of days by which a date on a Saturday or Sunday is moved. */
export const WEEKEND_MOVES: Record<WeekendRule, { saturday: number; sunday: number }> = {
  keep: { saturday: 0, sunday: 0 },
  before: { saturday: -1, sunday: -2 },
  after: { saturday: 2, sunday: 1 },
};

/** The number of days by which a rule moves a date; 0 from Monday to Friday. */
export function weekendMove(date: CalendarDate, rule: WeekendRule): number {
  const { saturday, sunday } = WEEKEND_MOVES[rule];
  const weekday = dayOfWeek(dayNumber(date));
  return weekday === 6 ? saturday : weekday === 0 ? sunday : 0;
}
