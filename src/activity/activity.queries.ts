import type { EntityManager } from 'typeorm';
import type { Instant } from '../platform/values/instant.js';
import type { UserId } from '../platform/values/user-id.js';
import type { Person } from '../users/user.entity.js';
import type { ActivityRecord } from './activity-record.entity.js';
import type { FeedScope, FeedSlice } from './feed.js';

/** The actor is null if the user was deleted. */
export type ActivityWithActor = Omit<ActivityRecord, 'createdAt'> & {
  createdAt: Instant;
  actor: Person | null;
};

/** The records of a household in a scope, newest first. */
export async function listActivity(
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

/** The columns of the actor, all null if the user was deleted. */
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
