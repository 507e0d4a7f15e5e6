import { ApiProperty } from '@nestjs/swagger';
import { EnumField, QueryIntegerField, UuidField } from '../../common/http/fields.js';
import {
  ACTIVITY_ACTIONS,
  ENTITY_TYPES,
  type ActivityAction,
  type EntityType,
} from '../activity-record.entity.js';
import type { ActivityRecordWithActor } from '../activity.repository.js';
import type { Changes } from '../changes.js';

export const MAX_PAGE_SIZE = 200;

export class ListActivityQuery {
  @EnumField(ENTITY_TYPES, 'EntityType', { optional: true })
  entity_type?: EntityType;

  @UuidField({ optional: true })
  entity_id?: string;

  @UuidField({ optional: true })
  cycle_id?: string;

  @QueryIntegerField({ min: 1, max: MAX_PAGE_SIZE, description: '50 by default' })
  limit = 50;

  @UuidField({ optional: true, description: 'The id of the last record seen' })
  before?: string;
}

class ActorResponse {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty({ format: 'email' })
  email!: string;

  @ApiProperty({ type: 'string', nullable: true })
  first_name!: string | null;

  @ApiProperty({ type: 'string', nullable: true })
  last_name!: string | null;
}

export class ActivityResponse {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty({ format: 'uuid' })
  household_id!: string;

  @ApiProperty({ enum: ENTITY_TYPES, enumName: 'EntityType' })
  entity_type!: EntityType;

  @ApiProperty({ format: 'uuid' })
  entity_id!: string;

  @ApiProperty({ type: 'string', format: 'uuid', nullable: true })
  cycle_id!: string | null;

  @ApiProperty({ format: 'uuid' })
  actor_user_id!: string;

  @ApiProperty({ enum: ACTIVITY_ACTIONS, enumName: 'ActivityAction' })
  action!: ActivityAction;

  @ApiProperty({
    type: 'object',
    description: 'By field: what it was and what it became',
    additionalProperties: { type: 'object', properties: { from: {}, to: {} } },
  })
  changes!: Changes;

  @ApiProperty({ format: 'date-time' })
  created_at!: string;

  @ApiProperty({ type: ActorResponse, nullable: true })
  actor!: ActorResponse | null;
}

export function toActivityResponse(record: ActivityRecordWithActor): ActivityResponse {
  const { actor } = record;
  return {
    id: record.id,
    household_id: record.householdId,
    entity_type: record.entityType,
    entity_id: record.entityId,
    cycle_id: record.cycleId,
    actor_user_id: record.actorUserId,
    action: record.action,
    changes: record.changes,
    created_at: record.createdAt.toISOString(),
    actor: actor && {
      id: actor.id,
      email: actor.email,
      first_name: actor.firstName,
      last_name: actor.lastName,
    },
  };
}
