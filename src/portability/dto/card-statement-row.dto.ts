import { ApiSchema, IntersectionType, PickType } from '@nestjs/swagger';
import type { Big } from 'big.js';
import { UpdateCardStatementDto } from '../../cards/dto/card-statement.dto.js';
import { BooleanField, DateField, TimestampField, UuidField } from '../../platform/dto/fields.js';
import { SumField } from '../../platform/dto/money-fields.js';
import type { CalendarDate } from '../../platform/values/calendar-date.js';
import { EXAMPLE_ID } from '../../records/record-ids.js';
import { METHOD, RecordFields } from './row-fields.dto.js';

@ApiSchema({ name: 'CardStatementRow', description: 'A stored statement of a card in an export' })
export class CardStatementRowDto extends IntersectionType(
  RecordFields,
  PickType(UpdateCardStatementDto, ['stated_amount'] as const),
) {
  @UuidField({ example: EXAMPLE_ID.paymentMethod, description: METHOD })
  payment_method_id!: string;

  @DateField({ example: '2025-12-13', description: 'The first day whose purchases it has' })
  from!: CalendarDate;

  @DateField({
    notBefore: 'from',
    example: '2026-01-12',
    description: 'The last one; each once for a payment method',
  })
  closing_date!: CalendarDate;

  @DateField({ example: '2026-02-02', description: '1 to 90 days after the closing' })
  due_date!: CalendarDate;

  @SumField({
    optional: true,
    example: null,
    description: 'What was to be paid when it was paid, exactly when it is paid',
  })
  amount?: Big | null;

  @BooleanField({ example: false, description: 'Whether it is marked as paid' })
  paid!: boolean;

  @TimestampField({ optional: true, example: null, description: 'Exactly when it is paid' })
  paid_at?: Date | null;

  @SumField({
    optional: true,
    zero: true,
    example: null,
    description: 'Exactly when it is paid; from 0.00',
  })
  paid_amount?: Big | null;
}
