import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { CYCLE_STATUSES } from '../../ledger/entities/cycle.entity.js';
import { EXPENSE_STATUSES } from '../../ledger/entities/expense-status.js';
import { PAYMENT_METHOD_TYPES } from '../../payment-methods/payment-method.entity.js';
import { EXAMPLE_INSTANT } from '../../platform/dto/example-values.js';
import { InstantProperty, TextProperty } from '../../platform/dto/response-fields.js';
import { CURRENCY_CODES } from '../../platform/values/currency.js';
import { EXPENSE_CATEGORIES } from '../../templates/expense-template.entity.js';
import { RECURRENCE_TYPES } from '../../templates/recurrence/recurrence.js';

@ApiSchema({ description: 'The values of the enumerations' })
export class EnumerationsResponse {
  @ApiProperty({
    type: [String],
    example: CURRENCY_CODES,
    description: 'Currencies by ISO 4217 code',
  })
  currency_codes!: readonly string[];

  @ApiProperty({
    type: [String],
    example: PAYMENT_METHOD_TYPES,
    description: 'Kinds of payment methods',
  })
  payment_method_types!: readonly string[];

  @ApiProperty({
    type: [String],
    example: EXPENSE_CATEGORIES,
    description: 'Categories of expenses and expense templates',
  })
  expense_categories!: readonly string[];

  @ApiProperty({
    type: [String],
    example: RECURRENCE_TYPES,
    description: 'Types of recurrence rules',
  })
  recurrence_types!: readonly string[];

  @ApiProperty({ type: [String], example: CYCLE_STATUSES, description: 'Stages of a cycle' })
  cycle_statuses!: readonly string[];

  @ApiProperty({
    type: [String],
    example: EXPENSE_STATUSES,
    description: 'States of an expense, with the derived `overdue`',
  })
  expense_statuses!: readonly string[];
}

@ApiSchema({ description: 'The state and version of the service' })
export class HealthResponse {
  @ApiProperty({
    enum: ['healthy'],
    example: 'healthy',
    description: 'Always `healthy`: otherwise there is no response',
  })
  status!: 'healthy';

  @TextProperty({ example: 'expense-service', description: 'The name of the service' })
  service!: string;

  @TextProperty({ example: '1.12.0', description: 'The version of the service' })
  version!: string;

  @InstantProperty({ example: EXAMPLE_INSTANT.updated, description: 'Time of the response' })
  timestamp!: string;
}

@ApiSchema({ description: 'The result of a probe' })
export class ProbeResponse {
  @ApiProperty({
    enum: ['ok'],
    example: 'ok',
    description: 'Always `ok`; otherwise the response is an error',
  })
  status!: 'ok';
}

@ApiSchema({ description: 'The components that the service needs' })
export class ReadinessResponse extends ProbeResponse {
  @ApiProperty({ enum: ['up'], example: 'up', description: 'The state of the database' })
  database!: 'up';

  @ApiProperty({
    enum: ['up', 'down'],
    enumName: 'ComponentState',
    example: 'up',
    required: false,
    description: 'Present if Redis is configured',
  })
  redis?: 'up' | 'down';
}

export const ENUMERATIONS: EnumerationsResponse = {
  currency_codes: CURRENCY_CODES,
  payment_method_types: PAYMENT_METHOD_TYPES,
  expense_categories: EXPENSE_CATEGORIES,
  recurrence_types: RECURRENCE_TYPES,
  cycle_statuses: CYCLE_STATUSES,
  expense_statuses: EXPENSE_STATUSES,
};
