import sql, { type Sql } from 'sql-template-tag';
import type { Scope } from '../platform/database/database.js';
import { query } from '../platform/database/query.js';
import { PERSON_SQL } from '../users/user.entity.js';
import { ActivityRecord, IS_COMMENT_ACTION_SQL } from './activity-record.entity.js';
import type { ActivityResponse } from './dto/activity.dto.js';
import { feedSql } from './feed-sql.js';
import type { FeedScope, FeedSlice } from './feed.js';
import type { RecordToUndo } from './undo.js';

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
  return query(
    scope.manager,
    sql`
      SELECT a.id, a.household_id, a.entity_type, a.entity_id, a.cycle_id, a.actor_user_id,
        a.action, a.changes, a.undoes, a.operation_id, a.created_at, ${PERSON_SQL} AS actor
      FROM (${feedSql(scope, { table: 'activity_log' }, feed, slice)}) AS a
      LEFT JOIN users u ON u.id = a.actor_user_id
      ORDER BY a.seq DESC`,
  );
}

/** Whether the undo of an operation leaves a record out: on a comment, or created inactive. */
const IS_LEFT_OUT = sql`(
  ${IS_COMMENT_ACTION_SQL} OR action = 'created' AND changes #>> '{active,to}' = 'false')`;

/**
 * The records of an operation that its undo takes back, the latest first: not those of entries
 * whose cycle it creates, deletes or brings back, because the cycle takes them along. Those that
 * are left out come last. Records on comments are anybody's; the others are the user's.
 */
export function listRecordsToUndo(
  { manager, householdId, userId }: Scope,
  operationId: string,
  limit: number,
): Promise<(RecordToUndo & { isLeftOut: boolean })[]> {
  return query(
    manager,
    sql`
      SELECT id, entity_type AS "entityType", entity_id AS "entityId", cycle_id AS "cycleId",
        operation_id AS "operationId", action, changes, ${IS_LEFT_OUT} AS "isLeftOut"
      FROM activity_log AS record
      WHERE household_id = ${householdId} AND operation_id = ${operationId}
        AND (actor_user_id = ${userId} OR ${IS_COMMENT_ACTION_SQL})
        AND NOT (
          entity_type IN ('cycle_expense', 'cycle_income')
          AND EXISTS (
            SELECT FROM activity_log AS of_cycle
            WHERE of_cycle.household_id = ${householdId} AND of_cycle.operation_id = ${operationId}
              AND of_cycle.entity_type = 'cycle' AND of_cycle.entity_id = record.cycle_id
              AND of_cycle.action IN ('created', 'deactivated', 'reactivated')
          )
        )
      ORDER BY "isLeftOut", seq DESC
      LIMIT ${limit}`,
  );
}

/**
 * SQL: the deletions `record` of the entries that were deleted together with deleted cycles, as a
 * FROM clause. Nothing in a deleted cycle changes: what was recorded after the newest deletion of
 * the cycle is the newest deletion of each entry that was deleted with it.
 */
const deletionsWithCyclesSql = ({ householdId }: Scope, cycleIds: readonly string[]): Sql => sql`
  FROM (
    SELECT entity_id, max(seq) AS seq FROM activity_log
    WHERE household_id = ${householdId} AND entity_type = 'cycle' AND entity_id = ANY(${cycleIds})
      AND action = 'deactivated'
    GROUP BY entity_id
  ) AS of_cycle
  JOIN activity_log AS record ON record.household_id = ${householdId}
    AND record.cycle_id = of_cycle.entity_id
    AND record.seq > of_cycle.seq AND record.action = 'deactivated'
    AND record.entity_type IN ('cycle_expense', 'cycle_income')`;

/**
 * The deletions of the entries that were deleted together with a deleted cycle, in the order of
 * their records.
 */
export function listDeletionsWithCycle(scope: Scope, cycleId: string): Promise<RecordToUndo[]> {
  return query(
    scope.manager,
    sql`
      SELECT record.id, record.entity_type AS "entityType", record.entity_id AS "entityId",
        record.cycle_id AS "cycleId", record.operation_id AS "operationId", record.action,
        record.changes
      ${deletionsWithCyclesSql(scope, [cycleId])} ORDER BY record.seq`,
  );
}

/** The number of the deletions of {@link listDeletionsWithCycle} of several cycles, up to `max`. */
export async function countDeletionsWithCycles(
  scope: Scope,
  cycleIds: readonly string[],
  max: number,
): Promise<number> {
  const [row] = await query<{ count: number }>(
    scope.manager,
    sql`
      SELECT count(*)::int AS count FROM (
        SELECT ${deletionsWithCyclesSql(scope, cycleIds)} LIMIT ${max}
      ) AS counted`,
  );
  return row?.count ?? 0;
}
