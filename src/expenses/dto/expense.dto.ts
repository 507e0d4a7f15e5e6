import { ApiProperty, PartialType } from '@nestjs/swagger';
import type { Big } from 'big.js';
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
  TextField,
  TimestampField,
  UuidField,
} from '../../common/http/fields.js';
import { EXPENSE_STATUSES, type ExpenseStatus } from '../../cycles/expense-status.js';
import { PaymentMethodReference } from '../../payment-methods/dto/payment-method.dto.js';
import type { ExpenseList, ExpenseView } from '../expenses.repository.js';

export class CreateExpenseDto {
  @TextField({ min: 1, max: 255, example: 'Súper' })
  description!: string;

  @EnumField(CURRENCY_CODES, 'CurrencyCode')
  currency!: CurrencyCode;

  @UuidField({ description: 'An active payment method' })
  payment_method_id!: string;

  @MoneyField({ example: '812.35' })
  amount!: Big;

  @DateField({ example: '2026-01-25', description: 'May lie outside the cycle' })
  due_date!: CalendarDate;

  @EnumField(EXPENSE_CATEGORIES, 'ExpenseCategory')
  category!: ExpenseCategory;

  @TextField({ max: 1000, optional: true })
  comments?: string | null;

  @TextField({ max: 1000, optional: true })
  autopay_info?: string | null;
}

/** A partial update: what is left out stays. */
export class UpdateExpenseDto extends PartialType(CreateExpenseDto, {
  skipNullProperties: false,
}) {
  @EnumField(EXPENSE_STATUSES, 'ExpenseStatus', { omittable: true })
  status?: ExpenseStatus;

  @BooleanField({ omittable: true })
  paid?: boolean;

  @TimestampField({ omittable: true, description: 'Only for an expense that is or becomes paid' })
  paid_at?: Date;
}

export class ListExpensesQuery {
  @EnumField(EXPENSE_STATUSES, 'ExpenseStatus', { optional: true })
  status?: ExpenseStatus;

  @EnumField(EXPENSE_CATEGORIES, 'ExpenseCategory', { optional: true })
  category?: ExpenseCategory;

  @EnumField(CURRENCY_CODES, 'CurrencyCode', { optional: true })
  currency?: CurrencyCode;

  @UuidField({ optional: true })
  payment_method_id?: string;
}

export class ExpenseResponse {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty()
  description!: string;

  @ApiProperty({ enum: CURRENCY_CODES, enumName: 'CurrencyCode' })
  currency!: CurrencyCode;

  @ApiProperty({ example: '812.35', description: 'In the currency of the expense' })
  amount!: string;

  @ApiProperty({ example: '40.62' })
  amount_usd!: string;

  @ApiProperty({ type: 'string', format: 'date' })
  due_date!: CalendarDate;

  @ApiProperty({ enum: EXPENSE_CATEGORIES, enumName: 'ExpenseCategory' })
  category!: ExpenseCategory;

  @ApiProperty({ enum: EXPENSE_STATUSES, enumName: 'ExpenseStatus' })
  status!: ExpenseStatus;

  @ApiProperty()
  paid!: boolean;

  @ApiProperty({ type: 'string', format: 'date-time', nullable: true })
  paid_at!: string | null;

  @ApiProperty({ type: 'string', nullable: true })
  comments!: string | null;

  @ApiProperty({ type: 'string', nullable: true })
  autopay_info!: string | null;

  @ApiProperty({ type: 'string', format: 'uuid', nullable: true })
  template_id!: string | null;

  @ApiProperty({ type: PaymentMethodReference })
  payment_method!: PaymentMethodReference;

  @ApiProperty({ format: 'date-time' })
  created_at!: string;

  @ApiProperty({ format: 'date-time' })
  updated_at!: string;
}

export class ExpenseListSummary {
  @ApiProperty({ example: '6138.89', description: 'USD, without cancelled expenses' })
  total_amount_usd!: string;

  @ApiProperty({ example: '4097.43', description: 'USD, without cancelled expenses' })
  fixed_amount!: string;

  @ApiProperty({ example: '2041.46', description: 'USD, without cancelled expenses' })
  variable_amount!: string;

  @ApiProperty({ example: '0.00', description: 'USD' })
  paid_amount!: string;

  @ApiProperty({ example: '6138.89', description: 'USD, neither paid nor cancelled' })
  pending_amount!: string;

  @ApiProperty({ type: 'integer', description: 'Every expense listed, cancelled ones too' })
  total_count!: number;
}

export class ExpenseListResponse {
  @ApiProperty({ type: [ExpenseResponse] })
  expenses!: ExpenseResponse[];

  @ApiProperty({ description: 'Over the expenses listed' })
  summary!: ExpenseListSummary;
}

export function toExpenseResponse(expense: ExpenseView): ExpenseResponse {
  return {
    id: expense.id,
    description: expense.description,
    currency: expense.currency,
    amount: expense.amount,
    amount_usd: expense.amount_usd,
    due_date: expense.due_date,
    category: expense.category,
    status: expense.status,
    paid: expense.paid,
    paid_at: expense.paid_at?.toISOString() ?? null,
    comments: expense.comments,
    autopay_info: expense.autopay_info,
    template_id: expense.template_id,
    payment_method: {
      id: expense.payment_method_id,
      name: expense.payment_method_name,
      method_type: expense.payment_method_type,
    },
    created_at: expense.created_at.toISOString(),
    updated_at: expense.updated_at.toISOString(),
  };
}

export function toExpenseListResponse({ expenses, summary }: ExpenseList): ExpenseListResponse {
  return { expenses: expenses.map(toExpenseResponse), summary };
}
