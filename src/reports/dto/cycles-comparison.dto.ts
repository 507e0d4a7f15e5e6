import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { QueryEnumListField, QueryUuidListField } from '../../platform/dto/query-fields.js';
import { MoneyProperty, TextProperty, UuidProperty } from '../../platform/dto/response-fields.js';
import { EXAMPLE_ID } from '../../records/record-ids.js';
import { COMPARISON_METRICS, type ComparisonMetric } from '../reports.queries.js';
import { TRENDS, type Trend } from '../trend.js';

export const MAX_COMPARED_CYCLES = 50;

export class CompareCyclesQuery {
  @QueryUuidListField({
    max: MAX_COMPARED_CYCLES,
    description: 'Comma-separated; duplicates are removed',
  })
  cycle_ids!: string[];

  @QueryEnumListField(COMPARISON_METRICS, 'ComparisonMetric', {
    omittable: true,
    description: 'Comma-separated or repeated; defaults to the first three',
  })
  metrics: readonly ComparisonMetric[] = ['total_expenses', 'fixed_expenses', 'variable_expenses'];
}

@ApiSchema({ description: 'A compared cycle' })
export class ComparedCycleName {
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
    enumName: 'Trend',
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
export class CyclesComparisonResponse {
  @ApiProperty({ type: [ComparedCycleEntry], description: 'In the requested order' })
  cycles!: ComparedCycleEntry[];

  @ApiProperty({ description: 'The average and the trend of the cycles' })
  comparison!: Comparison;
}
