import { Injectable } from '@nestjs/common';
import { ActivityService } from '../activity/activity.service.js';
import { Database, type Scope } from '../platform/database/database.js';
import { PaymentMethodsService } from '../payment-methods/payment-methods.service.js';
import type { ExpenseCategory } from '../platform/values/enums.js';
import {
  templateSnapshot,
  toTemplateResponse,
  type CreateTemplateDto,
  type UpdateTemplateDto,
} from './dto/template.dto.js';
import { RecurrentTemplatesService } from './recurrent-templates.service.js';
import { Template } from './template.entity.js';
import { readActiveTemplates, type ActiveTemplate } from './templates.queries.js';

/** Expense templates of a user (see docs/api.md). */
@Injectable()
export class TemplatesService extends RecurrentTemplatesService<
  Template,
  { category?: ExpenseCategory; autopay_info?: string | null },
  CreateTemplateDto,
  UpdateTemplateDto
> {
  constructor(
    database: Database,
    paymentMethods: PaymentMethodsService,
    activity: ActivityService,
  ) {
    super(
      {
        entity: Template,
        entityType: 'recurrent_expense',
        resource: 'expense_template',
        snapshot: templateSnapshot,
        toResponse: toTemplateResponse,
        ownColumns: ({ category, autopay_info }, template) => ({
          category: category ?? template?.category,
          autopayInfo: autopay_info === undefined ? (template?.autopayInfo ?? null) : autopay_info,
        }),
      },
      { database, paymentMethods, activity },
    );
  }

  /**
   * The active templates of both kinds, from which cycles are generated, oldest first within each kind, in pages. An
   * account within its limits has one.
   */
  readActive(scope: Scope): AsyncGenerator<ActiveTemplate[]> {
    return readActiveTemplates(scope);
  }
}
