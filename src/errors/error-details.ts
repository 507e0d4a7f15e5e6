/**
 * The resources that errors name, and the `details` of the codes that any operation may have; those
 * of a module's codes are in its `dto/`. The classes are the types of the catalog and the schemas
 * of the OpenAPI document.
 */
import { ApiProperty, ApiPropertyOptional, ApiSchema, getSchemaPath } from '@nestjs/swagger';
import { CountProperty, UuidProperty } from '../platform/dto/response-fields.js';
import { FieldsProperty, IndexProperty, MESSAGES } from '../platform/errors/details-fields.js';
import type { ResourceName } from '../platform/errors/error-types.js';
import type { FieldReason } from '../platform/errors/field-reasons.js';
import { ActivityIdProperty, EXAMPLE_ID } from '../records/record-ids.js';
import { ENTITY_TYPES } from '../records/record-types.js';

export const RESOURCES = [
  ...['account', 'session', 'personal_access_token', 'household', 'household_member', 'invitation'],
  ...ENTITY_TYPES,
  ...['template', 'calendar_feed', 'activity_record', 'route'],
] as const;

const REASONS = { type: 'array', items: { $ref: getSchemaPath('FieldReason') } };

const ResourceProperty = (description: string): PropertyDecorator =>
  ApiProperty({
    enum: RESOURCES,
    enumName: 'ResourceName',
    description,
    example: 'payment_method',
  });

const LimitProperty = (description: string, example: number): PropertyDecorator =>
  ApiProperty({ type: 'integer', required: false, description, example });

const RequestIdProperty = (required: boolean): PropertyDecorator =>
  ApiProperty({
    type: 'string',
    required,
    description: 'The id of the request, which the log names too',
    example: '7d3c9b1e-0f52-4c86-a1d4-2b6e8f0a3c5d',
  });

@ApiSchema({ description: 'What is wrong with the request' })
export class ValidationErrorDetails {
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

  @ActivityIdProperty()
  activity_id?: string;
}

@ApiSchema({ description: 'What was not found' })
export class ResourceNotFoundDetails {
  @ResourceProperty('The kind of resource that does not exist')
  resource!: ResourceName;

  @UuidProperty(EXAMPLE_ID.expense, {
    required: false,
    description: 'Which of several records of the request does not exist',
  })
  id?: string;

  @IndexProperty()
  index?: number;

  @ActivityIdProperty()
  activity_id?: string;
}

@ApiSchema({ description: 'What the request is in conflict with' })
export class ResourceConflictDetails {
  @ResourceProperty('The kind of resource that is in conflict')
  resource!: ResourceName;

  @UuidProperty(EXAMPLE_ID.paymentMethod, {
    required: false,
    description: 'The existing payment method or budget with the name',
  })
  id?: string;

  @ApiProperty({
    type: 'boolean',
    required: false,
    description: 'Whether the existing payment method or budget is active',
    example: true,
  })
  active?: boolean;

  @LimitProperty('The maximum number of such resources, or of bytes, which is reached', 1000)
  limit?: number;

  @CountProperty({
    required: false,
    example: 2,
    description: 'The expenses of a cycle that are neither paid nor cancelled',
  })
  open_expense_count?: number;

  @CountProperty({
    required: false,
    example: 1,
    description: 'The incomes of a cycle that are not received',
  })
  open_income_count?: number;

  @ApiPropertyOptional({
    type: 'object',
    additionalProperties: MESSAGES,
    description: 'A message for each field that has changed since the record that cannot be undone',
    example: { amount: ['amount has changed since'] },
  })
  fields?: Record<string, string[]>;

  @ActivityIdProperty()
  activity_id?: string;
}

@ApiSchema({ description: 'What has changed' })
export class PreconditionFailedDetails {
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

@ApiSchema({ description: 'What the first request with the key has done' })
export class IdempotencyKeyReusedDetails {
  @UuidProperty(EXAMPLE_ID.paymentMethod, {
    required: false,
    description: 'The record that it created; absent if it created none, or several',
  })
  resource_id?: string;
}

@ApiSchema({ description: 'When the next request is possible' })
export class RateLimitExceededDetails {
  @ApiProperty({
    type: 'integer',
    description: 'Seconds to wait, as in the `Retry-After` header',
    example: 42,
  })
  retry_after!: number;
}

@ApiSchema({ description: 'How to find the error in the log' })
export class InternalServerErrorDetails {
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
