import type { Scope } from '../platform/database/database.js';
import { personSql } from '../users/user.entity.js';
import { ActivityRecord } from './activity-record.entity.js';
import type { ActivityResponse } from './dto/activity.dto.js';
import { feedSql } from './feed-sql.js';
import type { FeedScope, FeedSlice } from './feed.js';

/** A record of the household. */
export function findActivityRecord(
  { manager, householdId }: Scope,
  id: string,
): Promise<ActivityRecord | null> {
  return manager.getRepository(ActivityRecord).findOneBy({ id, householdId });
}

/** The records of the reader's household in a feed, newest first. The columns are the response. */
export function listActivity(
  scope: Scope,
  feed: FeedScope,
  slice: FeedSlice,
): Promise<ActivityResponse[]> {
  const { sql, parameters } = feedSql(scope, { table: 'activity_log' }, feed, slice);
  return scope.manager.query(
    `SELECT a.id, a.household_id, a.entity_type, a.entity_id, a.cycle_id, a.actor_user_id, a.action, a.changes,
       a.undoes, a.created_at, ${personSql('u')} AS actor
     FROM (${sql}) AS a
     LEFT JOIN users u ON u.id = a.actor_user_id
     ORDER BY a.seq DESC`,
    parameters,
  );
}

/**
 * Nothing in a deleted cycle changes: what was recorded after the newest deletion of the cycle is
 * the newest deletion of each entry that was deleted with it. $1: household, $2: cycle.
 */
const DELETIONS_WITH_CYCLE = `
  SELECT id, entity_type AS "entityType", entity_id AS "entityId", cycle_id AS "cycleId", action, changes
  FROM activity_log
  WHERE household_id = $1 AND cycle_id = $2 AND action = 'deactivated'
    AND entity_type IN ('cycle_expense', 'cycle_income')
    AND seq > (
      SELECT max(seq) FROM activity_log
      WHERE household_id = $1 AND cycle_id = $2 AND action = 'deactivated' AND entity_type = 'cycle'
    )
  ORDER BY seq`;

type Deletion = Pick<ActivityRecord, 'id' | 'entityId' | 'cycleId' | 'action' | 'changes'> & {
  entityType: 'cycle_expense' | 'cycle_income';
};

/**
 * The deletions of the entries that were deleted together with a deleted cycle, in the order of
 * their records.
 */
export function listDeletionsWithCycle(
  { manager, householdId }: Scope,
  cycleId: string,
): Promise<Deletion[]> {
  return manager.query(DELETIONS_WITH_CYCLE, [householdId, cycleId]);
}
