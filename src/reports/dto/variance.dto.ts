import { ApiExtraModels, ApiProperty, ApiSchema } from '@nestjs/swagger';
import { Agrees } from '../../platform/dto/field-validators.js';
import { QueryIntegerField, QueryUuidListField } from '../../platform/dto/query-fields.js';
import {
  BooleanProperty,
  CountProperty,
  DateProperty,
  EnumProperty,
  MoneyProperty,
  TextProperty,
  UuidProperty,
} from '../../platform/dto/response-fields.js';
import type { FieldErrors } from '../../platform/errors/field-reasons.js';
import { orNull } from '../../platform/openapi/nullable-reference.js';
import type { CalendarDate } from '../../platform/values/calendar-date.js';
import { CURRENCY_CODES, type CurrencyCode } from '../../platform/values/currency.js';
import { EXAMPLE_ID } from '../../records/record-ids.js';
import { amountInForce } from '../../templates/template-occurrences.js';
import type { TemplateTotals } from '../variance.queries.js';
import { MAX_COMPARED_CYCLES } from './cycles-comparison.dto.js';

const TEMPLATE_TYPES = ['recurrent_expense', 'recurrent_income'] as const;

const MAX_LATEST_CYCLES = 24;
export const DEFAULT_LATEST_CYCLES = 6;

/** Settled entries without which there is no suggestion. */
const MIN_BASED_ON = 3;

export class VarianceQuery {
  @QueryUuidListField({
    omittable: true,
    max: MAX_COMPARED_CYCLES,
    description: 'Comma-separated; duplicates are removed; not together with `last`',
  })
  cycle_ids?: string[];

  @QueryIntegerField({
    min: 1,
    max: MAX_LATEST_CYCLES,
    default: DEFAULT_LATEST_CYCLES,
    description: 'So many cycles that began by today, those with the latest end dates',
  })
  @Agrees(contradictionsOf)
  last?: number;
}

function contradictionsOf({ cycle_ids: ids, last }: VarianceQuery): FieldErrors {
  if (ids === undefined || last === undefined) return {};
  return { last: [{ reason: 'contradiction', message: 'last contradicts cycle_ids' }] };
}

@ApiSchema({ description: 'A cycle whose entries a comparison includes' })
export class VarianceCycle {
  @UuidProperty(EXAMPLE_ID.cycle, { description: 'The id of the cycle' })
  id!: string;

  @TextProperty({ example: 'January to March 2026', description: 'The name of the cycle' })
  name!: string;

  @DateProperty({ example: '2026-01-19', description: 'The first day of the cycle' })
  start_date!: CalendarDate;

  @DateProperty({ example: '2026-03-01', description: 'Inclusive' })
  end_date!: CalendarDate;
}

@ApiSchema({ description: 'A template as it is now' })
class VarianceTemplate {
  @UuidProperty(EXAMPLE_ID.expenseTemplate, { description: 'The id of the template' })
  id!: string;

  @EnumProperty(TEMPLATE_TYPES, 'TemplateType', {
    example: 'recurrent_expense',
    description: 'Whether it is of expenses or of incomes',
  })
  entity_type!: (typeof TEMPLATE_TYPES)[number];

  @TextProperty({ example: 'CFE', description: 'What is planned' })
  description!: string;

  @EnumProperty(CURRENCY_CODES, 'CurrencyCode', {
    example: 'MXN',
    description: 'The currency of the amounts',
  })
  currency!: CurrencyCode;

  @MoneyProperty({ example: '850.00', description: 'What new entries get without other amounts' })
  base_amount!: string;

  @BooleanProperty({ example: true, description: 'false: deleted, nothing is generated' })
  active!: boolean;
}

@ApiSchema({ description: 'Another amount for a template' })
class AmountSuggestion {
  @MoneyProperty({
    example: '911.25',
    description: 'The median of the latest settled entries, in the currency of the template',
  })
  amount!: string;

  @CountProperty({ example: 6, description: 'How many entries they are: 3 to 12' })
  based_on!: number;
}

@ApiExtraModels(AmountSuggestion)
@ApiSchema({ description: 'How the entries of a template differ from the plan' })
class TemplateVariance {
  @ApiProperty({ description: 'The template of the entries' })
  template!: VarianceTemplate;

  @CountProperty({ example: 7, description: 'Its entries, without cancelled ones' })
  occurrences!: number;

  @CountProperty({ example: 6, description: 'Those that are settled: paid or received' })
  settled!: number;

  @MoneyProperty({
    example: '5100.00',
    description: 'Of settled entries with a `planned_amount` in the currency of the template',
  })
  planned!: string;

  @MoneyProperty({ example: '5467.50', description: 'The amounts of the same entries' })
  actual!: string;

  @MoneyProperty({ example: '367.50', description: '`actual` minus `planned`' })
  difference!: string;

  @ApiProperty({
    type: 'number',
    nullable: true,
    example: 1.3,
    description:
      "The mean of the user's day of the payment or receipt minus the date of the entry, rounded to one decimal, " +
      'half away from zero; null: nothing is settled',
  })
  mean_days_late!: number | null;

  @ApiProperty({
    ...orNull(AmountSuggestion),
    description:
      'null: the template is inactive, fewer than 3 entries in its currency are settled, or their median is its ' +
      'amount in force today',
    example: { amount: '911.25', based_on: 6 },
  })
  suggestion!: AmountSuggestion | null;
}

@ApiSchema({ description: 'Entries that no template planned, without cancelled ones' })
export class UnplannedEntries {
  @CountProperty({ example: 12, description: 'Number of manual expenses' })
  expense_count!: number;

  @MoneyProperty({ example: '412.08', description: 'USD' })
  expenses_usd!: string;

  @CountProperty({ example: 1, description: 'Number of manual incomes' })
  income_count!: number;

  @MoneyProperty({ example: '50.00', description: 'USD' })
  incomes_usd!: string;
}

@ApiSchema({ description: 'A comparison of plan and reality' })
export class VarianceResponse {
  @ApiProperty({ type: [VarianceCycle], description: 'By start date, then creation' })
  cycles!: VarianceCycle[];

  @ApiProperty({
    type: [TemplateVariance],
    description:
      'Each template that has an entry in these cycles, cancelled ones not counted: those of expenses, then those ' +
      'of incomes, in the order of creation',
  })
  templates!: TemplateVariance[];

  @ApiProperty({ description: 'The manual entries of these cycles' })
  unplanned!: UnplannedEntries;
}

/** @param meanDaysLate in the user's time zone, as `today` is */
export function toTemplateVariance(
  totals: TemplateTotals,
  { today, meanDaysLate }: { today: CalendarDate; meanDaysLate: number | null },
): TemplateVariance {
  const { id, entity_type, description, currency, base_amount, active } = totals;
  const { occurrences, settled, planned, actual, difference } = totals;
  return {
    template: { id, entity_type, description, currency, base_amount, active },
    ...{ occurrences, settled, planned, actual, difference },
    mean_days_late: meanDaysLate,
    suggestion: suggestionOf(totals, today),
  };
}

function suggestionOf(
  { active, base_amount, amount_changes, median, based_on }: TemplateTotals,
  today: CalendarDate,
): AmountSuggestion | null {
  if (!active || median === null || based_on < MIN_BASED_ON) return null;
  if (median === amountInForce(base_amount, amount_changes, today)) return null;
  return { amount: median, based_on };
}
