import { ApiProperty, ApiSchema } from '@nestjs/swagger';
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
  shownEntries,
  type Day,
  type Forecast,
  type ForecastCycle,
  type Sums,
} from '../forecast.js';
import { OPENING_SOURCES, type OpeningSource } from '../opening.js';
import { isStored } from '../planned-cycle.js';
import { ForecastEntryResponse, toForecastEntryResponse } from './forecast-entry.dto.js';
import {
  ForecastBalance,
  ForecastWarningResponse,
  toForecastBalance,
  toWarningResponses,
} from './forecast-warning.dto.js';
import { PayWindowResponse, toPayWindowResponse } from './pay-window.dto.js';

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

@ApiSchema({ description: 'What statements of cards take' })
export class ForecastCardsResponse {
  @NonNegativeMoneyProperty({ example: '642.50', description: 'Their sum' })
  expenses!: string;

  @CountProperty({ example: 1, description: 'How many count' })
  statement_count!: number;
}

@ApiSchema({ description: 'A day of a forecast' })
export class ForecastDayResponse {
  @DateProperty({ example: '2026-02-01', description: 'The day' })
  date!: CalendarDate;

  @MoneyProperty({ example: '0.00', description: 'What comes in' })
  incomes!: string;

  @MoneyProperty({ example: '1733.12', description: 'What goes out' })
  expenses!: string;

  @NonNegativeMoneyProperty({
    example: '20.00',
    description: 'What of `expenses` is set aside for budgets',
  })
  set_aside!: string;

  @MoneyProperty({ example: '4320.45', description: 'At its end' })
  balance!: string;
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

  @DateProperty({ example: '2026-07-31', description: 'The last day that counts for `free`' })
  free_until!: CalendarDate;

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

  @ApiProperty({ description: 'Statements of cards, which are in no cycle' })
  cards!: ForecastCardsResponse;

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
    free_until: query.freeUntil,
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
    cards: {
      expenses: formatCents(forecast.cards.expenses),
      statement_count: forecast.cards.expenseCount,
    },
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
  set_aside: formatCents(day.setAside),
  balance: formatCents(day.balance),
});
