import type { TemplateType } from './model.js';

/** The differences between the two kinds of templates. */
export const TEMPLATE_KINDS: Record<TemplateType, { path: string; resource: string }> = {
  recurrent_expense: { path: '/expense-templates', resource: 'expense_template' },
  recurrent_income: { path: '/income-templates', resource: 'recurrent_income' },
};
