import type { Snapshot } from '../activity/changes.js';
import type { IncomeTemplate } from '../templates/income-template.entity.js';
import type { WithPaymentMethod } from '../templates/recurrent-templates.repository.js';
import { snapshotOf } from '../templates/template-snapshot.js';
import { toIncomeTemplateResponse } from './dto/income-template.dto.js';

/** The state that the activity log records. */
export const incomeTemplateSnapshot = (template: WithPaymentMethod<IncomeTemplate>): Snapshot =>
  snapshotOf(toIncomeTemplateResponse(template));
