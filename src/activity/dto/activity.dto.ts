import { ApiProperty } from '@nestjs/swagger';
import { PersonResponse, toPersonResponse } from '../../users/person.js';
import {
  ACTIVITY_ACTIONS,
  ENTITY_TYPES,
  type ActivityAction,
  type EntityType,
} from '../activity-record.entity.js';
import type { ActivityWithActor } from '../activity.service.js';
import type { Changes } from '../changes.js';

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

  @ApiProperty({
    type: PersonResponse,
    nullable: true,
    description: 'Null once the account is gone',
  })
  actor!: PersonResponse | null;
}

export function toActivityResponse(record: ActivityWithActor): ActivityResponse {
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
    actor: record.actor && toPersonResponse(record.actor),
  };
}
