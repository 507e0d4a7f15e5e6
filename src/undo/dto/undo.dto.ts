import type { Type } from '@nestjs/common';
import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import type { StoredType } from '../../activity/entity-tables.js';
import { CycleResponse } from '../../cycles/dto/cycle.dto.js';
import { ExpenseResponse } from '../../expenses/dto/expense.dto.js';
import { IncomeResponse } from '../../incomes/dto/income.dto.js';
import { PaymentMethodResponse } from '../../payment-methods/dto/payment-method.dto.js';
import { EXAMPLE_ID, EXAMPLE_INSTANT } from '../../platform/dto/example-values.js';
import { TextProperty, UuidProperty } from '../../platform/dto/response-fields.js';
import { HasVariants } from '../../platform/openapi/object-variants.js';
import { IncomeTemplateResponse } from '../../templates/dto/income-template.dto.js';
import { TemplateResponse } from '../../templates/dto/template.dto.js';

/** What the endpoints of each type return. */
const REPRESENTATIONS: Record<StoredType, Type> = {
  payment_method: PaymentMethodResponse,
  recurrent_expense: TemplateResponse,
  recurrent_income: IncomeTemplateResponse,
  cycle: CycleResponse,
  cycle_expense: ExpenseResponse,
  cycle_income: IncomeResponse,
};

@HasVariants('entity_type', 'representation', REPRESENTATIONS)
@ApiSchema({ description: 'What an undo did' })
export class UndoResponse {
  @UuidProperty(EXAMPLE_ID.activity, { description: 'The record that the undo wrote' })
  activity_id!: string;

  @TextProperty({ example: 'payment_method', description: 'The kind of the entity' })
  entity_type!: StoredType;

  @UuidProperty(EXAMPLE_ID.paymentMethod, { description: 'The id of the entity' })
  entity_id!: string;

  @ApiProperty({
    type: 'object',
    nullable: true,
    additionalProperties: true,
    description: 'The present state, as the endpoints of its type return it; null if deleted',
    example: {
      id: EXAMPLE_ID.paymentMethod,
      name: 'BBVA Débito',
      method_type: 'debit',
      default_currency: 'MXN',
      description: 'Cuenta de nómina',
      active: true,
      created_at: EXAMPLE_INSTANT.created,
      updated_at: EXAMPLE_INSTANT.updated,
    },
  })
  representation!: object | null;
}
