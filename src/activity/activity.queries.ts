import type { Scope } from '../platform/database/database.js';
import type { Instant } from '../platform/values/instant.js';
import { personSql, type Person } from '../users/user.entity.js';
import type { ActivityRecord } from './activity-record.entity.js';
import { feedSql } from './feed-sql.js';
import type { FeedScope, FeedSlice } from './feed.js';

/** The actor is null if the user was deleted. */
export type ActivityWithActor = Omit<ActivityRecord, 'createdAt'> & {
  createdAt: Instant;
  actor: Person | null;
};

/** The records of the reader's household in a feed, newest first. */
export function listActivity(
  scope: Scope,
  feed: FeedScope,
  slice: FeedSlice,
): Promise<ActivityWithActor[]> {
  const { sql, parameters } = feedSql(scope, { table: 'activity_log' }, feed, slice);
  return scope.manager.query(
    `SELECT a.id, a.seq, a.household_id AS "householdId", a.entity_type AS "entityType",
       a.entity_id AS "entityId", a.cycle_id AS "cycleId", a.actor_user_id AS "actorUserId",
       a.action, a.changes, a.created_at AS "createdAt", ${personSql('u')} AS actor
     FROM (${sql}) AS a
     LEFT JOIN users u ON u.id = a.actor_user_id
     ORDER BY a.seq DESC`,
    parameters,
  );
}
