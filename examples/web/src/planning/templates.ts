import { addDays, type RecurrenceRule, type Schemas } from 'expense-service-client';
import { queries, tagOf, type ExpenseTemplate, type IncomeTemplate } from '../api';
import type { Kind } from '../entries/entry';

export type Template = ExpenseTemplate | IncomeTemplate;

type NewExpense = Schemas['CreateExpenseTemplateDto'];
/** `category` and `budget_id` of expenses only. */
export type NewTemplate = Schemas['CreateIncomeTemplateDto'] &
  Partial<NewExpense> & { weekend_rule: Schemas['WeekendRule'] };

export const isExpense = (template: Template): template is ExpenseTemplate =>
  'category' in template;

export const createTemplate = (kind: Kind, body: NewTemplate) =>
  kind === 'expense'
    ? queries.send('POST', '/expense-templates', {
        body: { category: 'fixed', ...body } as NewExpense,
      })
    : queries.send('POST', '/income-templates', { body });

/** Refused if the template was changed since it was read. */
export function updateTemplate(template: Template, body: Schemas['UpdateExpenseTemplateDto']) {
  const options = { params: { path: { id: template.id } }, ifMatch: tagOf(template), body };
  return isExpense(template)
    ? queries.send('PUT', '/expense-templates/{id}', options)
    : queries.send('PUT', '/income-templates/{id}', options);
}

/** How it recurs, without what else it has. */
export const ruleOf = (template: RecurrenceRule) => {
  const { recurrence_type, recurrence_config, reference_date } = template;
  return { recurrence_type, recurrence_config, reference_date } as RecurrenceRule;
};

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
  }) satisfies Record<string, RecurrenceRule>;

/** The quincena, which takes two templates: the 15th and the last day of each month. */
export const fortnightFrom = (first: string): RecurrenceRule[] =>
  [15, 31].map((day) => rule('monthly', first, { day_of_month: day, handle_month_end: true }));

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
