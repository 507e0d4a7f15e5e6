/**
 * The rows of a document. They are exported and imported, and validated by the rules of the
 * requests that create such records.
 */
import { applyDecorators } from '@nestjs/common';
import {
  ApiExtraModels,
  ApiProperty,
  ApiSchema,
  IntersectionType,
  OmitType,
  PartialType,
  PickType,
} from '@nestjs/swagger';
import type { Big } from 'big.js';
import { Type } from 'class-transformer';
import { IsObject, IsOptional, ValidateNested } from 'class-validator';
import { StatedBalanceDto } from '../../balances/dto/balance.dto.js';
import { BudgetField, CreateBudgetDto } from '../../budgets/dto/budget.dto.js';
import { CreateCommentDto } from '../../comments/dto/comment.dto.js';
import { BudgetLimitsField, type BudgetLimitDto } from '../../cycles/dto/budget-limit.dto.js';
import { CreateCycleDto } from '../../cycles/dto/cycle.dto.js';
import { CreateExpenseDto } from '../../expenses/dto/expense.dto.js';
import { CreateIncomeDto } from '../../incomes/dto/income.dto.js';
import { CYCLE_STATUSES, type CycleStatus } from '../../ledger/entities/cycle.entity.js';
import { EXPENSE_STATUSES, type ExpenseStatus } from '../../ledger/entities/expense-status.js';
import { CreatePaymentMethodDto } from '../../payment-methods/dto/payment-method.dto.js';
import { EXAMPLE_INSTANT } from '../../platform/dto/example-values.js';
import { DateField, EnumField, TimestampField, UuidField } from '../../platform/dto/fields.js';
import { MoneyField, RateField, SumField } from '../../platform/dto/money-fields.js';
import { orNull } from '../../platform/openapi/nullable-reference.js';
import type { CalendarDate } from '../../platform/values/calendar-date.js';
import { CURRENCY_CODES, type CurrencyCode } from '../../platform/values/currency.js';
import { EXAMPLE_ID } from '../../records/record-ids.js';
import { CreateExpenseTemplateDto } from '../../templates/dto/expense-template.dto.js';
import { CreateIncomeTemplateDto } from '../../templates/dto/income-template.dto.js';
import { InstalmentDto } from '../../templates/dto/instalment.dto.js';
import { HasRecurrence } from '../../templates/dto/recurrence-config.dto.js';
import { ActiveFields, IGNORED, METHOD, RecordFields } from './row-fields.dto.js';

const BUDGET = 'One of budgets, active or not; null: none';

const GENERATED = ['description', 'currency', 'amount', 'payment_method_id'] as const;

const GENERATED_DESCRIPTION =
  'What generation or the last synchronization set, to recognize later edits: an entry without one of the values ' +
  'counts as edited; null for a manual entry';

/** An object or null. */
const OptionalObject = (type: new () => object, description: string): PropertyDecorator =>
  applyDecorators(
    ApiProperty({
      ...orNull(type),
      required: false,
      description,
      example: null,
    }),
    IsOptional(),
    IsObject(),
    ValidateNested(),
    Type(() => type),
  );

@ApiSchema({ name: 'PaymentMethodRow', description: 'A payment method in an export' })
export class PaymentMethodRowDto extends IntersectionType(
  ActiveFields,
  OmitType(CreatePaymentMethodDto, ['first_closing_date', 'paid_from_id'] as const),
) {
  @DateField({
    optional: true,
    example: null,
    description: 'A closing, also long ago, but not before 2020; null: the default of a new one',
  })
  first_closing_date?: CalendarDate | null;

  @UuidField({
    optional: true,
    example: null,
    description:
      'Another one of payment_methods without `closing_day`, earlier or later, active or not; null: the main one',
  })
  paid_from_id?: string | null;
}

@ApiSchema({ name: 'BudgetRow', description: 'A budget in an export' })
export class BudgetRowDto extends IntersectionType(ActiveFields, CreateBudgetDto) {}

@HasRecurrence()
@ApiSchema({ name: 'ExpenseTemplateRow', description: 'An expense template in an export' })
export class ExpenseTemplateRowDto extends IntersectionType(
  ActiveFields,
  OmitType(CreateExpenseTemplateDto, ['payment_method_id', 'budget_id'] as const),
) {
  @UuidField({ example: EXAMPLE_ID.paymentMethod, description: METHOD })
  payment_method_id!: string;

  @BudgetField(BUDGET)
  budget_id?: string | null;
}

@HasRecurrence()
@ApiSchema({ name: 'IncomeTemplateRow', description: 'An income template in an export' })
export class IncomeTemplateRowDto extends IntersectionType(
  ActiveFields,
  OmitType(CreateIncomeTemplateDto, ['payment_method_id', 'budget_id'] as const),
) {
  @UuidField({ optional: true, example: EXAMPLE_ID.paymentMethod, description: METHOD })
  payment_method_id?: string | null;

  @BudgetField(BUDGET)
  budget_id?: string | null;
}

