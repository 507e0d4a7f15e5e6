/**
 * The `details` of the error codes that have some. The classes are the types of the code and the schemas of the
 * OpenAPI document.
 */
import type { Type } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional, ApiSchema, getSchemaPath } from '@nestjs/swagger';
import { EXAMPLE_ID } from '../dto/example-values.js';
import { UuidProperty } from '../dto/response-fields.js';
import { describeEnum } from '../openapi/enum-descriptions.js';
import type { ErrorCode } from './error-code.js';
import type { FieldReason } from './field-reasons.js';

describeEnum('ResourceName', 'The kinds of resources in errors');

const MESSAGES = { type: 'array', items: { type: 'string' } };
const REASONS = { type: 'array', items: { $ref: getSchemaPath('FieldReason') } };

const RESOURCES = [
  ...['account', 'session', 'personal_access_token', 'household', 'household_member', 'invitation'],
  ...['payment_method', 'expense_template', 'recurrent_expense', 'recurrent_income', 'cycle'],
  ...['cycle_expense', 'cycle_income', 'comment', 'calendar_feed', 'activity_record'],
  ...['route'],
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
export const FieldsProperty = (field: string, message: string): PropertyDecorator =>
  ApiPropertyOptional({
    type: 'object',
    additionalProperties: MESSAGES,
    description: 'The messages of each refused field, with the dotted path of nested fields',
    example: { [field]: [message] },
  });

const LimitProperty = (description: string, example: number): PropertyDecorator =>
  ApiProperty({ type: 'integer', required: false, description, example });

export const IndexProperty = (): PropertyDecorator =>
  ApiProperty({
    type: 'integer',
    minimum: 0,
    required: false,
    description: 'Which element of the list in the body the error is about, counted from 0',
    example: 3,
  });

const RequestIdProperty = (required: boolean): PropertyDecorator =>
  ApiProperty({
    type: 'string',
    required,
    description: 'The id of the request, which the log names too',
    example: '7d3c9b1e-0f52-4c86-a1d4-2b6e8f0a3c5d',
  });

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
    description:
      'How many more problems there are, where `fields` does not name all of them; or how many more rows have errors, where ' +
      '`rows` does not',
    example: 17,
  })
  more?: number;

  @IndexProperty()
  index?: number;
}

@ApiSchema({ description: 'What was not found' })
class ResourceNotFoundDetails {
  @ResourceProperty('The kind of resource that does not exist')
  resource!: ResourceName;

  @UuidProperty(EXAMPLE_ID.expense, {
    required: false,
    description: 'Which of several records of the request does not exist',
  })
  id?: string;

  @IndexProperty()
  index?: number;
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

  @ApiPropertyOptional({
    type: 'object',
    additionalProperties: MESSAGES,
    description: 'A message for each field that has changed since the record that cannot be undone',
    example: { amount: ['amount has changed since'] },
  })
  fields?: Record<string, string[]>;
}

@ApiSchema({ description: 'What has changed' })
class PreconditionFailedDetails {
  @UuidProperty(EXAMPLE_ID.expense, {
    required: false,
    description: 'Which of several records of the request has changed',
  })
  id?: string;

  @ApiProperty({
    type: 'string',
    required: false,
    enum: ['proxy'],
    description:
      '`proxy`: the tag is the current `ETag` as a proxy that compresses responses has changed it',
    example: 'proxy',
  })
  cause?: 'proxy';
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

/** The details of each code that has some; modules add those of their codes. */
export interface DetailsOfCode {
  VALIDATION_ERROR: ValidationErrorDetails;
  RESOURCE_NOT_FOUND: ResourceNotFoundDetails;
  RESOURCE_CONFLICT: ResourceConflictDetails;
  PRECONDITION_FAILED: PreconditionFailedDetails;
  RATE_LIMIT_EXCEEDED: RateLimitExceededDetails;
  INTERNAL_SERVER_ERROR: InternalServerErrorDetails;
  SERVICE_UNAVAILABLE: ServiceUnavailableDetails;
}

const CLASS_OF_CODE = new Map<ErrorCode, Type>();

/** Registers the class of the details of a code, for the OpenAPI document. */
export function registerErrorDetails<Code extends keyof DetailsOfCode>(
  code: Code,
  type: Type<DetailsOfCode[Code]>,
): void {
  CLASS_OF_CODE.set(code, type);
}

registerErrorDetails('VALIDATION_ERROR', ValidationErrorDetails);
registerErrorDetails('RESOURCE_NOT_FOUND', ResourceNotFoundDetails);
registerErrorDetails('RESOURCE_CONFLICT', ResourceConflictDetails);
registerErrorDetails('PRECONDITION_FAILED', PreconditionFailedDetails);
registerErrorDetails('RATE_LIMIT_EXCEEDED', RateLimitExceededDetails);
registerErrorDetails('INTERNAL_SERVER_ERROR', InternalServerErrorDetails);
registerErrorDetails('SERVICE_UNAVAILABLE', ServiceUnavailableDetails);

/** The class of the details by code. */
export const detailsClasses = (): ReadonlyMap<ErrorCode, Type> => CLASS_OF_CODE;

/** The type of the details of a code. */
export type DetailsOf<Code extends ErrorCode> = Code extends keyof DetailsOfCode
  ? DetailsOfCode[Code]
  : Record<string, never>;

/** The last argument of functions that take a code: its details, or nothing if it has none. */
export type DetailsArgument<Code extends ErrorCode> = Code extends keyof DetailsOfCode
  ? Partial<DetailsOf<Code>> extends DetailsOf<Code>
    ? [details?: DetailsOf<Code>]
    : [details: DetailsOf<Code>]
  : [];
