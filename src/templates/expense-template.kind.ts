import type { StoredKind } from '../records/record-kind.js';
import { ExpenseTemplateResponse } from './dto/expense-template.dto.js';
import { ExpenseTemplate } from './expense-template.entity.js';
import { ExpenseTemplatesService } from './expense-templates.service.js';

export const EXPENSE_TEMPLATE_KIND: StoredKind<typeof ExpenseTemplate.type> = {
  type: ExpenseTemplate.type,
  entity: ExpenseTemplate,
  representation: ExpenseTemplateResponse,
  service: ExpenseTemplatesService,
};
