import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import type { CalendarDate } from '../../platform/values/calendar-date.js';
import type { CurrencyCode } from '../../platform/values/enums.js';
import { QueryEnumListField, QueryUuidListField } from '../../platform/dto/query-fields.js';
import { EXAMPLE_ID } from '../../platform/dto/example-values.js';
import {
  CountProperty,
  DateProperty,
  MoneyProperty,
  TextProperty,
  UuidProperty,
} from '../../platform/dto/response-fields.js';
import { COMPARISON_METRICS, type ComparisonMetric } from '../reports.queries.js';
import { TRENDS, type Trend } from '../trend.js';

export const MAX_COMPARED_CYCLES = 50;

@ApiSchema({ description: 'The cycle of a report' })
class SummarizedCycle {
  @UuidProperty(EXAMPLE_ID.cycle, { description: 'The id of the cycle' })
  id!: string;

  @TextProperty({ example: 'January to March 2026', description: 'The name of the cycle' })
  name!: string;

  @DateProperty({ example: '2026-01-19', description: 'The first day of the cycle' })
  start_date!: CalendarDate;

  @DateProperty({ example: '2026-03-01', description: 'Inclusive' })
  end_date!: CalendarDate;

  @MoneyProperty({ example: '5200.00', description: 'USD' })
  income_amount!: string;
}

@ApiSchema({ description: 'Totals of a cycle in USD, without cancelled expenses' })
class Financial {
  @MoneyProperty({ example: '6138.89', description: 'All expenses' })
  total_expenses_usd!: string;

  @MoneyProperty({ example: '4097.43', description: 'Expenses of the category `fixed`' })
  fixed_expenses_usd!: string;

  @MoneyProperty({ example: '2041.46', description: 'Expenses of the category `variable`' })
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

@ApiSchema({ description: 'Totals of the incomes of a cycle' })
class IncomesSummary {
  @CountProperty({ example: 5, description: 'Number of incomes, received or not' })
  total_count!: number;

  @CountProperty({ example: 2, description: 'Number of received incomes' })
  received_count!: number;

  @MoneyProperty({ example: '7100.00', description: 'USD' })
  total_amount_usd!: string;

  @MoneyProperty({ example: '2900.00', description: 'USD' })
  received_amount!: string;

  @MoneyProperty({ example: '4200.00', description: 'USD, not yet received' })
  expected_amount!: string;
}

@ApiSchema({ description: 'The payment method of a total' })
class PaymentMethodName {
  @UuidProperty(EXAMPLE_ID.paymentMethod, { description: 'The id of the payment method' })
  id!: string;

  @TextProperty({ example: 'BBVA Débito', description: 'The name of the payment method' })
  name!: string;
}

@ApiSchema({ description: 'Totals of the expenses with a payment method, without cancelled ones' })
class PaymentMethodSummary {
  @ApiProperty({ description: 'The payment method of the expenses' })
  payment_method!: PaymentMethodName;

  @MoneyProperty({ example: '1017.48', description: 'USD' })
  total_amount!: string;

  @MoneyProperty({ example: '0.00', description: 'USD' })
  paid_amount!: string;

  @MoneyProperty({ example: '1017.48', description: 'USD, not paid' })
  pending_amount!: string;

  @CountProperty({ example: 3, description: 'Number of expenses, without cancelled ones' })
  expense_count!: number;
}

@ApiSchema({ description: 'Totals of the expenses in a currency, without cancelled ones' })
class CurrencySummary {
  @MoneyProperty({ example: '20349.50', description: 'In that currency' })
  total_amount!: string;

  @MoneyProperty({ required: false, example: '1017.48', description: 'Absent for USD' })
  total_amount_usd?: string;

  @CountProperty({ example: 3, description: 'Number of expenses, without cancelled ones' })
  expense_count!: number;
}

@ApiSchema({ description: 'Totals of the expenses by currency' })
class SummaryByCurrency implements Partial<Record<CurrencyCode, CurrencySummary>> {
  @ApiPropertyOptional({ description: 'Expenses in US dollars' })
  USD?: CurrencySummary;

  @ApiPropertyOptional({ description: 'Expenses in Mexican pesos' })
  MXN?: CurrencySummary;
}

@ApiSchema({ description: 'The number of expenses by displayed status' })
class StatusBreakdown {
  @CountProperty({ example: 35, description: 'Not yet paid, and not overdue' })
  pending!: number;

  @CountProperty({ example: 0, description: 'Paid' })
  paid!: number;

  @CountProperty({ example: 0, description: 'Not paid after the due date' })
  overdue!: number;

  @CountProperty({ example: 0, description: 'Not included in totals' })
  cancelled!: number;
}

@ApiSchema({ description: 'The summary of a cycle' })
export class CycleSummaryReport {
  @ApiProperty({ description: 'The cycle of the report' })
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

  @ApiProperty({ description: 'The number of expenses by displayed status' })
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

@ApiSchema({ description: 'A compared cycle' })
class ComparedCycleName {
  @UuidProperty(EXAMPLE_ID.cycle, { description: 'The id of the cycle' })
  id!: string;

  @TextProperty({ example: 'January to March 2026', description: 'The name of the cycle' })
  name!: string;
}

@ApiSchema({ description: 'The metrics of a compared cycle' })
class ComparedCycleEntry {
  @ApiProperty({ description: 'The compared cycle' })
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

@ApiSchema({ description: 'How the expenses develop' })
class Trends {
  @ApiProperty({
    enum: TRENDS,
    example: 'stable',
    description:
      'The change from the cycle with the earliest start date to the latest, if more than 5 %',
  })
  expenses!: Trend;
}

@ApiSchema({ description: 'The average and the trend of the compared cycles' })
class Comparison {
  @MoneyProperty({ example: '6138.89', description: 'The mean of the total expenses in USD' })
  average_total!: string;

  @ApiProperty({ description: 'How the expenses develop' })
  trends!: Trends;
}

@ApiSchema({ description: 'A comparison of cycles' })
export class CyclesComparison {
  @ApiProperty({ type: [ComparedCycleEntry], description: 'In the requested order' })
  cycles!: ComparedCycleEntry[];

  @ApiProperty({ description: 'The average and the trend of the cycles' })
  comparison!: Comparison;
}
