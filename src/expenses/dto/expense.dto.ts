import { ApiExtraModels, ApiProperty, ApiSchema, OmitType, PartialType } from '@nestjs/swagger';
import type { Big } from 'big.js';
import {
  BudgetField,
  BudgetReferenceOrNullProperty,
  toBudgetReference,
  type BudgetReference,
} from '../../budgets/dto/budget.dto.js';
import {
  UsedRateOrNullProperty,
  UsedRateResponse,
} from '../../exchange-rates/dto/exchange-rate.dto.js';
import type { CycleExpense } from '../../ledger/entities/cycle-expense.entity.js';
import {
  displayedStatus,
  EXPENSE_STATUSES,
  paymentContradictions,
  type ExpenseStatus,
  type PaymentChange,
} from '../../ledger/entities/expense-status.js';
import {
  PaymentMethodReference,
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
import {
  BooleanProperty,
  CreatedAtProperty,
  DateProperty,
  EnumProperty,
  InstantProperty,
  MoneyProperty,
  TextProperty,
  UpdatedAtProperty,
  UuidProperty,
} from '../../platform/dto/response-fields.js';
import type { FieldErrors } from '../../platform/errors/field-reasons.js';
import type { CalendarDate } from '../../platform/values/calendar-date.js';
import { CURRENCY_CODES, type CurrencyCode } from '../../platform/values/currency.js';
import { formatMoney } from '../../platform/values/money.js';
import { EXAMPLE_ID } from '../../records/record-ids.js';
import { InstalmentDto, InstalmentOrNullProperty } from '../../templates/dto/instalment.dto.js';
import {
  EXPENSE_CATEGORIES,
  type ExpenseCategory,
} from '../../templates/expense-template.entity.js';

@ApiSchema({ description: 'A new manual expense of a cycle' })
export class CreateExpenseDto {
  @TextField({ min: 1, max: 255, example: 'Súper', description: 'What is paid for' })
  description!: string;

  @EnumField(CURRENCY_CODES, 'CurrencyCode', { example: 'MXN', description: 'Of the amount' })
  currency!: CurrencyCode;

  @UuidField({ example: EXAMPLE_ID.paymentMethod, description: 'An active payment method' })
  payment_method_id!: string;

  @MoneyField({
    example: '812.35',
    description: 'In the currency of the expense, greater than 0, at most 2 decimals',
  })
  amount!: Big;

  @DateField({ example: '2026-01-25', description: 'May be outside the cycle' })
  due_date!: CalendarDate;

  @EnumField(EXPENSE_CATEGORIES, 'ExpenseCategory', {
    example: 'variable',
    description: 'Whether it is the same in each cycle or varies',
  })
  category!: ExpenseCategory;

  @TextField({
    max: 1000,
    notes: true,
    optional: true,
    example: 'Despensa de la semana',
    description: 'Notes',
  })
  comments?: string | null;

  @TextField({
    max: 1000,
    notes: true,
    optional: true,
    example: null,
    description: 'How it is paid automatically',
  })
  autopay_info?: string | null;

  @BudgetField('An active budget; null: none')
  budget_id?: string | null;

  @BooleanField({
    omittable: true,
    example: true,
    description: 'Whether it is already paid; by default not',
  })
  paid?: boolean;

  @Agrees(({ paid = false, paid_at }: CreateExpenseDto) => contradictionsOf({ paid, paid_at }))
  @TimestampField({
    omittable: true,
    example: '2026-01-25T20:11:09-06:00',
    description: 'Only with `paid: true`; defaults to now',
  })
  paid_at?: Date;
}

@ApiSchema({ description: 'A partial update: omitted fields keep their values' })
export class UpdateExpenseDto extends PartialType(
  OmitType(CreateExpenseDto, ['paid', 'paid_at'] as const),
  { skipNullProperties: false },
) {
  @EnumField(EXPENSE_STATUSES, 'ExpenseStatus', {
    omittable: true,
    example: 'paid',
    description: 'Changes `paid` accordingly; must not contradict it',
  })
  @Agrees(contradictionsOf)
  status?: ExpenseStatus;

  @BooleanField({
    omittable: true,
    example: true,
    description: 'Changes the status accordingly; must not contradict it',
  })
  @Agrees(contradictionsOf)
  paid?: boolean;

  @Agrees(contradictionsOf)
  @TimestampField({
    omittable: true,
    example: '2026-01-25T20:11:09-06:00',
    description: 'Only for an expense that is or becomes paid; defaults to now',
  })
  paid_at?: Date;
}

@ApiExtraModels(UsedRateResponse, InstalmentDto)
@ApiSchema({ description: 'An expense of a cycle' })
export class ExpenseResponse {
  @UuidProperty(EXAMPLE_ID.expense, { description: 'The id of the expense' })
  id!: string;

  @TextProperty({ example: 'Súper', description: 'What is paid for' })
  description!: string;

  @EnumProperty(CURRENCY_CODES, 'CurrencyCode', { example: 'MXN', description: 'Of the amount' })
  currency!: CurrencyCode;

  @MoneyProperty({ example: '812.35', description: 'In the currency of the expense' })
  amount!: string;

  @MoneyProperty({ example: '40.62', description: 'Converted at the rate of the due date' })
  amount_usd!: string;

  @UsedRateOrNullProperty()
  exchange_rate!: UsedRateResponse | null;

  @MoneyProperty({
    nullable: true,
    example: null,
    description:
      'The amount that generation or the last synchronization set; null: a manual expense, one that has another ' +
      'currency now, or unknown, as after an import or the undo of a synchronization',
  })
  planned_amount!: string | null;

  @DateProperty({ example: '2026-01-25', description: 'When it is due; may be outside the cycle' })
  due_date!: CalendarDate;

  @EnumProperty(EXPENSE_CATEGORIES, 'ExpenseCategory', {
    example: 'variable',
    description: 'Whether it is the same in each cycle or varies',
  })
  category!: ExpenseCategory;

  @EnumProperty(EXPENSE_STATUSES, 'ExpenseStatus', {
    example: 'pending',
    description: 'The state, including the derived `overdue` in reads',
  })
  status!: ExpenseStatus;

  @BooleanProperty({ example: false, description: 'true exactly when status is paid' })
  paid!: boolean;

  @InstantProperty({ nullable: true, example: null, description: 'null: not paid' })
  paid_at!: string | null;

  @TextProperty({ nullable: true, example: 'Despensa de la semana', description: 'Notes' })
  comments!: string | null;

  @TextProperty({ nullable: true, example: null, description: 'Notes about automatic payment' })
  autopay_info!: string | null;

  @UuidProperty(EXAMPLE_ID.expenseTemplate, {
    nullable: true,
    description: 'null: a manual expense',
  })
  template_id!: string | null;

  @DateProperty({
    nullable: true,
    example: null,
    description:
      'Which occurrence of the template it is: the date before the weekend rule; null: a manual expense',
  })
  occurrence_date!: CalendarDate | null;

  @InstalmentOrNullProperty()
  instalment!: InstalmentDto | null;

  @ApiProperty({ type: PaymentMethodReference, description: 'How it is paid' })
  payment_method!: PaymentMethodReference;

  @BudgetReferenceOrNullProperty('What it is for')
  budget!: BudgetReference | null;

  @CreatedAtProperty()
  created_at!: string;

  @UpdatedAtProperty()
  updated_at!: string;
}

/** The change of the payment that a body requests. */
export const paymentChange = (dto: UpdateExpenseDto): PaymentChange => ({
  status: dto.status,
  paid: dto.paid,
  paidAt: dto.paid_at,
});

/** Values of a wrong type, which their own fields report, contradict nothing. */
function contradictionsOf(dto: UpdateExpenseDto): FieldErrors {
  const { status, paid, paidAt } = paymentChange(dto);
  return paymentContradictions({
    status: EXPENSE_STATUSES.find((one) => one === status),
    paid: typeof paid === 'boolean' ? paid : undefined,
    paidAt,
  });
}

/** What a read responds: the response to a creation has the stored status. */
export const withDisplayedStatus = (
  expense: ExpenseResponse,
  today: CalendarDate,
): ExpenseResponse => ({
  ...expense,
  status: displayedStatus({ status: expense.status, dueDate: expense.due_date }, today),
});

/** The response about an expense with its payment method and budget, with the displayed status. */
export const toExpenseResponse = (expense: CycleExpense, today: CalendarDate): ExpenseResponse =>
  withDisplayedStatus(toStoredExpenseResponse(expense), today);

/** The response about an expense with its payment method and budget, with the stored status. */
export function toStoredExpenseResponse(expense: CycleExpense): ExpenseResponse {
  return {
    id: expense.id,
    description: expense.description,
    currency: expense.currency,
    amount: formatMoney(expense.amount),
    amount_usd: formatMoney(expense.amountUsd),
    exchange_rate: expense.usedRate(),
    planned_amount: expense.plannedAmount(),
    due_date: expense.dueDate,
    category: expense.category,
    status: expense.status,
    paid: expense.paid,
    paid_at: expense.paidAt?.toISOString() ?? null,
    comments: expense.comments,
    autopay_info: expense.autopayInfo,
    template_id: expense.templateId,
    occurrence_date: expense.occurrenceDate,
    instalment: expense.instalment,
    payment_method: toPaymentMethodReference(expense.usedPaymentMethod()),
    budget: toBudgetReference(expense.budget),
    created_at: expense.createdAt.toISOString(),
    updated_at: expense.updatedAt.toISOString(),
  };
}
