import { ApiProperty, ApiSchema, IntersectionType, OmitType, PartialType } from '@nestjs/swagger';
import { BudgetField } from '../../budgets/dto/budget.dto.js';
import {
  PaymentMethodReference,
  toPaymentMethodReference,
} from '../../payment-methods/dto/payment-method.dto.js';
import { EnumField, TextField, UuidField } from '../../platform/dto/fields.js';
import { EnumProperty, TextProperty, UuidProperty } from '../../platform/dto/response-fields.js';
import { EXAMPLE_ID } from '../../records/record-ids.js';
import { EXPENSE_CATEGORIES, type ExpenseCategory } from '../expense-template.entity.js';
import type { ExpenseTemplate } from '../expense-template.entity.js';
import {
  CreateBaseTemplateDto,
  ListBaseTemplatesQuery,
  BaseTemplateResponse,
  toBaseTemplateResponse,
  UPDATED_TEMPLATE_FIELDS,
  UpdatedTemplateFields,
} from './base-template.dto.js';

@ApiSchema({ description: 'A new template of a recurring expense' })
export class CreateExpenseTemplateDto extends CreateBaseTemplateDto {
  @UuidField({ example: EXAMPLE_ID.paymentMethod, description: 'An active payment method' })
  payment_method_id!: string;

  @EnumField(EXPENSE_CATEGORIES, 'ExpenseCategory', {
    example: 'fixed',
    description: 'The category of the generated expenses',
  })
  category!: ExpenseCategory;

  @TextField({
    max: 1000,
    notes: true,
    optional: true,
    example: 'Domiciliado',
    description: 'Notes about automatic payment; null: none',
  })
  autopay_info?: string | null;

  @BudgetField('An active budget, which the generated expenses have; null: none')
  budget_id?: string | null;
}

@ApiSchema({ description: 'A partial update: omitted fields keep their values' })
export class UpdateExpenseTemplateDto extends IntersectionType(
  PartialType(OmitType(CreateExpenseTemplateDto, UPDATED_TEMPLATE_FIELDS), {
    skipNullProperties: false,
  }),
  UpdatedTemplateFields,
) {}

export class ListExpenseTemplatesQuery extends ListBaseTemplatesQuery {
  @EnumField(EXPENSE_CATEGORIES, 'ExpenseCategory', {
    omittable: true,
    description: 'Default: both',
  })
  category?: ExpenseCategory;
}

@ApiSchema({ description: 'A template of a recurring expense' })
export class ExpenseTemplateResponse extends BaseTemplateResponse {
  @UuidProperty(EXAMPLE_ID.expenseTemplate, { description: 'The id of the template' })
  id!: string;

  @EnumProperty(EXPENSE_CATEGORIES, 'ExpenseCategory', {
    example: 'fixed',
    description: 'The category of the generated expenses',
  })
  category!: ExpenseCategory;

  @TextProperty({
    nullable: true,
    example: 'Domiciliado',
    description: 'Notes about automatic payment; null: none',
  })
  autopay_info!: string | null;

  @ApiProperty({
    type: PaymentMethodReference,
    description: 'The payment method of the generated expenses',
  })
  payment_method!: PaymentMethodReference;
}

export function toExpenseTemplateResponse(template: ExpenseTemplate): ExpenseTemplateResponse {
  return {
    ...toBaseTemplateResponse(template),
    id: template.id,
    category: template.category,
    autopay_info: template.autopayInfo,
    payment_method: toPaymentMethodReference(template.usedPaymentMethod()),
  };
}
