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
import { EXAMPLE_ID } from '../../common/http/examples.js';
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
} from '../../common/http/response-fields.js';
import { EXPENSE_STATUSES, type ExpenseStatus } from '../../cycles/expense-status.js';
import { PaymentMethodReference } from '../../payment-methods/dto/payment-method.dto.js';
import type { ExpenseList, ExpenseView } from '../expenses.repository.js';

export class CreateExpenseDto {
  @TextField({ min: 1, max: 255, example: 'Súper' })
  description!: string;

  @EnumField(CURRENCY_CODES, 'CurrencyCode', { example: 'MXN' })
  currency!: CurrencyCode;

  @UuidField({ example: EXAMPLE_ID.paymentMethod, description: 'An active payment method' })
  payment_method_id!: string;

  @MoneyField({ example: '812.35' })
  amount!: Big;

  @DateField({ example: '2026-01-25', description: 'May lie outside the cycle' })
  due_date!: CalendarDate;

  @EnumField(EXPENSE_CATEGORIES, 'ExpenseCategory', { example: 'variable' })
  category!: ExpenseCategory;

  @TextField({ max: 1000, optional: true, example: 'Despensa de la semana' })
  comments?: string | null;

  @TextField({ max: 1000, optional: true, example: null })
  autopay_info?: string | null;
}

/** A partial update: what is left out stays. */
export class UpdateExpenseDto extends PartialType(CreateExpenseDto, {
  skipNullProperties: false,
}) {
  @EnumField(EXPENSE_STATUSES, 'ExpenseStatus', { omittable: true, example: 'paid' })
  status?: ExpenseStatus;

  @BooleanField({ omittable: true, example: true })
  paid?: boolean;

  @TimestampField({
    omittable: true,
    example: '2026-01-25T20:11:09-06:00',
    description: 'Only for an expense that is or becomes paid; now by default',
  })
  paid_at?: Date;
}

export class ListExpensesQuery {
  @EnumField(EXPENSE_STATUSES, 'ExpenseStatus', {
    omittable: true,
    description: 'As shown: derived overdue counts as overdue',
  })
  status?: ExpenseStatus;

  @EnumField(EXPENSE_CATEGORIES, 'ExpenseCategory', { omittable: true })
  category?: ExpenseCategory;

  @EnumField(CURRENCY_CODES, 'CurrencyCode', { omittable: true })
  currency?: CurrencyCode;

  @UuidField({
    omittable: true,
    description: 'Of any payment method; one that is not known matches nothing',
  })
  payment_method_id?: string;
}

export class ExpenseResponse {
  @UuidProperty(EXAMPLE_ID.expense)
  id!: string;

  @TextProperty({ example: 'Súper' })
  description!: string;

  @EnumProperty(CURRENCY_CODES, 'CurrencyCode', { example: 'MXN' })
  currency!: CurrencyCode;

  @MoneyProperty({ example: '812.35', description: 'In the currency of the expense' })
  amount!: string;

  @MoneyProperty({ example: '40.62', description: 'Converted at the rate of the due date' })
  amount_usd!: string;

  @DateProperty({ example: '2026-01-25' })
  due_date!: CalendarDate;

  @EnumProperty(EXPENSE_CATEGORIES, 'ExpenseCategory', { example: 'variable' })
  category!: ExpenseCategory;

  @EnumProperty(EXPENSE_STATUSES, 'ExpenseStatus', { example: 'pending' })
  status!: ExpenseStatus;

  @BooleanProperty({ example: false, description: 'true exactly when status is paid' })
  paid!: boolean;

  @InstantProperty({ nullable: true, example: null, description: 'Null unless paid' })
  paid_at!: string | null;

  @TextProperty({ nullable: true, example: 'Despensa de la semana' })
  comments!: string | null;

  @TextProperty({ nullable: true, example: null })
  autopay_info!: string | null;

  @UuidProperty(EXAMPLE_ID.template, { nullable: true, description: 'Null for a manual expense' })
  template_id!: string | null;

  @ApiProperty({ type: PaymentMethodReference })
  payment_method!: PaymentMethodReference;

  @CreatedAtProperty()
  created_at!: string;

  @UpdatedAtProperty()
  updated_at!: string;
}

export class ExpenseListSummary {
  @MoneyProperty({ example: '6138.89', description: 'USD, without cancelled expenses' })
  total_amount_usd!: string;

  @MoneyProperty({ example: '4097.43', description: 'USD, without cancelled expenses' })
  fixed_amount!: string;

  @MoneyProperty({ example: '2041.46', description: 'USD, without cancelled expenses' })
  variable_amount!: string;

  @MoneyProperty({ example: '0.00', description: 'USD' })
  paid_amount!: string;

  @MoneyProperty({ example: '6138.89', description: 'USD, neither paid nor cancelled' })
  pending_amount!: string;

  @CountProperty({ example: 35, description: 'Every expense listed, cancelled ones too' })
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
    paid_at: expense.paid_at,
    comments: expense.comments,
    autopay_info: expense.autopay_info,
    template_id: expense.template_id,
    payment_method: {
      id: expense.payment_method_id,
      name: expense.payment_method_name,
      method_type: expense.payment_method_type,
    },
    created_at: expense.created_at,
    updated_at: expense.updated_at,
  };
}

export function toExpenseListResponse({ expenses, summary }: ExpenseList): ExpenseListResponse {
  return { expenses: expenses.map(toExpenseResponse), summary };
}
