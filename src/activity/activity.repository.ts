import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Instant } from '../common/instant.js';
import type { UserId } from '../common/user-id.js';
import { runAtCommit } from '../database/at-commit.js';
import { insertRecordAtCommit } from '../database/records.js';
import type { Person } from '../users/person.js';
import { ActivityRecord } from './activity-record.entity.js';
import type { FeedScope, FeedSlice } from './feed.js';

/** The actor is null when the account has been removed since. */
export type ActivityWithActor = Omit<ActivityRecord, 'createdAt'> & {
  createdAt: Instant;
  actor: Person | null;
};

export type NewActivityRecord = Omit<ActivityRecord, 'id' | 'seq' | 'createdAt'>;

/** $1 the records as JSON, in their order. */
const APPEND = `
  INSERT INTO activity_log
    (household_id, entity_type, entity_id, cycle_id, actor_user_id, action, changes)
  SELECT "householdId", "entityType", "entityId", "cycleId", "actorUserId", action, changes
  FROM ROWS FROM (jsonb_to_recordset($1) AS (
    "householdId" uuid, "entityType" text, "entityId" uuid, "cycleId" uuid, "actorUserId" uuid,
    action text, changes jsonb
  )) WITH ORDINALITY AS record
  ORDER BY ordinality`;

@Injectable()
export class ActivityRepository {
  /** In their order, when the transaction commits. One statement, however many records. */
  async append(manager: EntityManager, records: readonly NewActivityRecord[]): Promise<void> {
    const [only] = records;
    await (only && records.length === 1
      ? insertRecordAtCommit(manager, ActivityRecord, only)
      : runAtCommit(manager, APPEND, [JSON.stringify(records)]));
  }

  /** Newest first. */
  async list(
    manager: EntityManager,
    householdId: string,
    { entityType, entityId, cycleId }: FeedScope,
    { limit, before }: FeedSlice,
  ): Promise<ActivityWithActor[]> {
    const parameters: unknown[] = [householdId, limit];
    const conditions = ['a.household_id = $1'];
    const where = (column: string, value: unknown): void => {
      if (value !== undefined) conditions.push(`a.${column} = $${parameters.push(value)}`);
    };
    where('entity_type', entityType);
    where('entity_id', entityId);
    where('cycle_id', cycleId);
    if (before !== undefined) {
      conditions.push(`a.seq < (
        SELECT seen.seq FROM activity_log seen
        WHERE seen.household_id = $1 AND seen.id = $${parameters.push(before)})`);
    }
    const rows = await manager.query<(Omit<ActivityWithActor, 'actor'> & ActorColumns)[]>(
      `SELECT a.id, a.seq, a.household_id AS "householdId", a.entity_type AS "entityType",
         a.entity_id AS "entityId", a.cycle_id AS "cycleId", a.actor_user_id AS "actorUserId",
         a.action, a.changes, a.created_at AS "createdAt", u.id AS actor_id, u.email AS actor_email,
         u.first_name AS actor_first_name, u.last_name AS actor_last_name
       FROM (
         SELECT * FROM activity_log a WHERE ${conditions.join(' AND ')}
         ORDER BY a.seq DESC LIMIT $2
       ) AS a
       LEFT JOIN users u ON u.id = a.actor_user_id
       ORDER BY a.seq DESC`,
      parameters,
    );
    return rows.map((row) => ({ ...row, actor: actorOf(row) }));
  }
}

/** Of a user, all null once the account is gone. */
type ActorColumns =
  | {
      actor_id: UserId;
      actor_email: string;
      actor_first_name: string | null;
      actor_last_name: string | null;
    }
  | { actor_id: null };

function actorOf(row: ActorColumns): Person | null {
  if (row.actor_id === null) return null;
  const { actor_id: id, actor_email: email } = row;
  return { id, email, firstName: row.actor_first_name, lastName: row.actor_last_name };
}
