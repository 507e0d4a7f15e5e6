import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import type { CalendarDate } from '../../platform/values/calendar-date.js';
import type { CurrencyCode } from '../../platform/values/enums.js';
import { QueryEnumListField, QueryUuidListField } from '../../platform/http/query-fields.js';
import { EXAMPLE_ID } from '../../platform/http/examples.js';
import {
  CountProperty,
  DateProperty,
  MoneyProperty,
  TextProperty,
  UuidProperty,
} from '../../platform/http/response-fields.js';
import { COMPARISON_METRICS, type ComparisonMetric } from '../reports.queries.js';
import { TRENDS, type Trend } from '../trend.js';

export const MAX_COMPARED_CYCLES = 50;

class SummarizedCycle {
  @UuidProperty(EXAMPLE_ID.cycle)
  id!: string;

  @TextProperty({ example: 'January to March 2026' })
  name!: string;

  @DateProperty({ example: '2026-01-19' })
  start_date!: CalendarDate;

  @DateProperty({ example: '2026-03-01' })
  end_date!: CalendarDate;

  @MoneyProperty({ example: '5200.00' })
  income_amount!: string;
}

class Financial {
  @MoneyProperty({ example: '6138.89' })
  total_expenses_usd!: string;

  @MoneyProperty({ example: '4097.43' })
  fixed_expenses_usd!: string;

  @MoneyProperty({ example: '2041.46' })
  variable_expenses_usd!: string;

  @MoneyProperty({ example: '4868.32', description: 'Expenses in USD' })
  usa_expenses_usd!: string;

  @MoneyProperty({ example: '1270.57', description: 'Expenses in MXN, converted to USD' })
  mexico_expenses_usd!: string;

  @MoneyProperty({ example: '0.00', description: 'Including incomes not yet received' })
  total_incomes_usd!: string;

  @MoneyProperty({
    example: '-938.89',
    description: 'income_amount plus all incomes minus all expenses',
  })
  net_balance!: string;
}

class IncomesSummary {
  @CountProperty({ example: 5 })
  total_count!: number;

  @CountProperty({ example: 2 })
  received_count!: number;

  @MoneyProperty({ example: '7100.00', description: 'USD' })
  total_amount_usd!: string;

  @MoneyProperty({ example: '2900.00', description: 'USD' })
  received_amount!: string;

  @MoneyProperty({ example: '4200.00', description: 'USD, not yet received' })
  expected_amount!: string;
}

class PaymentMethodName {
  @UuidProperty(EXAMPLE_ID.paymentMethod)
  id!: string;

  @TextProperty({ example: 'BBVA Débito' })
  name!: string;
}

class PaymentMethodSummary {
  @ApiProperty()
  payment_method!: PaymentMethodName;

  @MoneyProperty({ example: '1017.48', description: 'USD' })
  total_amount!: string;

  @MoneyProperty({ example: '0.00', description: 'USD' })
  paid_amount!: string;

  @MoneyProperty({ example: '1017.48', description: 'USD, not paid' })
  pending_amount!: string;

  @CountProperty({ example: 3 })
  expense_count!: number;
}

class CurrencySummary {
  @MoneyProperty({ example: '20349.50', description: 'In that currency' })
  total_amount!: string;

  @MoneyProperty({ required: false, example: '1017.48', description: 'Absent for USD' })
  total_amount_usd?: string;

  @CountProperty({ example: 3 })
  expense_count!: number;
}

class SummaryByCurrency implements Partial<Record<CurrencyCode, CurrencySummary>> {
  @ApiPropertyOptional({ description: 'Expenses in US dollars' })
  USD?: CurrencySummary;

  @ApiPropertyOptional({ description: 'Expenses in Mexican pesos' })
  MXN?: CurrencySummary;
}

class StatusBreakdown {
  @CountProperty({ example: 35 })
  pending!: number;

  @CountProperty({ example: 0 })
  paid!: number;

  @CountProperty({ example: 0 })
  overdue!: number;

  @CountProperty({ example: 0 })
  cancelled!: number;
}

export class CycleSummaryReport {
  @ApiProperty()
  cycle!: SummarizedCycle;

  @ApiProperty({ description: 'USD' })
  financial!: Financial;

  @ApiProperty({
    description: 'The incomes of the cycle; the other breakdowns are of expenses only',
  })
  incomes!: IncomesSummary;

  @ApiProperty({
    type: [PaymentMethodSummary],
    description: 'Payment methods without expenses, or with cancelled ones only, are absent',
  })
  by_payment_method!: PaymentMethodSummary[];

  @ApiProperty({
    description: 'Currencies without expenses, or with cancelled ones only, are absent',
    example: {
      USD: { total_amount: '4868.32', expense_count: 25 },
      MXN: { total_amount: '25410.90', total_amount_usd: '1270.57', expense_count: 10 },
    },
  })
  by_currency!: SummaryByCurrency;

  @ApiProperty()
  status_breakdown!: StatusBreakdown;
}

export class CompareCyclesQuery {
  @QueryUuidListField({
    max: MAX_COMPARED_CYCLES,
    description: 'Comma-separated; duplicates are removed',
  })
  cycle_ids!: string[];

  @QueryEnumListField(COMPARISON_METRICS, {
    omittable: true,
    description: 'Comma-separated or repeated; defaults to the first three',
  })
  metrics: readonly ComparisonMetric[] = ['total_expenses', 'fixed_expenses', 'variable_expenses'];
}

class ComparedCycleName {
  @UuidProperty(EXAMPLE_ID.cycle)
  id!: string;

  @TextProperty({ example: 'January to March 2026' })
  name!: string;
}

class ComparedCycleEntry {
  @ApiProperty()
  cycle!: ComparedCycleName;

  @ApiProperty({
    type: 'object',
    description: 'The requested metrics, in USD',
    example: {
      total_expenses: '6138.89',
      fixed_expenses: '4097.43',
      variable_expenses: '2041.46',
    },
    properties: Object.fromEntries(COMPARISON_METRICS.map((name) => [name, { type: 'string' }])),
  })
  metrics!: Partial<Record<ComparisonMetric, string>>;
}

class Trends {
  @ApiProperty({
    enum: TRENDS,
    example: 'stable',
    description:
      'The change from the cycle with the earliest start date to the latest, if more than 5 %',
  })
  expenses!: Trend;
}

class Comparison {
  @MoneyProperty({ example: '6138.89', description: 'The mean of the total expenses in USD' })
  average_total!: string;

  @ApiProperty()
  trends!: Trends;
}

export class CyclesComparison {
  @ApiProperty({ type: [ComparedCycleEntry], description: 'In the requested order' })
  cycles!: ComparedCycleEntry[];

  @ApiProperty()
  comparison!: Comparison;
}
