import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import {
  BudgetReferenceOrNullProperty,
  toBudgetReference,
  type BudgetReference,
} from '../../budgets/dto/budget.dto.js';
import {
  PaymentMethodReference,
  PaymentMethodReferenceOrNullProperty,
  toPaymentMethodReference,
} from '../../payment-methods/dto/payment-method.dto.js';
import {
  CountProperty,
  DateProperty,
  EnumProperty,
  InstantProperty,
  MoneyProperty,
  NonNegativeMoneyProperty,
  TextProperty,
  UuidProperty,
} from '../../platform/dto/response-fields.js';
import type { CalendarDate } from '../../platform/values/calendar-date.js';
import { CURRENCY_CODES, type CurrencyCode } from '../../platform/values/currency.js';
import { formatCents } from '../../platform/values/money.js';
import { EXAMPLE_ID } from '../../records/record-ids.js';
import {
  EXPENSE_CATEGORIES,
  type ExpenseCategory,
} from '../../templates/expense-template.entity.js';
import {
  shownEntries,
  type Day,
  type Forecast,
  type ForecastCycle,
  type ShownEntry,
  type Sums,
} from '../forecast.js';
import type { PayWindow } from '../pay-windows.js';
import { OPENING_SOURCES, type OpeningSource } from '../opening.js';
import { isStored } from '../planned-cycle.js';
import { FORECAST_ENTRY_TYPES, type ForecastEntryType } from '../planned-entry.js';
import {
  ForecastBalance,
  ForecastWarningResponse,
  toForecastBalance,
  toWarningResponses,
} from './forecast-warning.dto.js';

const CYCLE_SOURCES = ['stored', 'proposed'] as const;

@ApiSchema({ description: 'Open entries dated before today, which count today' })
class OverdueResponse {
  @MoneyProperty({ example: '120.00', description: 'Their sum' })
  expenses!: string;

  @CountProperty({ example: 2, description: 'How many' })
  expense_count!: number;

  @MoneyProperty({ example: '0.00', description: 'Their sum' })
  incomes!: string;

  @CountProperty({ example: 0, description: 'How many' })
  income_count!: number;
}

@ApiSchema({ description: 'The days from one on which money comes in to the next' })
export class PayWindowResponse {
  @DateProperty({ example: '2026-02-01', description: 'Today, or the day of an income' })
  from!: CalendarDate;

  @DateProperty({ example: '2026-02-14', description: 'Inclusive' })
  to!: CalendarDate;

  @MoneyProperty({ example: '2600.00', description: 'On its first day' })
  incomes!: string;

  @MoneyProperty({ example: '1733.12', description: 'In it' })
  expenses!: string;

  @CountProperty({ example: 12, description: 'Of expenses' })
  expense_count!: number;

  @MoneyProperty({ example: '866.88', description: 'The lowest balance in it' })
  closing_balance!: string;

  @NonNegativeMoneyProperty({
    example: '420.10',
    description:
      'What can be spent in it beyond the plan: the lowest `closing_balance` of this and all later windows, minus ' +
      '`minimum_balance`; 0.00 if that is negative. Several windows can show the same money',
  })
  free!: string;
}

@ApiSchema({ description: 'What counts of a cycle' })
export class ForecastCycleResponse {
  @UuidProperty(EXAMPLE_ID.cycle, { nullable: true, description: 'null: not stored' })
  id!: string | null;

  @TextProperty({ example: 'January to March 2026', description: 'The name of the cycle' })
  name!: string;

  @DateProperty({ example: '2026-01-19', description: 'Its first day' })
  start_date!: CalendarDate;

  @DateProperty({ example: '2026-03-01', description: 'Inclusive' })
  end_date!: CalendarDate;

  @EnumProperty(CYCLE_SOURCES, 'ForecastCycleSource', {
    example: 'stored',
    description: '`proposed`: it would follow the stored ones',
  })
  source!: (typeof CYCLE_SOURCES)[number];

  @MoneyProperty({ example: '5200.00', description: 'What counts, with `income_amount`' })
  incomes!: string;

  @MoneyProperty({ example: '1733.12', description: 'What counts' })
  expenses!: string;

  @MoneyProperty({ example: '4320.45', description: 'The balance of everything at its end' })
  closing_balance!: string;
}

@ApiSchema({ description: 'A day of a forecast' })
export class ForecastDayResponse {
  @DateProperty({ example: '2026-02-01', description: 'The day' })
  date!: CalendarDate;

  @MoneyProperty({ example: '0.00', description: 'What comes in' })
  incomes!: string;

  @MoneyProperty({ example: '1733.12', description: 'What goes out' })
  expenses!: string;

  @MoneyProperty({ example: '4320.45', description: 'At its end' })
  balance!: string;
}

@ApiSchema({ description: 'Something that counts in a forecast' })
export class ForecastEntryResponse {
  @DateProperty({ example: '2026-02-01', description: 'The day on which it counts' })
  date!: CalendarDate;

  @DateProperty({ example: '2026-01-25', description: 'Its own' })
  entry_date!: CalendarDate;

