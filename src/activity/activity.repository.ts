import { Injectable } from '@nestjs/common';
import { LessThan, type EntityManager } from 'typeorm';
import { ActivityRecord } from './activity-record.entity.js';
import type { FeedScope } from './feed.js';

export type NewActivityRecord = Omit<ActivityRecord, 'id' | 'seq' | 'createdAt'>;

@Injectable()
export class ActivityRepository {
  /** In their order. One statement and one parameter, however many records. */
  async append(manager: EntityManager, records: readonly NewActivityRecord[]): Promise<void> {
    await manager.query(
      `INSERT INTO activity_log
         (household_id, entity_type, entity_id, cycle_id, actor_user_id, action, changes)
       SELECT household_id, entity_type, entity_id, cycle_id, actor_user_id, action, changes
       FROM ROWS FROM (jsonb_to_recordset($1) AS (
         household_id uuid, entity_type text, entity_id uuid, cycle_id uuid, actor_user_id uuid,
         action text, changes jsonb
       )) WITH ORDINALITY AS record
       ORDER BY ordinality`,
      [JSON.stringify(records.map(toRow))],
    );
  }

  /** Newest first. */
  list(
    manager: EntityManager,
    householdId: string,
    scope: FeedScope,
    page: { limit: number; beforeSeq?: string },
  ): Promise<ActivityRecord[]> {
    return manager.find(ActivityRecord, {
      where: {
        householdId,
        ...scope,
        ...(page.beforeSeq !== undefined && { seq: LessThan(page.beforeSeq) }),
      },
      order: { seq: 'DESC' },
      take: page.limit,
    });
  }

  /** The place of a record in the household's order of events; nothing when it has none such. */
  async seqOf(
    manager: EntityManager,
    householdId: string,
    id: string,
  ): Promise<string | undefined> {
    const record = await manager.findOne(ActivityRecord, {
      select: { id: true, seq: true },
      where: { id, householdId },
    });
    return record?.seq;
  }
}

function toRow(record: NewActivityRecord): Record<string, unknown> {
  return {
    household_id: record.householdId,
    entity_type: record.entityType,
    entity_id: record.entityId,
    cycle_id: record.cycleId,
    actor_user_id: record.actorUserId,
    action: record.action,
    changes: record.changes,
  };
}
