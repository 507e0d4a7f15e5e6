import { ApiExtraModels, ApiProperty, getSchemaPath, PartialType } from '@nestjs/swagger';
import type { Big } from 'big.js';
import { Type } from 'class-transformer';
import { IsObject, ValidateNested } from 'class-validator';
import type { CalendarDate } from '../../common/calendar-date.js';
import {
  CURRENCY_CODES,
  EXPENSE_CATEGORIES,
  type CurrencyCode,
  type ExpenseCategory,
} from '../../common/enums.js';
import {
  BooleanField,
  DateField,
  EnumField,
  MoneyField,
  QueryBooleanField,
  TextField,
  UuidField,
} from '../../common/http/fields.js';
import { EXAMPLE_ID } from '../../common/http/examples.js';
import {
  BooleanProperty,
  CreatedAtProperty,
  DateProperty,
  EnumProperty,
  MoneyProperty,
  TextProperty,
  UpdatedAtProperty,
  UuidProperty,
} from '../../common/http/response-fields.js';
import { formatMoney } from '../../common/money.js';
import {
  PaymentMethodReference,
  toPaymentMethodReference,
} from '../../payment-methods/dto/payment-method.dto.js';
import {
  RECURRENCE_TYPES,
  type RecurrenceConfig,
  type RecurrenceType,
} from '../recurrence/recurrence.js';
import type { TemplateWithPaymentMethod } from '../templates.repository.js';
import {
  BiWeeklyConfigDto,
  configClassOf,
  CustomConfigDto,
  MonthlyConfigDto,
  WeeklyConfigDto,
} from './recurrence-config.dto.js';

const CONFIGS = [WeeklyConfigDto, BiWeeklyConfigDto, MonthlyConfigDto, CustomConfigDto];
const CONFIG_SCHEMAS = CONFIGS.map((config) => ({ $ref: getSchemaPath(config) }));

@ApiExtraModels(...CONFIGS)
export class CreateTemplateDto {
  @TextField({ min: 1, max: 255, example: 'Renta Mérida' })
  description!: string;

  @EnumField(CURRENCY_CODES, 'CurrencyCode', { example: 'MXN' })
  currency!: CurrencyCode;

  @UuidField({ example: EXAMPLE_ID.paymentMethod, description: 'An active payment method' })
  payment_method_id!: string;

  @MoneyField({ example: '9850.00' })
  base_amount!: Big;

  @EnumField(EXPENSE_CATEGORIES, 'ExpenseCategory', { example: 'fixed' })
  category!: ExpenseCategory;

  @EnumField(RECURRENCE_TYPES, 'RecurrenceType', { example: 'monthly' })
  recurrence_type!: RecurrenceType;

  @ApiProperty({
    oneOf: CONFIG_SCHEMAS,
    description: 'Of the shape that the recurrence type wants',
    example: { day_of_month: 1 },
  })
  @IsObject()
  @ValidateNested()
  @Type((options) => configClassOf((options?.object as CreateTemplateDto).recurrence_type))
  recurrence_config!: object;

  @DateField({ description: 'The last known occurrence', example: '2025-01-01' })
  reference_date!: CalendarDate;

  @TextField({ max: 1000, optional: true, example: 'Domiciliado' })
  autopay_info?: string | null;
}

/** A partial update: what is left out stays. */
export class UpdateTemplateDto extends PartialType(CreateTemplateDto, {
  skipNullProperties: false,
}) {
  @BooleanField({ omittable: true, example: true, description: 'true restores, false deletes' })
  active?: boolean;
}

export class ListTemplatesQuery {
  @QueryBooleanField({ description: 'Both when left out' })
  active?: boolean;

  @EnumField(EXPENSE_CATEGORIES, 'ExpenseCategory', { omittable: true })
  category?: ExpenseCategory;

  @EnumField(CURRENCY_CODES, 'CurrencyCode', { omittable: true })
  currency?: CurrencyCode;
}

export class TemplateResponse {
  @UuidProperty(EXAMPLE_ID.template)
  id!: string;

  @TextProperty({ example: 'Renta Mérida' })
  description!: string;

  @EnumProperty(CURRENCY_CODES, 'CurrencyCode', { example: 'MXN' })
  currency!: CurrencyCode;

  @MoneyProperty({ example: '9850.00', description: 'In the currency of the template' })
  base_amount!: string;

  @EnumProperty(EXPENSE_CATEGORIES, 'ExpenseCategory', { example: 'fixed' })
  category!: ExpenseCategory;

  @EnumProperty(RECURRENCE_TYPES, 'RecurrenceType', { example: 'monthly' })
  recurrence_type!: RecurrenceType;

  @ApiProperty({
    oneOf: CONFIG_SCHEMAS,
    example: { day_of_month: 1 },
  })
  recurrence_config!: RecurrenceConfig;

  @DateProperty({ example: '2025-01-01' })
  reference_date!: CalendarDate;

  @TextProperty({ nullable: true, example: 'Domiciliado' })
  autopay_info!: string | null;

  @ApiProperty({ type: PaymentMethodReference })
  payment_method!: PaymentMethodReference;

  @BooleanProperty({ example: true, description: 'false once deleted: nothing is generated' })
  active!: boolean;

  @CreatedAtProperty()
  created_at!: string;

  @UpdatedAtProperty()
  updated_at!: string;
}

export function toTemplateResponse(template: TemplateWithPaymentMethod): TemplateResponse {
  return {
    id: template.id,
    description: template.description,
    currency: template.currency,
    base_amount: formatMoney(template.baseAmount),
    category: template.category,
    recurrence_type: template.recurrenceType,
    recurrence_config: template.recurrenceConfig,
    reference_date: template.referenceDate,
    autopay_info: template.autopayInfo,
    payment_method: toPaymentMethodReference(template.paymentMethod),
    active: template.active,
    created_at: template.createdAt.toISOString(),
    updated_at: template.updatedAt.toISOString(),
  };
}
