/**
 * The `details` of the error codes that have some. The classes are the types of the code and the schemas of the
 * OpenAPI document.
 */
import {
  ApiProperty,
  ApiPropertyOptional,
  type ApiPropertyOptions,
  ApiSchema,
} from '@nestjs/swagger';
import { EXAMPLE_ID } from '../dto/example-values.js';
import { DateProperty, MoneyProperty, UuidProperty } from '../dto/response-fields.js';
import type { CalendarDate } from '../values/calendar-date.js';
import { CURRENCY_CODES, type CurrencyCode } from '../values/enums.js';
import type { ErrorCode } from './error-code.js';
import { FIELD_REASONS, type FieldReason } from './field-reasons.js';

const MESSAGES = { type: 'array', items: { type: 'string' } };
const REASONS = { type: 'array', items: { type: 'string', enum: [...FIELD_REASONS] } };

const RESOURCES = [
  ...['account', 'session', 'household', 'household_member', 'invitation', 'payment_method'],
  ...['expense_template', 'recurrent_expense', 'recurrent_income', 'cycle', 'cycle_expense'],
  ...['cycle_income', 'comment', 'calendar_feed', 'route'],
] as const;

export type ResourceName = (typeof RESOURCES)[number];

const ResourceProperty = (description: string): PropertyDecorator =>
  ApiProperty({
    enum: RESOURCES,
    enumName: 'ResourceName',
    description,
    example: 'payment_method',
  });

/** With an example of a field and its message. */
const FieldsProperty = (field: string, message: string): PropertyDecorator =>
  ApiPropertyOptional({
    type: 'object',
    additionalProperties: MESSAGES,
    description: 'The messages of each refused field, with the dotted path of nested fields',
    example: { [field]: [message] },
  });

const LimitProperty = (description: string, example: number): PropertyDecorator =>
  ApiProperty({ type: 'integer', required: false, description, example });

const CurrencyProperty = (options: ApiPropertyOptions): PropertyDecorator =>
  ApiProperty({ enum: CURRENCY_CODES, enumName: 'CurrencyCode', ...options });

@ApiSchema({ description: 'What is wrong with the request' })
class ValidationErrorDetails {
  @FieldsProperty('name', 'name must have 1 to 100 characters')
  fields?: Record<string, string[]>;

  @ApiPropertyOptional({
    type: 'object',
    additionalProperties: REASONS,
    description: 'The reason of each message in `fields`, in the same order',
    example: { name: ['too_short'] },
  })
  reasons?: Record<string, FieldReason[]>;

  @ApiPropertyOptional({
    type: 'object',
    additionalProperties: { type: 'object', additionalProperties: MESSAGES },
    description: 'The messages of a file by line, of which the header is 1, and column',
    example: { 3: { amount: ['amount is required'] } },
  })
  rows?: Record<string, Record<string, string[]>>;

  @ApiPropertyOptional({
    type: 'object',
    additionalProperties: { type: 'object', additionalProperties: REASONS },
    description: 'The reason of each message in `rows`, in the same order',
    example: { 3: { amount: ['required'] } },
  })
  row_reasons?: Record<string, Record<string, FieldReason[]>>;

  @ApiPropertyOptional({
    type: 'integer',
    description: 'How many more rows have errors, where `rows` does not name all of them',
    example: 17,
  })
  more?: number;
}

@ApiSchema({ description: 'What was not found' })
class ResourceNotFoundDetails {
  @ResourceProperty('The kind of resource that does not exist')
  resource!: ResourceName;
}

@ApiSchema({ description: 'What the request is in conflict with' })
class ResourceConflictDetails {
  @ResourceProperty('The kind of resource that is in conflict')
  resource!: ResourceName;

  @UuidProperty(EXAMPLE_ID.paymentMethod, {
    required: false,
    description: 'The existing payment method with the name',
  })
  id?: string;

  @ApiProperty({
    type: 'boolean',
    required: false,
    description: 'Whether the existing payment method is active',
    example: true,
  })
  active?: boolean;

  @LimitProperty('The maximum number of such resources, which is reached', 1000)
  limit?: number;
}

