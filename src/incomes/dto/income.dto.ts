import { ApiExtraModels, ApiProperty, ApiSchema, OmitType, PartialType } from '@nestjs/swagger';
import type { Big } from 'big.js';
import {
  BudgetField,
  BudgetFilterField,
  BudgetReferenceOrNullProperty,
  toBudgetReference,
  type BudgetReference,
} from '../../budgets/dto/budget.dto.js';
import {
  UsedRateOrNullProperty,
  UsedRateResponse,
} from '../../exchange-rates/dto/exchange-rate.dto.js';
import type { CycleIncome } from '../../ledger/entities/cycle-income.entity.js';
import { receiptContradictions, type ReceiptChange } from '../../ledger/entities/income-receipt.js';
import {
  PaymentMethodReference,
  PaymentMethodReferenceOrNullProperty,
  toPaymentMethodReference,
} from '../../payment-methods/dto/payment-method.dto.js';
import { Agrees } from '../../platform/dto/field-validators.js';
import {
  BooleanField,
  DateField,
  EnumField,
  TextField,
  TimestampField,
  UuidField,
} from '../../platform/dto/fields.js';
import { MoneyField } from '../../platform/dto/money-fields.js';
import { QueryBooleanField } from '../../platform/dto/query-fields.js';
import {
  BooleanProperty,
  CountProperty,
  CreatedAtProperty,
  DateProperty,
  EnumProperty,
  InstantProperty,
  MoneyProperty,
  TextProperty,
  UpdatedAtProperty,
  UuidProperty,
} from '../../platform/dto/response-fields.js';
import type { CalendarDate } from '../../platform/values/calendar-date.js';
import { CURRENCY_CODES, type CurrencyCode } from '../../platform/values/currency.js';
import { formatMoney } from '../../platform/values/money.js';
import { EXAMPLE_ID } from '../../records/record-ids.js';
import { InstalmentDto, InstalmentOrNullProperty } from '../../templates/dto/instalment.dto.js';

@ApiSchema({ description: 'A new manual income of a cycle' })
export class CreateIncomeDto {
  @TextField({ min: 1, max: 255, example: 'Quincena', description: 'Where the money comes from' })
  description!: string;

  @EnumField(CURRENCY_CODES, 'CurrencyCode', {
    example: 'MXN',
    description: 'The currency of the amount',
  })
  currency!: CurrencyCode;

  @MoneyField({
    example: '18500.00',
    description: 'In the currency of the income, greater than 0, at most 2 decimals',
  })
  amount!: Big;

  @DateField({ example: '2026-01-30', description: 'May be outside the cycle' })
  income_date!: CalendarDate;

  @UuidField({
    optional: true,
    example: EXAMPLE_ID.paymentMethod,
    description: 'The account that receives the money: an active payment method',
  })
  payment_method_id?: string | null;

  @TextField({
    max: 1000,
    notes: true,
    optional: true,
    example: 'Con aguinaldo',
    description: 'Notes; null: none',
  })
  comments?: string | null;

  @BudgetField('An active budget, for a refund: what its expenses take is less; null: none')
  budget_id?: string | null;

  @BooleanField({
    omittable: true,
    example: true,
    description: 'Whether the money has already been received; by default not',
  })
  received?: boolean;

  @Agrees(({ received = false, received_at }: CreateIncomeDto) =>
    receiptContradictions({ received, receivedAt: received_at }),
  )
  @TimestampField({
    omittable: true,
    example: '2026-01-30T09:15:00-06:00',
    description: 'Only with `received: true`; defaults to now',
  })
  received_at?: Date;
}

@ApiSchema({ description: 'A partial update: omitted fields keep their values' })
export class UpdateIncomeDto extends PartialType(
  OmitType(CreateIncomeDto, ['received', 'received_at'] as const),
  { skipNullProperties: false },
) {
  @BooleanField({
    omittable: true,
    example: true,
    description: 'Whether the money has been received; false clears `received_at`',
  })
  received?: boolean;

  @Agrees((dto: UpdateIncomeDto) => receiptContradictions(receiptChange(dto)))
  @TimestampField({
    omittable: true,
    example: '2026-01-30T09:15:00-06:00',
    description: 'Only for an income that is or becomes received; defaults to now',
  })
  received_at?: Date;
}

export class ListIncomesQuery {
  @EnumField(CURRENCY_CODES, 'CurrencyCode', { omittable: true, description: 'Default: both' })
  currency?: CurrencyCode;

  @QueryBooleanField({ description: 'Default: both' })
  received?: boolean;

