import sql, { join, raw, type Sql } from 'sql-template-tag';
import type { Scope } from '../platform/database/database.js';
import type { FeedScope, FeedSlice } from './feed.js';

/**
 * SQL: the rows `item` of a slice of a feed of the household, without an order.
 *
 * @param condition what every row `item` fulfils
 */
export function feedSql(
  { householdId }: Scope,
  { table, condition = sql`true` }: { table: 'activity_log' | 'comments'; condition?: Sql },
  { entityType, entityId, cycleId, operationId }: FeedScope,
  { limit, before }: FeedSlice,
): Sql {
  const conditions = [sql`item.household_id = ${householdId}`, condition];
  if (entityType !== undefined) conditions.push(sql`item.entity_type = ${entityType}`);
  if (entityId !== undefined) conditions.push(sql`item.entity_id = ${entityId}`);
  if (cycleId !== undefined) conditions.push(sql`item.cycle_id = ${cycleId}`);
  if (operationId !== undefined) conditions.push(sql`item.operation_id = ${operationId}`);
  if (before !== undefined) {
    conditions.push(sql`item.seq < (
      SELECT previous.seq FROM ${raw(table)} previous
      WHERE previous.household_id = ${householdId} AND previous.id = ${before})`);
  }
  return sql`
    SELECT * FROM ${raw(table)} item WHERE ${join(conditions, ' AND ')}
    ORDER BY item.seq DESC LIMIT ${limit}`;
}
