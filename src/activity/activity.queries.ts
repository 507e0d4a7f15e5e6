import type { Scope } from '../platform/database/database.js';
import { personSql } from '../users/user.entity.js';
import type { ActivityResponse } from './dto/activity.dto.js';
import { feedSql } from './feed-sql.js';
import type { FeedScope, FeedSlice } from './feed.js';

/** The records of the reader's household in a feed, newest first. The columns are the response. */
export function listActivity(
  scope: Scope,
  feed: FeedScope,
  slice: FeedSlice,
): Promise<ActivityResponse[]> {
  const { sql, parameters } = feedSql(scope, { table: 'activity_log' }, feed, slice);
  return scope.manager.query(
    `SELECT a.id, a.household_id, a.entity_type, a.entity_id, a.cycle_id, a.actor_user_id, a.action, a.changes,
       a.created_at, ${personSql('u')} AS actor
     FROM (${sql}) AS a
     LEFT JOIN users u ON u.id = a.actor_user_id
     ORDER BY a.seq DESC`,
    parameters,
  );
}
