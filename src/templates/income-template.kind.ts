import type { StoredKind } from '../records/record-kind.js';
import { IncomeTemplateResponse } from './dto/income-template.dto.js';
import { IncomeTemplate } from './income-template.entity.js';
import { IncomeTemplatesService } from './income-templates.service.js';

export const INCOME_TEMPLATE_KIND: StoredKind<typeof IncomeTemplate.type> = {
  type: IncomeTemplate.type,
  entity: IncomeTemplate,
  representation: IncomeTemplateResponse,
  service: IncomeTemplatesService,
};