@ApiSchema({ name: 'CycleRow', description: 'A cycle in an export' })
export class CycleRowDto extends IntersectionType(
  RecordFields,
  OmitType(CreateCycleDto, ['remaining_balance', 'generate_from_templates'] as const),
) {
  @EnumField(CYCLE_STATUSES, 'CycleStatus', {
    example: 'active',
    description: 'The stage of the cycle',
  })
  status!: CycleStatus;

  @BudgetLimitsField({
    optional: true,
    description: 'Of budgets, active or not, each once, in any order',
  })
  budget_limits?: BudgetLimitDto[] | null;
}

@ApiSchema({ name: 'Conversion', description: 'The rate of a conversion to USD' })
class ConversionDto {
  @RateField({ example: '0.050000', description: 'The value of one unit of the currency in USD' })
  rate!: Big;

  @DateField({ example: '2025-01-01', description: 'The date of the stored rate' })
  rate_date!: CalendarDate;
}

@ApiSchema({
  name: 'GeneratedExpense',
  description: 'The values of an expense that were generated',
})
export class GeneratedExpenseDto extends PartialType(
  PickType(CreateExpenseDto, [...GENERATED, 'due_date', 'category', 'autopay_info']),
  { skipNullProperties: false },
) {}

@ApiSchema({ name: 'GeneratedIncome', description: 'The values of an income that were generated' })
export class GeneratedIncomeDto extends PartialType(
  PickType(CreateIncomeDto, [...GENERATED, 'income_date']),
  { skipNullProperties: false },
) {}

class EntryFields extends RecordFields {
  @UuidField({ example: EXAMPLE_ID.cycle, description: 'One of cycles' })
  cycle_id!: string;

  @MoneyField({ example: '40.62', description: 'Must agree with the conversion' })
  amount_usd!: Big;

  @OptionalObject(ConversionDto, 'null for USD, and where the rate is unknown')
  exchange_rate?: ConversionDto | null;

  @UuidField({ optional: true, example: null, description: 'null: a manual entry' })
  template_id?: string | null;

  @DateField({
    optional: true,
    example: null,
    description: 'Which occurrence of the template it is',
  })
  occurrence_date?: CalendarDate | null;

  @OptionalObject(InstalmentDto, 'null: none, as of a manual entry')
  instalment?: InstalmentDto | null;
}

@ApiExtraModels(ConversionDto, GeneratedExpenseDto, InstalmentDto)
@ApiSchema({ name: 'ExpenseRow', description: 'An expense in an export' })
export class ExpenseRowDto extends IntersectionType(
  EntryFields,
  OmitType(CreateExpenseDto, ['payment_method_id', 'budget_id', 'paid', 'paid_at'] as const),
) {
  @UuidField({ example: EXAMPLE_ID.paymentMethod, description: METHOD })
  payment_method_id!: string;

  @BudgetField(BUDGET)
  budget_id?: string | null;

  @EnumField(EXPENSE_STATUSES, 'ExpenseStatus', {
    example: 'pending',
    description: 'As stored: `overdue` is also derived on reading',
  })
  status!: ExpenseStatus;

  @TimestampField({ optional: true, example: null, description: 'Exactly when status is paid' })
  paid_at?: Date | null;

  @OptionalObject(GeneratedExpenseDto, GENERATED_DESCRIPTION)
  generated?: GeneratedExpenseDto | null;
}

@ApiExtraModels(GeneratedIncomeDto)
@ApiSchema({ name: 'IncomeRow', description: 'An income in an export' })
export class IncomeRowDto extends IntersectionType(
  EntryFields,
  OmitType(CreateIncomeDto, ['payment_method_id', 'budget_id', 'received', 'received_at'] as const),
) {
  @UuidField({ optional: true, example: EXAMPLE_ID.paymentMethod, description: METHOD })
  payment_method_id?: string | null;

  @BudgetField(BUDGET)
  budget_id?: string | null;

  @TimestampField({ optional: true, example: null, description: 'null: not received' })
  received_at?: Date | null;

  @OptionalObject(GeneratedIncomeDto, GENERATED_DESCRIPTION)
  generated?: GeneratedIncomeDto | null;
}

@ApiSchema({ name: 'BalanceRow', description: 'A balance in an export' })
export class BalanceRowDto extends IntersectionType(
  RecordFields,
  OmitType(StatedBalanceDto, ['payment_method_id'] as const),
) {
  @UuidField({ example: EXAMPLE_ID.paymentMethod, description: METHOD })
  payment_method_id!: string;

  @EnumField(CURRENCY_CODES, 'CurrencyCode', {
    example: 'MXN',
    description: 'Of the amounts; the payment method may have another one',
  })
  currency!: CurrencyCode;

  @TimestampField({
    example: EXAMPLE_INSTANT.updated,
    description: 'What is up to 5 minutes later than now is taken as now',
  })
  stated_at!: Date;

  @SumField({ optional: true, example: '18600.00', description: 'null: nothing was expected' })
  expected?: Big | null;
}

@ApiSchema({ name: 'CommentRow', description: 'A comment in an export' })
export class CommentRowDto extends IntersectionType(RecordFields, CreateCommentDto) {
  @TimestampField({ optional: true, example: null, description: IGNORED })
  edited_at?: Date | null;
}