  @UuidField({
    omittable: true,
    description: 'An unknown payment method matches nothing',
  })
  payment_method_id?: string;

  @BudgetFilterField()
  budget_id?: string;
}

@ApiExtraModels(UsedRateResponse, InstalmentDto)
@ApiSchema({ description: 'An income of a cycle' })
export class IncomeResponse {
  @UuidProperty(EXAMPLE_ID.income, { description: 'The id of the income' })
  id!: string;

  @TextProperty({ example: 'Quincena', description: 'Where the money comes from' })
  description!: string;

  @EnumProperty(CURRENCY_CODES, 'CurrencyCode', {
    example: 'MXN',
    description: 'The currency of the amount',
  })
  currency!: CurrencyCode;

  @MoneyProperty({ example: '18500.00', description: 'In the currency of the income' })
  amount!: string;

  @MoneyProperty({ example: '925.00', description: 'Converted at the rate of the income date' })
  amount_usd!: string;

  @UsedRateOrNullProperty()
  exchange_rate!: UsedRateResponse | null;

  @MoneyProperty({
    nullable: true,
    example: '18500.00',
    description:
      'The amount that generation or the last synchronization set; null: a manual income, one that has another ' +
      'currency now, or unknown, as after an import or the undo of a synchronization',
  })
  planned_amount!: string | null;

  @DateProperty({
    example: '2026-01-30',
    description: 'When it is expected; may be outside the cycle',
  })
  income_date!: CalendarDate;

  @BooleanProperty({ example: false, description: 'Whether the money has been received' })
  received!: boolean;

  @InstantProperty({ nullable: true, example: null, description: 'null: not received' })
  received_at!: string | null;

  @TextProperty({ nullable: true, example: 'Con aguinaldo', description: 'Notes; null: none' })
  comments!: string | null;

  @UuidProperty(EXAMPLE_ID.incomeTemplate, {
    nullable: true,
    description: 'null: a manual income',
  })
  template_id!: string | null;

  @DateProperty({
    nullable: true,
    example: null,
    description:
      'Which occurrence of the template it is: the date before the weekend rule; null: a manual income',
  })
  occurrence_date!: CalendarDate | null;

  @InstalmentOrNullProperty()
  instalment!: InstalmentDto | null;

  @PaymentMethodReferenceOrNullProperty('The account that receives the money')
  payment_method!: PaymentMethodReference | null;

  @BudgetReferenceOrNullProperty('What it gives back to')
  budget!: BudgetReference | null;

  @CreatedAtProperty()
  created_at!: string;

  @UpdatedAtProperty()
  updated_at!: string;
}

@ApiSchema({ description: 'Totals of incomes' })
export class IncomeListSummary {
  @MoneyProperty({ example: '7850.00', description: 'USD' })
  total_amount_usd!: string;

  @MoneyProperty({ example: '2925.00', description: 'USD' })
  received_amount!: string;

  @MoneyProperty({ example: '4925.00', description: 'USD, not yet received' })
  expected_amount!: string;

  @CountProperty({ example: 6, description: 'Number of listed incomes' })
  total_count!: number;
}

@ApiSchema({ description: 'Incomes with their totals' })
export class IncomeListResponse {
  @ApiProperty({ type: [IncomeResponse], description: 'The incomes that match the filters' })
  incomes!: IncomeResponse[];

  @ApiProperty({ description: 'Totals of the listed incomes' })
  summary!: IncomeListSummary;
}

/** The change of the receipt that a body requests. */
export const receiptChange = (dto: UpdateIncomeDto): ReceiptChange => ({
  received: dto.received,
  receivedAt: dto.received_at,
});

/** The response about an income whose payment method, if any, is loaded. */
export const toIncomeResponse = (income: CycleIncome): IncomeResponse => ({
  id: income.id,
  description: income.description,
  currency: income.currency,
  amount: formatMoney(income.amount),
  amount_usd: formatMoney(income.amountUsd),
  exchange_rate: income.usedRate(),
  planned_amount: income.plannedAmount(),
  income_date: income.incomeDate,
  received: income.received,
  received_at: income.receivedAt?.toISOString() ?? null,
  comments: income.comments,
  template_id: income.templateId,
  occurrence_date: income.occurrenceDate,
  instalment: income.instalment,
  payment_method: income.paymentMethod ? toPaymentMethodReference(income.paymentMethod) : null,
  budget: toBudgetReference(income.budget),
  created_at: income.createdAt.toISOString(),
  updated_at: income.updatedAt.toISOString(),
});