@ApiSchema({ description: 'The conversion that is not possible' })
export class CurrencyConversionDetails {
  @CurrencyProperty({ required: false, description: 'The currency without a rate', example: 'MXN' })
  from_currency?: CurrencyCode;

  @CurrencyProperty({ required: false, description: 'The currency of the result', example: 'USD' })
  to_currency?: CurrencyCode;

  @DateProperty({
    required: false,
    description: 'The date of the conversion',
    example: '2026-02-01',
  })
  date?: CalendarDate;

  @MoneyProperty({
    required: false,
    description: 'The amount whose conversion is 0.00 or too large',
    example: '0.01',
  })
  amount?: string;

  @FieldsProperty('currency', 'No exchange rate from MXN to USD is stored')
  fields?: Record<string, string[]>;
}

@ApiSchema({ description: 'The template of an error' })
class FailedTemplate {
  @UuidProperty(EXAMPLE_ID.template, { description: 'The id of the template' })
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
class CycleGenerationDetails {
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

  @LimitProperty('In place of a template: the maximum number of expenses and incomes', 1000)
  limit?: number;
}

@ApiSchema({ description: 'The dates of the cycle' })
class InvalidCycleDatesDetails {
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
}

@ApiSchema({ description: 'When the next request is possible' })
class RateLimitExceededDetails {
  @ApiProperty({
    type: 'integer',
    description: 'Seconds to wait, as in the `Retry-After` header',
    example: 42,
  })
  retry_after!: number;
}

const RequestIdProperty = (required: boolean): PropertyDecorator =>
  ApiProperty({
    type: 'string',
    required,
    description: 'The id of the request, which the log names too',
    example: '7d3c9b1e-0f52-4c86-a1d4-2b6e8f0a3c5d',
  });

@ApiSchema({ description: 'How to find the error in the log' })
class InternalServerErrorDetails {
  @RequestIdProperty(true)
  request_id!: string;
}

@ApiSchema({ description: 'The state of a component that the service needs' })
class ComponentStatus {
  @ApiProperty({
    type: 'string',
    enum: ['down'],
    description: 'The status of the component',
    example: 'down',
  })
  status!: 'down';

  @ApiProperty({
    type: 'string',
    required: false,
    description: 'Why it is down, where that is known',
    example: 'read-only',
  })
  message?: string;
}

@ApiSchema({ description: 'Why the service is not available, where it is known' })
export class ServiceUnavailableDetails {
  @RequestIdProperty(false)
  request_id?: string;

  @ApiProperty({
    type: 'integer',
    required: false,
    description: 'Seconds to wait, as in the `Retry-After` header, where they are not 1',
    example: 5,
  })
  retry_after?: number;

  @ApiProperty({
    required: false,
    description: 'Of the readiness probe: the database, where it is down',
  })
  database?: ComponentStatus;
}

/** The class of the details by code; the other codes have none. */
export const DETAILS_OF_CODE = {
  VALIDATION_ERROR: ValidationErrorDetails,
  RESOURCE_NOT_FOUND: ResourceNotFoundDetails,
  RESOURCE_CONFLICT: ResourceConflictDetails,
  CURRENCY_CONVERSION_ERROR: CurrencyConversionDetails,
  CYCLE_GENERATION_ERROR: CycleGenerationDetails,
  INVALID_CYCLE_DATES: InvalidCycleDatesDetails,
  RATE_LIMIT_EXCEEDED: RateLimitExceededDetails,
  INTERNAL_SERVER_ERROR: InternalServerErrorDetails,
  SERVICE_UNAVAILABLE: ServiceUnavailableDetails,
} as const satisfies Partial<Record<ErrorCode, new () => object>>;

type DetailedCode = keyof typeof DETAILS_OF_CODE;

/** The type of the details of a code. */
export type DetailsOf<Code extends ErrorCode> = Code extends DetailedCode
  ? InstanceType<(typeof DETAILS_OF_CODE)[Code]>
  : Record<string, never>;

/** The last argument of functions that take a code: its details, or nothing if it has none. */
export type DetailsArgument<Code extends ErrorCode> = Code extends DetailedCode
  ? Partial<DetailsOf<Code>> extends DetailsOf<Code>
    ? [details?: DetailsOf<Code>]
    : [details: DetailsOf<Code>]
  : [];