  @EnumProperty(FORECAST_ENTRY_TYPES, 'ForecastEntryType', {
    example: 'cycle_expense',
    description: '`cycle`: its `income_amount`; `budget`: what is left of it',
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

@ApiSchema({ description: 'Where the opening balance comes from' })
export class OpeningResponse {
  @EnumProperty(OPENING_SOURCES, 'OpeningSource', {
    example: 'stated',
    description:
      '`given`: as requested; `stated`: what payment methods have by their latest balances; `plan`: what has ' +
      'happened according to the plan; `none`: unknown, with a filter and no balance',
  })
  source!: OpeningSource;

  @InstantProperty({
    nullable: true,
    example: '2026-01-15T18:00:00.000Z',
    description: 'The latest balance that counts; null: not `stated`',
  })
  stated_at!: string | null;
}

@ApiSchema({ description: 'What is left until each pay day' })
export class ForecastResponse {
  @DateProperty({ example: '2026-01-25', description: 'The first day' })
  today!: CalendarDate;

  @DateProperty({ example: '2026-06-30', description: 'The last day' })
  to!: CalendarDate;

  @EnumProperty(CURRENCY_CODES, 'CurrencyCode', {
    nullable: true,
    example: null,
    description: 'As requested; null: all entries, in USD',
  })
  currency!: CurrencyCode | null;

  @UuidProperty(EXAMPLE_ID.paymentMethod, { nullable: true, description: 'As requested' })
  payment_method_id!: string | null;

  @MoneyProperty({ example: '1200.00', description: 'What there is now' })
  opening_balance!: string;

  @ApiProperty({ description: 'Where `opening_balance` comes from' })
  opening!: OpeningResponse;

  @MoneyProperty({ example: '0.00', description: 'What should always remain' })
  minimum_balance!: string;

  @MoneyProperty({ example: '961.11', description: 'At the end of the last day' })
  closing_balance!: string;

  @ApiProperty({ description: 'The first day with the lowest balance' })
  lowest!: ForecastBalance;

  @ApiProperty({ description: 'Open entries dated before today, which count today' })
  overdue!: OverdueResponse;

  @ApiProperty({ type: [PayWindowResponse], description: 'From today, ascending' })
  pay_windows!: PayWindowResponse[];

  @ApiProperty({ type: [ForecastCycleResponse], description: 'By start date' })
  cycles!: ForecastCycleResponse[];

  @ApiProperty({ type: [ForecastDayResponse], nullable: true, description: 'null: not included' })
  days!: ForecastDayResponse[] | null;

  @ApiProperty({ type: [ForecastEntryResponse], nullable: true, description: 'null: not included' })
  entries!: ForecastEntryResponse[] | null;

  @ApiProperty({
    type: 'integer',
    nullable: true,
    example: 0,
    description: 'How many more entries there are',
  })
  entries_left_out!: number | null;

  @ApiProperty({ type: [ForecastWarningResponse], description: 'At most one of each code' })
  warnings!: ForecastWarningResponse[];
}

export function toForecastResponse(forecast: Forecast): ForecastResponse {
  const { query, days, lowest } = forecast;
  const entries = query.include.includes('entries') ? shownEntries(days) : null;
  return {
    today: query.today,
    to: query.to,
    currency: query.currency,
    payment_method_id: query.paymentMethodId,
    opening_balance: formatCents(forecast.opening.balance),
    opening: { source: forecast.opening.source, stated_at: forecast.opening.statedAt },
    minimum_balance: formatCents(query.minimumBalance),
    closing_balance: formatCents(forecast.closingBalance),
    lowest: toForecastBalance(lowest),
    overdue: toOverdueResponse(forecast.overdue),
    pay_windows: forecast.payWindows.map(toPayWindowResponse),
    cycles: forecast.cycles.map(toForecastCycleResponse),
    days: query.include.includes('days') ? days.map(toForecastDayResponse) : null,
    entries: entries?.shown.map(toForecastEntryResponse) ?? null,
    entries_left_out: entries?.leftOut ?? null,
    warnings: toWarningResponses(forecast),
  };
}

const toOverdueResponse = (overdue: Sums): OverdueResponse => ({
  expenses: formatCents(overdue.expenses),
  expense_count: overdue.expenseCount,
  incomes: formatCents(overdue.incomes),
  income_count: overdue.incomeCount,
});

export const toPayWindowResponse = (window: PayWindow): PayWindowResponse => ({
  from: window.from,
  to: window.to,
  incomes: formatCents(window.incomes),
  expenses: formatCents(window.expenses),
  expense_count: window.expenseCount,
  closing_balance: formatCents(window.closingBalance),
  free: formatCents(window.free),
});

const toForecastCycleResponse = ({
  cycle,
  incomes,
  expenses,
  closingBalance,
}: ForecastCycle): ForecastCycleResponse => ({
  id: cycle.id,
  name: cycle.name,
  start_date: cycle.startDate,
  end_date: cycle.endDate,
  source: isStored(cycle) ? 'stored' : 'proposed',
  incomes: formatCents(incomes),
  expenses: formatCents(expenses),
  closing_balance: formatCents(closingBalance),
});

const toForecastDayResponse = (day: Day): ForecastDayResponse => ({
  date: day.date,
  incomes: formatCents(day.incomes),
  expenses: formatCents(day.expenses),
  balance: formatCents(day.balance),
});

const toForecastEntryResponse = ({ day, entry }: ShownEntry): ForecastEntryResponse => ({
  date: day,
  entry_date: entry.date,
  entity_type: entry.type,
  id: entry.id,
  cycle_id: entry.cycle?.id ?? null,
  template_id: entry.templateId,
  occurrence_date: entry.occurrenceDate,
  description: entry.description,
  category: entry.category,
  budget: toBudgetReference(entry.budget),
  payment_method: entry.paymentMethod && toPaymentMethodReference(entry.paymentMethod),
  currency: entry.currency,
  amount: formatCents(entry.amount),
  amount_usd: formatCents(entry.amountUsd),
});
