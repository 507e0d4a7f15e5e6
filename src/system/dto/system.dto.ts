import { ApiProperty } from '@nestjs/swagger';
import { CURRENCY_CODES, EXPENSE_CATEGORIES } from '../../platform/values/enums.js';
import { EXAMPLE_INSTANT } from '../../platform/http/examples.js';
import { InstantProperty, TextProperty } from '../../platform/http/response-fields.js';
import { CYCLE_STATUSES } from '../../ledger/cycle.entity.js';
import { EXPENSE_STATUSES } from '../../ledger/expense-status.js';
import { PAYMENT_METHOD_TYPES } from '../../payment-methods/payment-method.entity.js';
import { RECURRENCE_TYPES } from '../../templates/recurrence/recurrence.js';

export class Enumerations {
  @ApiProperty({ type: [String], example: CURRENCY_CODES })
  currency_codes!: readonly string[];

  @ApiProperty({ type: [String], example: PAYMENT_METHOD_TYPES })
  payment_method_types!: readonly string[];

  @ApiProperty({ type: [String], example: EXPENSE_CATEGORIES })
  expense_categories!: readonly string[];

  @ApiProperty({ type: [String], example: RECURRENCE_TYPES })
  recurrence_types!: readonly string[];

  @ApiProperty({ type: [String], example: CYCLE_STATUSES })
  cycle_statuses!: readonly string[];

  @ApiProperty({ type: [String], example: EXPENSE_STATUSES })
  expense_statuses!: readonly string[];
}

export const ENUMERATIONS: Enumerations = {
  currency_codes: CURRENCY_CODES,
  payment_method_types: PAYMENT_METHOD_TYPES,
  expense_categories: EXPENSE_CATEGORIES,
  recurrence_types: RECURRENCE_TYPES,
  cycle_statuses: CYCLE_STATUSES,
  expense_statuses: EXPENSE_STATUSES,
};

export class HealthReport {
  @ApiProperty({ enum: ['healthy'], example: 'healthy' })
  status!: 'healthy';

  @TextProperty({ example: 'expense-service' })
  service!: string;

  @TextProperty({ example: '1.0.0' })
  version!: string;

  @InstantProperty({ example: EXAMPLE_INSTANT.updated })
  timestamp!: string;
}

export class ProbeReport {
  @ApiProperty({ enum: ['ok'], example: 'ok' })
  status!: 'ok';
}

export class ReadinessReport extends ProbeReport {
  @ApiProperty({ enum: ['up'], example: 'up' })
  database!: 'up';

  @ApiProperty({
    enum: ['up', 'down'],
    example: 'up',
    required: false,
    description: 'Present if Redis is configured',
  })
  redis?: 'up' | 'down';
}
