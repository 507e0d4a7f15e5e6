import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { EXAMPLE_INSTANT } from '../../platform/dto/example-values.js';
import { TextField } from '../../platform/dto/fields.js';
import { QueryIntegerField } from '../../platform/dto/query-fields.js';
import {
  BooleanProperty,
  EnumProperty,
  TextProperty,
  UuidProperty,
} from '../../platform/dto/response-fields.js';
import { HasVariants } from '../../platform/openapi/object-variants.js';
import { EXAMPLE_ID } from '../../records/record-ids.js';
import { RECORD_KINDS, representationsOf } from '../../records/record-kinds.js';
import { ENTITY_TYPES, type EntityType } from '../../records/record-types.js';

export const EXAMPLE_CURSOR =
  'WyIwZjRiOGExZS02YzJkLTRmN2EtOWUzYi01ZDFjN2E5ZjJlNjAiLCI3NDU6NzQ1OiIsbnVsbCxudWxsXQ';

export class ListChangesQuery {
  @TextField({
    omittable: true,
    min: 1,
    max: 20_000,
    description: '`next` of an earlier response; without it, everything that exists',
  })
  since?: string;

  @QueryIntegerField({
    min: 1,
    max: 500,
    default: 200,
    description: 'The maximum number of changes',
  })
  limit = 200;
}

@HasVariants('entity_type', 'representation', representationsOf(RECORD_KINDS))
@ApiSchema({ description: 'An entity that changed' })
export class ChangeResponse {
  @EnumProperty(ENTITY_TYPES, 'EntityType', {
    example: 'payment_method',
    description: 'The kind of the entity',
  })
  entity_type!: EntityType;

  @UuidProperty(EXAMPLE_ID.paymentMethod, { description: 'The id of the entity' })
  entity_id!: string;

  @UuidProperty(EXAMPLE_ID.cycle, {
    nullable: true,
    description: 'The cycle of an expense, an income or a comment; of a cycle, itself',
  })
  cycle_id!: string | null;

  @BooleanProperty({ example: false, description: 'No endpoint returns it any more' })
  deleted!: boolean;

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

@ApiSchema({ description: 'What changed since an earlier response' })
export class ChangesResponse {
  @ApiProperty({ type: [ChangeResponse], description: 'Oldest first, each entity once' })
  changes!: ChangeResponse[];

  @TextProperty({ example: EXAMPLE_CURSOR, description: '`since` of the next request' })
  next!: string;

  @BooleanProperty({ example: false, description: 'false: wait before the next request' })
  has_more!: boolean;
}
