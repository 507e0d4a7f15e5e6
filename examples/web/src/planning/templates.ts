import type { Schemas } from 'expense-service-client';
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
