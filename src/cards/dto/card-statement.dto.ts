import { ApiExtraModels, ApiProperty, ApiSchema } from '@nestjs/swagger';
import type { Big } from 'big.js';
import {
  PaymentMethodReference,
  toPaymentMethodReference,
} from '../../payment-methods/dto/payment-method.dto.js';
import { BooleanField, DateField, TimestampField } from '../../platform/dto/fields.js';
import { MoneyField } from '../../platform/dto/money-fields.js';
import {
  BooleanProperty,
  CountProperty,
  DateProperty,
  EnumProperty,
  InstantProperty,
  MoneyProperty,
  UuidProperty,
} from '../../platform/dto/response-fields.js';
import type { CalendarDate } from '../../platform/values/calendar-date.js';
import { CURRENCY_CODES, type CurrencyCode } from '../../platform/values/currency.js';
import { formatMoney, type Money } from '../../platform/values/money.js';
import { EXAMPLE_ID } from '../../records/record-ids.js';
import { STATEMENT_STATUSES, type Statement, type StatementStatus } from '../statements.js';

export class ListStatementsQuery {
  @DateField({
    omittable: true,
    example: '2026-01-01',
    description:
      'The first closing date. Default: that of the oldest statement that is not paid, at most ' +
      '400 days ago, or else of the current one',
  })
  from?: CalendarDate;

  @DateField({
    omittable: true,
    notBefore: 'from',
    example: '2026-06-30',
    description:
      'The last closing date, at most 1,100 days after `from` and 400 days after today. Default: ' +
      'that of the second statement after the current one',
  })
  to?: CalendarDate;
}

@ApiSchema({ description: 'What is known of a statement; omitted fields keep their values' })
export class UpdateCardStatementDto {
  @MoneyField({
    optional: true,
    signed: true,
    example: '12850.00',
    description: 'What the bank says, in the currency of the card; null: what was bought',
  })
  stated_amount?: Big | null;

  @DateField({
    optional: true,
    example: '2026-02-02',
    description: '1 to 90 days after the closing; null: by the days of the card',
  })
  due_date?: CalendarDate | null;

  @BooleanField({
    omittable: true,
    example: true,
    description: 'Whether it is paid; false also clears `paid_at` and `paid_amount`',
  })
  paid?: boolean;

  @TimestampField({
    omittable: true,
    example: '2026-02-02T09:30:00-06:00',
    description: 'When it was paid, now by default; only for a statement that is paid',
  })
  paid_at?: Date;

  @MoneyField({
    omittable: true,
    zero: true,
    example: '12850.00',
    description:
      'How much was paid, `amount` by default; the rest is carried to the next statement. Only for ' +
      'a statement that is paid',
  })
  paid_amount?: Big;
}

@ApiExtraModels(PaymentMethodReference)
@ApiSchema({ description: 'What was bought with a card until a closing date' })
export class CardStatementResponse {
  @UuidProperty(EXAMPLE_ID.cardStatement, {
    nullable: true,
    description: 'null: nothing is stored of it, it is derived from the purchases alone',
  })
  id!: string | null;

  @ApiProperty({ type: PaymentMethodReference, description: 'The card' })
  payment_method!: PaymentMethodReference;

  @DateProperty({ example: '2026-01-12', description: 'The last day whose purchases it has' })
  closing_date!: CalendarDate;

  @DateProperty({ example: '2025-12-13', description: 'The first day whose purchases it has' })
  from!: CalendarDate;

  @DateProperty({ example: '2026-01-12', description: 'The same as `closing_date`' })
  to!: CalendarDate;

  @DateProperty({ example: '2026-02-02', description: 'The day on which it is to be paid' })
  due_date!: CalendarDate;

  @EnumProperty(STATEMENT_STATUSES, 'CardStatementStatus', {
    example: 'closed',
    description: 'Where it stands today',
  })
  status!: StatementStatus;

  @EnumProperty(CURRENCY_CODES, 'CurrencyCode', {
    example: 'MXN',
    description: 'The `default_currency` of the card, of all amounts but `amount_usd`',
  })
  currency!: CurrencyCode;

  @MoneyProperty({
    example: '12600.00',
    description: 'Its expenses that are not cancelled, paid or not, minus its incomes',
  })
  total_amount!: string;

  @MoneyProperty({
    example: '250.00',
    description: 'What the statement before was short of; below 0.00 what it had too much',
  })
  carried_amount!: string;

  @MoneyProperty({ nullable: true, example: null, description: 'What the bank says' })
  stated_amount!: string | null;

  @MoneyProperty({
    example: '12850.00',
    description:
      'What is to be paid: `stated_amount`, or else `total_amount` and `carried_amount`. Of one ' +
      'that is marked as paid it no longer changes',
  })
  amount!: string;

  @MoneyProperty({ example: '642.50', description: 'Of `amount`, at the rate of today' })
  amount_usd!: string;

  @BooleanProperty({
    example: false,
    description: 'Also true once it has closed with 0.00 or less, or with `autopay` is past due',
  })
  paid!: boolean;

  @InstantProperty({ nullable: true, example: null, description: 'When it was paid' })
  paid_at!: string | null;

  @MoneyProperty({ nullable: true, example: null, description: 'How much was paid' })
  paid_amount!: string | null;

  @CountProperty({ example: 14, description: 'Its expenses that are not cancelled' })
  expense_count!: number;

  @InstantProperty({ nullable: true, example: null, description: 'null: nothing is stored' })
  created_at!: string | null;

  @InstantProperty({ nullable: true, example: null, description: 'null: nothing is stored' })
  updated_at!: string | null;
}

/** @param amountUsd of its amount, at the rate of today */
export function toCardStatementResponse(
  statement: Statement,
  amountUsd: Money,
): CardStatementResponse {
  const { card, stored, paidAt } = statement;
  return {
    id: stored?.id ?? null,
    payment_method: toPaymentMethodReference(card),
    closing_date: statement.closingDate,
    from: statement.from,
    to: statement.closingDate,
    due_date: statement.dueDate,
    status: statement.status,
    currency: card.currency,
    total_amount: formatMoney(statement.total),
    carried_amount: formatMoney(statement.carried),
    stated_amount: formatOrNull(stored?.statedAmount),
    amount: formatMoney(statement.amount),
    amount_usd: formatMoney(amountUsd),
    paid: statement.paid,
    paid_at: paidAt?.toISOString() ?? null,
    paid_amount: formatOrNull(statement.paidAmount),
    expense_count: statement.expenseCount,
    created_at: stored?.createdAt.toISOString() ?? null,
    updated_at: stored?.updatedAt.toISOString() ?? null,
  };
}

const formatOrNull = (amount: Money | null | undefined): string | null =>
  amount ? formatMoney(amount) : null;
