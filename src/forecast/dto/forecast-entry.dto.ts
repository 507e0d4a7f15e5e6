import { ApiExtraModels, ApiSchema } from '@nestjs/swagger';
import {
  BudgetReferenceOrNullProperty,
  toBudgetReference,
  type BudgetReference,
} from '../../budgets/dto/budget.dto.js';
import {
  PaymentMethodReferenceOrNullProperty,
  toPaymentMethodReference,
  type PaymentMethodReference,
} from '../../payment-methods/dto/payment-method.dto.js';
import {
  DateProperty,
  EnumProperty,
  MoneyProperty,
  TextProperty,
  UuidProperty,
} from '../../platform/dto/response-fields.js';
import type { CalendarDate } from '../../platform/values/calendar-date.js';
import { CURRENCY_CODES, type CurrencyCode } from '../../platform/values/currency.js';
import { formatCents } from '../../platform/values/money.js';
import { EXAMPLE_ID } from '../../records/record-ids.js';
import { InstalmentDto, InstalmentOrNullProperty } from '../../templates/dto/instalment.dto.js';
import {
  EXPENSE_CATEGORIES,
  type ExpenseCategory,
} from '../../templates/expense-template.entity.js';
import type { ShownEntry } from '../forecast.js';
import { FORECAST_ENTRY_TYPES, type ForecastEntryType } from '../planned-entry.js';

@ApiExtraModels(InstalmentDto)
@ApiSchema({ description: 'Something that counts in a forecast' })
export class ForecastEntryResponse {
  @DateProperty({ example: '2026-02-01', description: 'The day on which it counts' })
  date!: CalendarDate;

  @DateProperty({ example: '2026-01-25', description: 'Its own' })
  entry_date!: CalendarDate;

  @EnumProperty(FORECAST_ENTRY_TYPES, 'ForecastEntryType', {
    example: 'cycle_expense',
    description:
      '`cycle`: its `income_amount`; `card_statement`: what is to be paid; `budget`: what is set aside for it ' +
      'until this day',
  })
  entity_type!: ForecastEntryType;

  @UuidProperty(EXAMPLE_ID.expense, { nullable: true, description: 'null: not stored' })
  id!: string | null;

  @UuidProperty(EXAMPLE_ID.cycle, { nullable: true, description: 'null: not stored' })
  cycle_id!: string | null;

  @UuidProperty(EXAMPLE_ID.expenseTemplate, { nullable: true, description: 'null: none' })
  template_id!: string | null;

  @DateProperty({ nullable: true, example: null, description: 'Of the template' })
  occurrence_date!: CalendarDate | null;

  @InstalmentOrNullProperty()
  instalment!: InstalmentDto | null;

  @TextProperty({ example: 'Súper', description: 'What it is' })
  description!: string;

  @EnumProperty(EXPENSE_CATEGORIES, 'ExpenseCategory', {
    nullable: true,
    example: 'fixed',
    description: 'Of an expense',
  })
  category!: ExpenseCategory | null;

  @BudgetReferenceOrNullProperty('What it is for')
  budget!: BudgetReference | null;

  @PaymentMethodReferenceOrNullProperty('How it is paid')
  payment_method!: PaymentMethodReference | null;

  @EnumProperty(CURRENCY_CODES, 'CurrencyCode', { example: 'MXN', description: 'Of the amount' })
  currency!: CurrencyCode;

  @MoneyProperty({ example: '812.35', description: 'In the currency' })
  amount!: string;

  @MoneyProperty({ example: '40.62', description: 'In USD' })
  amount_usd!: string;
}

export const toForecastEntryResponse = ({ day, entry }: ShownEntry): ForecastEntryResponse => ({
  date: day,
  entry_date: entry.date,
  entity_type: entry.type,
  id: entry.id,
  cycle_id: entry.cycle?.id ?? null,
  template_id: entry.templateId,
  occurrence_date: entry.occurrenceDate,
  instalment: entry.instalment,
  description: entry.description,
  category: entry.category,
  budget: toBudgetReference(entry.budget),
  payment_method: entry.paymentMethod && toPaymentMethodReference(entry.paymentMethod),
  currency: entry.currency,
  amount: formatCents(entry.amount),
  amount_usd: formatCents(entry.amountUsd),
});
