import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { EXAMPLE_INSTANT } from '../../platform/dto/example-values.js';
import { TextProperty, UuidProperty } from '../../platform/dto/response-fields.js';
import { HasVariants } from '../../platform/openapi/object-variants.js';
import { EXAMPLE_ID } from '../../records/record-ids.js';
import { STORED_KINDS, representationsOf } from '../../records/record-kinds.js';
import type { StoredType } from '../../records/record-types.js';

@HasVariants('entity_type', 'representation', representationsOf(STORED_KINDS))
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

@ApiSchema({ description: 'What the undo of an operation did' })
export class OperationUndoResponse {
  /** Null in a command. */
  @UuidProperty(EXAMPLE_ID.operation, {
    description: 'The `operation_id` of the undo, by which it can be undone',
  })
  operation_id!: string | null;

  @UuidProperty(EXAMPLE_ID.undoneOperation, { description: 'The undone operation' })
  undoes!: string;

  @ApiProperty({ type: [UndoResponse], description: 'In the order in which they were undone' })
  records!: UndoResponse[];
}
