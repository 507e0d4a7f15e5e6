import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { CurrencyConversionDetails } from '../../exchange-rates/dto/conversion-error.dto.js';
import { DateProperty, UuidProperty } from '../../platform/dto/response-fields.js';
import { FieldsProperty } from '../../platform/errors/details-fields.js';
import type { CalendarDate } from '../../platform/values/calendar-date.js';
import { ActivityIdProperty, EXAMPLE_ID } from '../../records/record-ids.js';

@ApiSchema({ description: 'The template of an error' })
class FailedTemplate {
  @UuidProperty(EXAMPLE_ID.expenseTemplate, { description: 'The id of the template' })
  id!: string;

  @ApiProperty({
    type: 'string',
    description: 'The description of the template',
    example: 'Renta Mérida',
  })
  description!: string;
}

@ApiSchema({ description: 'The error of the conversion' })
class GenerationErrorCause {
  @ApiProperty({
    type: 'string',
    enum: ['CURRENCY_CONVERSION_ERROR'],
    description: 'The code of the cause',
    example: 'CURRENCY_CONVERSION_ERROR',
  })
  code!: 'CURRENCY_CONVERSION_ERROR';

  @ApiProperty({
    type: 'string',
    description: 'The message of the cause',
    example: 'No exchange rate from MXN to USD is stored',
  })
  message!: string;

  @ApiProperty({ description: 'The details of the cause' })
  details!: CurrencyConversionDetails;
}

@ApiSchema({ description: 'What cannot be generated, and why' })
export class CycleGenerationDetails {
  @ApiProperty({
    required: false,
    description: 'The template from which nothing can be generated',
  })
  template?: FailedTemplate;

  @DateProperty({ required: false, description: 'The date of the expense', example: '2026-02-01' })
  due_date?: CalendarDate;

  @DateProperty({ required: false, description: 'The date of the income', example: '2026-02-01' })
  income_date?: CalendarDate;

  @ApiProperty({ required: false, description: 'Why the amount cannot be converted' })
  cause?: GenerationErrorCause;

  @ApiProperty({
    type: 'integer',
    required: false,
    description: 'In place of a template: the maximum number of expenses and incomes',
    example: 1000,
  })
  limit?: number;
}

@ApiSchema({ description: 'The dates of the cycle' })
export class InvalidCycleDatesDetails {
  @DateProperty({ description: 'The first day of the cycle', example: '2026-03-01' })
  start_date!: CalendarDate;

  @DateProperty({ description: 'The last day of the cycle', example: '2026-01-19' })
  end_date!: CalendarDate;

  @ApiProperty({
    type: 'integer',
    required: false,
    description: 'The maximum number of days from the first to the last day',
    example: 45,
  })
  max_days?: number;

  @FieldsProperty('end_date', 'end_date must be after start_date')
  fields?: Record<string, string[]>;

  @ActivityIdProperty()
  activity_id?: string;
}

@ApiSchema({ description: 'What the state of the cycle prevents' })
export class CycleConflictDetails {
  @ActivityIdProperty()
  activity_id?: string;
}
