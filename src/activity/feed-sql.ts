import type { Scope } from '../platform/database/database.js';
import type { FeedScope, FeedSlice } from './feed.js';

/**
 * SQL: the rows `item` of a slice of a feed of the household, without an order.
 *
 * @param condition what every row `item` fulfils; $1 is the household
 */
export function feedSql(
  { householdId }: Scope,
  { table, condition = 'true' }: { table: string; condition?: string },
  { entityType, entityId, cycleId, operationId }: FeedScope,
  { limit, before }: FeedSlice,
): { sql: string; parameters: unknown[] } {
  const parameters: unknown[] = [householdId, limit];
  const conditions = ['item.household_id = $1', condition];
  const where = (column: string, value: unknown): void => {
    if (value !== undefined) conditions.push(`item.${column} = $${parameters.push(value)}`);
  };
  where('entity_type', entityType);
  where('entity_id', entityId);
  where('cycle_id', cycleId);
  where('operation_id', operationId);
  if (before !== undefined) {
    conditions.push(`item.seq < (
      SELECT previous.seq FROM ${table} previous
      WHERE previous.household_id = $1 AND previous.id = $${parameters.push(before)})`);
  }
  const sql = `SELECT * FROM ${table} item WHERE ${conditions.join(' AND ')} ORDER BY item.seq DESC LIMIT $2`;
  return { sql, parameters };
}
