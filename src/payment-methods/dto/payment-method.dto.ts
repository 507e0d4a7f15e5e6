import { ApiProperty, ApiSchema, PartialType } from '@nestjs/swagger';
import {
  BooleanField,
  DateField,
  EnumField,
  IntegerField,
  TextField,
  UuidField,
} from '../../platform/dto/fields.js';
import { QueryBooleanField } from '../../platform/dto/query-fields.js';
import {
  BooleanProperty,
  CreatedAtProperty,
  DateProperty,
  EnumProperty,
  IntegerProperty,
  TextProperty,
  UpdatedAtProperty,
  UuidProperty,
} from '../../platform/dto/response-fields.js';
import { orNull } from '../../platform/openapi/nullable-reference.js';
import type { CalendarDate } from '../../platform/values/calendar-date.js';
import { CURRENCY_CODES, type CurrencyCode } from '../../platform/values/currency.js';
import { WEEKEND_RULES, type WeekendRule } from '../../platform/values/weekend-rule.js';
import { EXAMPLE_ID } from '../../records/record-ids.js';
import {
  PAYMENT_METHOD_TYPES,
  type PaymentMethod,
  type PaymentMethodType,
} from '../payment-method.entity.js';

@ApiSchema({ description: 'A new card, account or cash' })
export class CreatePaymentMethodDto {
  @TextField({ min: 1, max: 100, example: 'BBVA Débito', description: 'Unique per user' })
  name!: string;

  @EnumField(PAYMENT_METHOD_TYPES, 'PaymentMethodType', {
    example: 'debit',
    description: 'The kind of payment method',
  })
  method_type!: PaymentMethodType;

  @EnumField(CURRENCY_CODES, 'CurrencyCode', {
    example: 'MXN',
    description: 'The currency that clients propose for its expenses',
  })
  default_currency!: CurrencyCode;

  @TextField({
    max: 500,
    optional: true,
    example: 'Cuenta de nómina',
    description: 'Notes; null or empty: none',
  })
  description?: string | null;

  @IntegerField({
    optional: true,
    min: 1,
    max: 31,
    example: 12,
    description:
      'Of a `credit` card: the day on which its statements close, or the last day of a shorter ' +
      'month; null: no statements',
  })
  closing_day?: number | null;

  @IntegerField({
    optional: true,
    min: 1,
    max: 31,
    example: 2,
    description: 'Statements are due on the first such day after the closing; or `due_days_after`',
  })
  due_day?: number | null;

  @IntegerField({
    optional: true,
    min: 1,
    max: 60,
    example: null,
    description: 'Statements are due that many days after the closing; or `due_day`',
  })
  due_days_after?: number | null;

  @EnumField(WEEKEND_RULES, 'WeekendRule', {
    omittable: true,
    example: 'keep',
    description: 'How a due date on a weekend is moved, default `keep`',
  })
  due_weekend_rule?: WeekendRule;

  @DateField({
    optional: true,
    example: '2026-10-12',
    description:
      'The closing of the first statement, at most 400 days from today. Default: the first one ' +
      'that is due today or later; after a change of the days the first one after today',
  })
  first_closing_date?: CalendarDate | null;

  @BooleanField({
    omittable: true,
    example: false,
    description: 'Whether a statement counts as paid in full once its due date has passed',
  })
  autopay?: boolean;

  @UuidField({
    optional: true,
    example: EXAMPLE_ID.paymentMethod,
    description: 'The payment method from which it is paid; null: the main one',
  })
  paid_from_id?: string | null;
}

@ApiSchema({ description: 'A partial update: omitted fields keep their values' })
export class UpdatePaymentMethodDto extends PartialType(CreatePaymentMethodDto, {
  skipNullProperties: false,
}) {
  @BooleanField({ omittable: true, example: true, description: 'true restores, false deletes' })
  active?: boolean;
}

