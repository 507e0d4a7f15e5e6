import { ApiExtraModels, ApiProperty, ApiSchema } from '@nestjs/swagger';
import { EXAMPLE_INSTANT } from '../../platform/dto/example-values.js';
import { EnumProperty, InstantProperty, UuidProperty } from '../../platform/dto/response-fields.js';
import { orNull } from '../../platform/openapi/nullable-reference.js';
import { EXAMPLE_ID } from '../../records/record-ids.js';
import { ENTITY_TYPES, type EntityType } from '../../records/record-types.js';
import { PersonResponse } from '../../users/dto/user.dto.js';
import { ACTIVITY_ACTIONS, type ActivityAction } from '../activity-record.entity.js';
import type { Changes } from '../changes.js';

@ApiExtraModels(PersonResponse)
@ApiSchema({ description: 'A record of the activity log' })
export class ActivityResponse {
  @UuidProperty(EXAMPLE_ID.activity, { description: 'The id of the record' })
  id!: string;

  @UuidProperty(EXAMPLE_ID.household, { description: 'The household whose members can read it' })
  household_id!: string;

  @EnumProperty(ENTITY_TYPES, 'EntityType', {
    example: 'cycle_expense',
    description: 'The kind of the entity',
  })
  entity_type!: EntityType;

  @UuidProperty(EXAMPLE_ID.expense, { description: 'The entity that changed or was commented on' })
  entity_id!: string;

  @UuidProperty(EXAMPLE_ID.cycle, {
    nullable: true,
    description: 'The cycle that the entity is or belongs to',
  })
  cycle_id!: string | null;

  @UuidProperty(EXAMPLE_ID.user, { description: 'The user who did it' })
  actor_user_id!: string;

  @EnumProperty(ACTIVITY_ACTIONS, 'ActivityAction', {
    example: 'marked_paid',
    description: 'What the user did',
  })
  action!: ActivityAction;

  @ApiProperty({
    type: 'object',
    description: 'The old and new value of each changed field',
    example: {
      status: { from: 'pending', to: 'paid' },
      paid: { from: false, to: true },
      paid_at: { from: null, to: EXAMPLE_INSTANT.updated },
    },
    additionalProperties: { type: 'object', properties: { from: {}, to: {} } },
  })
  changes!: Changes;

  @UuidProperty(EXAMPLE_ID.activity, {
    nullable: true,
    description: 'The record that an undo took back; null in all other records',
  })
  undoes!: string | null;

  @UuidProperty(EXAMPLE_ID.operation, {
    nullable: true,
    description:
      'The id of the request that wrote the record; null in records of commands and of versions that did not store it',
  })
  operation_id!: string | null;

  @InstantProperty({ example: EXAMPLE_INSTANT.updated, description: 'Time of the action' })
  created_at!: string;

  @ApiProperty({
    ...orNull(PersonResponse),
    description: 'null: the user was deleted',
  })
  actor!: PersonResponse | null;
}
