/** How templates recur, and how people say it. */
import { addDays, formatDate, type Schemas } from 'expense-service-client';
import type { Locale } from '../locale';

type RuleIn<Record> = Record extends unknown
  ? Pick<Record, keyof Record & ('recurrence_type' | 'recurrence_config' | 'reference_date')>
  : never;
export type Rule = RuleIn<Schemas['ComputeOccurrencesDto']>;

export const ruleOf = ({ recurrence_type, recurrence_config, reference_date }: Rule): Rule =>
  ({ recurrence_type, recurrence_config, reference_date }) as Rule;

const SUNDAY = '2023-01-01';

/** `Every second Friday`, `On the 15th of each month`. */
export function ruleText(rule: Rule, { t, locale }: Locale): string {
  const texts = t.planning.rule;
  const date = (day: string, options: Intl.DateTimeFormatOptions) =>
    formatDate(day, locale, options);
  const firstWeekday = date(rule.reference_date, { weekday: 'long' });
  const weekday = (day: number) => date(addDays(SUNDAY, day), { weekday: 'long' });
  switch (rule.recurrence_type) {
    case 'weekly':
      return texts.weeks(1, weekday(rule.recurrence_config.day_of_week));
    case 'bi_weekly': {
      const days = rule.recurrence_config.interval_days;
      return days % 7 === 0 ? texts.weeks(days / 7, firstWeekday) : texts.days(days);
    }
    case 'monthly': {
      const { day_of_month: day, handle_month_end: inEachMonth } = rule.recurrence_config;
      return day > 28 && !inEachMonth ? texts.someMonths(day) : texts.months(1, day);
    }
    case 'custom': {
      const { interval, unit, ...on } = rule.recurrence_config;
      const [, month, day] = rule.reference_date.split('-').map(Number) as [number, number, number];
      const dayOfMonth = on.day_of_month ?? day;
      if (unit === 'days') return texts.days(interval);
      if (unit === 'months') return texts.months(interval, dayOfMonth);
      if (unit === 'weeks')
        return texts.weeks(
          interval,
          on.day_of_week == null ? firstWeekday : weekday(on.day_of_week),
        );
      const firstOfMonth = `2023-${String(on.month_of_year ?? month).padStart(2, '0')}-01`;
      return texts.years(interval, dayOfMonth, date(firstOfMonth, { month: 'long' }));
    }
  }
}

const weekdayOf = (day: string): number => new Date(day).getUTCDay();

/** The rules that people mean by a first day: every Friday, or the 27th, if it is Friday the 27th. */
export const rulesFrom = (first: string, interval: Schemas['CustomConfigDto']) =>
  ({
    weekly: rule('weekly', first, { day_of_week: weekdayOf(first) }),
    second_week: rule('bi_weekly', first, { interval_days: 14 }),
    monthly: rule('monthly', first, {
      day_of_month: Number(first.slice(8)),
      handle_month_end: true,
    }),
    month_end: rule('monthly', first, { day_of_month: 31, handle_month_end: true }),
    interval: rule('custom', first, interval),
  }) satisfies Record<string, Rule>;

const rule = <Type extends string, Config>(type: Type, first: string, config: Config) => ({
  recurrence_type: type,
  recurrence_config: config,
  reference_date: first,
});

/** `starts_on` for a first day, which may itself move to the Friday before. */
export function startFor(first: string, weekendRule: Schemas['WeekendRule']): string {
  const daysAfterFriday = { 6: 1, 0: 2 }[weekdayOf(first)] ?? 0;
  return weekendRule === 'before' ? addDays(first, -daysAfterFriday) : first;
}