export class ListPaymentMethodsQuery {
  @QueryBooleanField({ description: 'Default: both' })
  active?: boolean;

  @EnumField(CURRENCY_CODES, 'CurrencyCode', {
    omittable: true,
    description: 'Filters by default_currency',
  })
  currency?: CurrencyCode;
}

@ApiSchema({ description: 'A payment method, embedded in another resource' })
export class PaymentMethodReference {
  @UuidProperty(EXAMPLE_ID.paymentMethod, { description: 'The id of the payment method' })
  id!: string;

  @TextProperty({ example: 'BBVA Débito', description: 'Unique per user' })
  name!: string;

  @EnumProperty(PAYMENT_METHOD_TYPES, 'PaymentMethodType', {
    example: 'debit',
    description: 'The kind of payment method',
  })
  method_type!: PaymentMethodType;
}

/** A {@link PaymentMethodReference} or null. */
export const PaymentMethodReferenceOrNullProperty = (description: string): PropertyDecorator =>
  ApiProperty({
    ...orNull(PaymentMethodReference),
    description: `${description}; null: not specified`,
    example: { id: EXAMPLE_ID.paymentMethod, name: 'BBVA Débito', method_type: 'debit' },
  });

@ApiSchema({ description: 'A card, an account or cash' })
export class PaymentMethodResponse extends PaymentMethodReference {
  @EnumProperty(CURRENCY_CODES, 'CurrencyCode', {
    example: 'MXN',
    description: 'The currency that clients propose for its expenses',
  })
  default_currency!: CurrencyCode;

  @TextProperty({ nullable: true, example: 'Cuenta de nómina', description: 'Notes; null: none' })
  description!: string | null;

  @IntegerProperty({
    nullable: true,
    example: null,
    description: 'The day on which statements close; null: no statements',
  })
  closing_day!: number | null;

  @IntegerProperty({ nullable: true, example: null, description: 'The day on which they are due' })
  due_day!: number | null;

  @IntegerProperty({ nullable: true, example: null, description: 'Or how long after the closing' })
  due_days_after!: number | null;

  @EnumProperty(WEEKEND_RULES, 'WeekendRule', {
    example: 'keep',
    description: 'How a due date on a weekend is moved',
  })
  due_weekend_rule!: WeekendRule;

  @DateProperty({
    nullable: true,
    example: null,
    description: 'The closing of the first statement by these days; null without statements',
  })
  first_closing_date!: CalendarDate | null;

  @BooleanProperty({
    example: false,
    description: 'Whether a statement counts as paid in full once its due date has passed',
  })
  autopay!: boolean;

  @UuidProperty(EXAMPLE_ID.paymentMethod, {
    nullable: true,
    example: null,
    description: 'The payment method from which it is paid; null: the main one',
  })
  paid_from_id!: string | null;

  @BooleanProperty({ example: true, description: 'false: deleted' })
  active!: boolean;

  @CreatedAtProperty()
  created_at!: string;

  @UpdatedAtProperty()
  updated_at!: string;
}

export function toPaymentMethodReference(
  method: Pick<PaymentMethod, 'id' | 'name' | 'methodType'>,
): PaymentMethodReference {
  return { id: method.id, name: method.name, method_type: method.methodType };
}

export function toPaymentMethodResponse(method: PaymentMethod): PaymentMethodResponse {
  return {
    id: method.id,
    name: method.name,
    method_type: method.methodType,
    default_currency: method.defaultCurrency,
    description: method.description,
    closing_day: method.closingDay,
    due_day: method.dueDay,
    due_days_after: method.dueDaysAfter,
    due_weekend_rule: method.dueWeekendRule,
    first_closing_date: method.firstClosingDate,
    autopay: method.autopay,
    paid_from_id: method.paidFromId,
    active: method.active,
    created_at: method.createdAt.toISOString(),
    updated_at: method.updatedAt.toISOString(),
  };
}
