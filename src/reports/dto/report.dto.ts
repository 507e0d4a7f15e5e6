import { ApiExtraModels, ApiProperty, ApiPropertyOptional, getSchemaPath } from '@nestjs/swagger';
import type { CalendarDate } from '../../common/calendar-date.js';
import type { CurrencyCode } from '../../common/enums.js';
import { QueryEnumListField, QueryUuidListField } from '../../common/http/fields.js';
import { COMPARISON_METRICS, type ComparisonMetric } from '../reports.repository.js';
import { TRENDS, type Trend } from '../trend.js';

export const MAX_COMPARED = 50;

class SummarizedCycle {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty({ example: 'January to March 2026' })
  name!: string;

  @ApiProperty({ type: 'string', format: 'date', example: '2026-01-19' })
  start_date!: CalendarDate;

  @ApiProperty({ type: 'string', format: 'date', example: '2026-03-01' })
  end_date!: CalendarDate;

  @ApiProperty({ example: '5200.00' })
  income_amount!: string;
}

class Financial {
  @ApiProperty({ example: '6138.89' })
  total_expenses_usd!: string;

  @ApiProperty({ example: '4097.43' })
  fixed_expenses_usd!: string;

  @ApiProperty({ example: '2041.46' })
  variable_expenses_usd!: string;

  @ApiProperty({ example: '4868.32', description: 'The expenses in USD' })
  usa_expenses_usd!: string;

  @ApiProperty({ example: '1270.57', description: 'The expenses in MXN, converted' })
  mexico_expenses_usd!: string;

  @ApiProperty({ example: '-938.89', description: 'Income less all expenses' })
  net_balance!: string;
}

class PaymentMethodName {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty({ example: 'BBVA Débito' })
  name!: string;
}

class PaymentMethodSummary {
  @ApiProperty()
  payment_method!: PaymentMethodName;

  @ApiProperty({ example: '1017.48', description: 'USD' })
  total_amount!: string;

  @ApiProperty({ example: '0.00', description: 'USD' })
  paid_amount!: string;

  @ApiProperty({ example: '1017.48', description: 'USD, not paid' })
  pending_amount!: string;

  @ApiProperty({ type: 'integer', example: 3 })
  expense_count!: number;
}

class CurrencySummary {
  @ApiProperty({ example: '20349.50', description: 'In that currency' })
  total_amount!: string;

  @ApiPropertyOptional({ example: '1017.48', description: 'Absent for USD' })
  total_amount_usd?: string;

  @ApiProperty({ type: 'integer', example: 3 })
  expense_count!: number;
}

class StatusBreakdown {
  @ApiProperty({ type: 'integer', example: 35 })
  pending!: number;

  @ApiProperty({ type: 'integer', example: 0 })
  paid!: number;

  @ApiProperty({ type: 'integer', example: 0 })
  overdue!: number;

  @ApiProperty({ type: 'integer', example: 0 })
  cancelled!: number;
}

@ApiExtraModels(CurrencySummary)
export class CycleSummaryReport {
  @ApiProperty()
  cycle!: SummarizedCycle;

  @ApiProperty({ description: 'USD' })
  financial!: Financial;

  @ApiProperty({
    type: [PaymentMethodSummary],
    description: 'Payment methods without expenses, or with cancelled ones only, are absent',
  })
  by_payment_method!: PaymentMethodSummary[];

  @ApiProperty({
    type: 'object',
    description:
      'By currency code; currencies without expenses, or with cancelled ones only, are absent',
    additionalProperties: { $ref: getSchemaPath(CurrencySummary) },
  })
  by_currency!: Partial<Record<CurrencyCode, CurrencySummary>>;

  @ApiProperty()
  status_breakdown!: StatusBreakdown;
}

export class CompareCyclesQuery {
  @QueryUuidListField({ max: MAX_COMPARED, description: 'Comma-separated; duplicates collapse' })
  cycle_ids!: string[];

  @QueryEnumListField(COMPARISON_METRICS, {
    optional: true,
    description: 'Comma-separated or repeated; the first three by default',
  })
  metrics: readonly ComparisonMetric[] = ['total_expenses', 'fixed_expenses', 'variable_expenses'];
}

class ComparedCycleName {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty({ example: 'January to March 2026' })
  name!: string;
}

class ComparedCycleEntry {
  @ApiProperty()
  cycle!: ComparedCycleName;

  @ApiProperty({
    type: 'object',
    description: 'The metrics asked for, in USD',
    properties: Object.fromEntries(COMPARISON_METRICS.map((name) => [name, { type: 'string' }])),
  })
  metrics!: Partial<Record<ComparisonMetric, string>>;
}

class Trends {
  @ApiProperty({
    enum: TRENDS,
    description: 'From the cycle with the earliest start to the latest, beyond 5 %',
  })
  expenses!: Trend;
}

class Comparison {
  @ApiProperty({ example: '6138.89', description: 'USD: mean of the total expenses' })
  average_total!: string;

  @ApiProperty()
  trends!: Trends;
}

export class CyclesComparison {
  @ApiProperty({ type: [ComparedCycleEntry], description: 'In the order asked for' })
  cycles!: ComparedCycleEntry[];

  @ApiProperty()
  comparison!: Comparison;
}
