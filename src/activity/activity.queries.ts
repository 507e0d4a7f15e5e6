import type { Scope } from '../platform/database/database.js';
import { personSql } from '../users/user.entity.js';
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
  const { sql, parameters } = feedSql(scope, { table: 'activity_log' }, feed, slice);
  return scope.manager.query(
    `SELECT a.id, a.household_id, a.entity_type, a.entity_id, a.cycle_id, a.actor_user_id, a.action, a.changes,
       a.undoes, a.operation_id, a.created_at, ${personSql('u')} AS actor
     FROM (${sql}) AS a
     LEFT JOIN users u ON u.id = a.actor_user_id
     ORDER BY a.seq DESC`,
    parameters,
  );
}

/** Whether the undo of an operation leaves a record out: on a comment, or created inactive. */
const IS_LEFT_OUT = `(${IS_COMMENT_ACTION_SQL} OR action = 'created' AND changes #>> '{active,to}' = 'false')`;

/**
 * The records of an operation that its undo takes back, the latest first: not those of entries
 * whose cycle it creates, deletes or brings back, because the cycle takes them along. Those that
 * are left out come last. Records on comments are anybody's; the others are the user's. $1:
 * household, $2: operation, $3: user, $4: how many.
 */
const RECORDS_TO_UNDO = `
  SELECT id, entity_type AS "entityType", entity_id AS "entityId", cycle_id AS "cycleId",
    operation_id AS "operationId", action, changes, ${IS_LEFT_OUT} AS "isLeftOut"
  FROM activity_log AS record
  WHERE household_id = $1 AND operation_id = $2 AND (actor_user_id = $3 OR ${IS_COMMENT_ACTION_SQL})
    AND NOT (
      entity_type IN ('cycle_expense', 'cycle_income')
      AND EXISTS (
        SELECT FROM activity_log AS of_cycle
        WHERE of_cycle.household_id = $1 AND of_cycle.operation_id = $2
          AND of_cycle.entity_type = 'cycle' AND of_cycle.entity_id = record.cycle_id
          AND of_cycle.action IN ('created', 'deactivated', 'reactivated')
      )
    )
  ORDER BY "isLeftOut", seq DESC
  LIMIT $4`;

/** The records that the undo of an operation takes back, as {@link RECORDS_TO_UNDO} says. */
export function listRecordsToUndo(
  { manager, householdId, userId }: Scope,
  operationId: string,
  limit: number,
): Promise<(RecordToUndo & { isLeftOut: boolean })[]> {
  return manager.query(RECORDS_TO_UNDO, [householdId, operationId, userId, limit]);
}

/**
 * Nothing in a deleted cycle changes: what was recorded after the newest deletion of the cycle is
 * the newest deletion of each entry that was deleted with it. $1: household, $2: cycles.
 */
const DELETIONS_WITH_CYCLES = `
  FROM (
    SELECT entity_id, max(seq) AS seq FROM activity_log
    WHERE household_id = $1 AND entity_type = 'cycle' AND entity_id = ANY($2) AND action = 'deactivated'
    GROUP BY entity_id
  ) AS of_cycle
  JOIN activity_log AS record ON record.household_id = $1 AND record.cycle_id = of_cycle.entity_id
    AND record.seq > of_cycle.seq AND record.action = 'deactivated'
    AND record.entity_type IN ('cycle_expense', 'cycle_income')`;

const LIST_DELETIONS = `
  SELECT record.id, record.entity_type AS "entityType", record.entity_id AS "entityId",
    record.cycle_id AS "cycleId", record.operation_id AS "operationId", record.action, record.changes
  ${DELETIONS_WITH_CYCLES} ORDER BY record.seq`;

/** $3: up to how many. */
const COUNT_DELETIONS = `
  SELECT count(*)::int AS count FROM (SELECT ${DELETIONS_WITH_CYCLES} LIMIT $3) AS counted`;

/**
 * The deletions of the entries that were deleted together with a deleted cycle, in the order of
 * their records.
 */
export function listDeletionsWithCycle(
  { manager, householdId }: Scope,
  cycleId: string,
): Promise<RecordToUndo[]> {
  return manager.query(LIST_DELETIONS, [householdId, [cycleId]]);
}

/** The number of the deletions of {@link listDeletionsWithCycle} of several cycles, up to `max`. */
export async function countDeletionsWithCycles(
  { manager, householdId }: Scope,
  cycleIds: readonly string[],
  max: number,
): Promise<number> {
  const parameters = [householdId, cycleIds, max];
  const [row] = await manager.query<{ count: number }[]>(COUNT_DELETIONS, parameters);
  return row?.count ?? 0;
}
