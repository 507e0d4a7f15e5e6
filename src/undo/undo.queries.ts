import sql, { raw, type Sql } from 'sql-template-tag';
import type { Undo } from '../activity/undo.js';
import type { Scope } from '../platform/database/database.js';
import { query } from '../platform/database/query.js';
import { LOCK_ORDER, RECORD_TYPES, type StoredType } from '../records/record-types.js';

/** What entries and templates choose, which an undo can choose again. */
const CHOSEN = [
  { type: 'payment_method', field: 'payment_method_id' },
  { type: 'budget', field: 'budget_id' },
] as const;

/** What other requests lock in the order of the ids; other records in that of their creation. */
const LOCKED_BY_ID: readonly StoredType[] = ['cycle', 'payment_method', 'budget'];

const lockSql = (
  { householdId }: Scope,
  type: StoredType,
  ids: readonly unknown[],
  lock: 'NO KEY UPDATE' | 'SHARE',
): Sql => sql`
  SELECT id FROM ${raw(RECORD_TYPES[type].table)}
  WHERE household_id = ${householdId} AND id = ANY(${ids})
  ORDER BY ${raw(LOCKED_BY_ID.includes(type) ? 'id' : 'seq')} FOR ${raw(lock)}`;

/**
 * Locks all that the undos change until the transaction ends, with the cycles of entries, and the
 * payment methods and budgets that are chosen again: one statement for each kind.
 */
export async function lockEntities(scope: Scope, undos: readonly Undo[]): Promise<void> {
  for (const type of LOCK_ORDER) {
    const ids =
      type === 'cycle'
        ? undos.map(({ cycleId }) => cycleId)
        : undos.filter((undo) => undo.type === type).map(({ entityId }) => entityId);
    if (ids.some((id) => id !== null)) {
      await query(scope.manager, lockSql(scope, type, ids, 'NO KEY UPDATE'));
    }
  }
  for (const { type, field } of CHOSEN) {
    const ids = undos.map(({ values }) => values[field]);
    if (ids.some((id) => typeof id === 'string')) {
      await query(scope.manager, lockSql(scope, type, ids, 'SHARE'));
    }
  }
}
