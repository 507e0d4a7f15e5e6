import { ApiSchema, IntersectionType, OmitType, PartialType } from '@nestjs/swagger';
import { BudgetField } from '../../budgets/dto/budget.dto.js';
import {
  PaymentMethodReference,
  PaymentMethodReferenceOrNullProperty,
  toPaymentMethodReference,
} from '../../payment-methods/dto/payment-method.dto.js';
import { UuidField } from '../../platform/dto/fields.js';
import { UuidProperty } from '../../platform/dto/response-fields.js';
import { EXAMPLE_ID } from '../../records/record-ids.js';
import type { IncomeTemplate } from '../income-template.entity.js';
import {
  CreateBaseTemplateDto,
  ListBaseTemplatesQuery,
  BaseTemplateResponse,
  toBaseTemplateResponse,
  UPDATED_TEMPLATE_FIELDS,
  UpdatedTemplateFields,
} from './base-template.dto.js';

@ApiSchema({ description: 'A new template of a recurring income' })
export class CreateIncomeTemplateDto extends CreateBaseTemplateDto {
  @UuidField({
    optional: true,
    example: EXAMPLE_ID.paymentMethod,
    description: 'The account that receives the money: an active payment method',
  })
  payment_method_id?: string | null;

  @BudgetField('An active budget, which the generated incomes give back to; null: none')
  budget_id?: string | null;
}

@ApiSchema({ description: 'A partial update: omitted fields keep their values' })
export class UpdateIncomeTemplateDto extends IntersectionType(
  PartialType(OmitType(CreateIncomeTemplateDto, UPDATED_TEMPLATE_FIELDS), {
    skipNullProperties: false,
  }),
  UpdatedTemplateFields,
) {}

export class ListIncomeTemplatesQuery extends ListBaseTemplatesQuery {}

@ApiSchema({ description: 'A template of a recurring income' })
export class IncomeTemplateResponse extends BaseTemplateResponse {
  @UuidProperty(EXAMPLE_ID.incomeTemplate, { description: 'The id of the template' })
  id!: string;

  @PaymentMethodReferenceOrNullProperty('The account that receives the money')
  payment_method!: PaymentMethodReference | null;
}

export function toIncomeTemplateResponse(template: IncomeTemplate): IncomeTemplateResponse {
  return {
    ...toBaseTemplateResponse(template),
    id: template.id,
    payment_method: template.paymentMethod
      ? toPaymentMethodReference(template.paymentMethod)
      : null,
  };
}
