import { Injectable } from '@nestjs/common';
import { ActivityService } from '../activity/activity.service.js';
import { PaymentMethodsService } from '../payment-methods/payment-methods.service.js';
import { Database } from '../platform/database/database.js';
import { IncomeTemplate } from './income-template.entity.js';
import { RecurrentTemplatesService } from './recurrent-templates.service.js';
import {
  incomeTemplateSnapshot,
  toIncomeTemplateResponse,
  type CreateIncomeTemplateDto,
  type UpdateIncomeTemplateDto,
} from './dto/income-template.dto.js';

/** Income templates of a user (see docs/api.md). */
@Injectable()
export class IncomeTemplatesService extends RecurrentTemplatesService<
  IncomeTemplate,
  object,
  CreateIncomeTemplateDto,
  UpdateIncomeTemplateDto
> {
  constructor(
    database: Database,
    paymentMethods: PaymentMethodsService,
    activity: ActivityService,
  ) {
    super(
      {
        entity: IncomeTemplate,
        entityType: 'recurrent_income',
        resource: 'recurrent_income',
        snapshot: incomeTemplateSnapshot,
        toResponse: toIncomeTemplateResponse,
        ownColumns: () => ({}),
      },
      { database, paymentMethods, activity },
    );
  }
}
