import type { Undo } from '../activity/undo.js';
import type { Scope } from '../platform/database/database.js';
import { LOCK_ORDER, RECORD_TYPES, type StoredType } from '../records/record-types.js';

/** What entries and templates choose, which an undo can choose again. */
const CHOSEN = [
  { type: 'payment_method', field: 'payment_method_id' },
  { type: 'budget', field: 'budget_id' },
] as const;

/** Cycles are locked in the order of their ids, and others in that of their creation. */
const lockSql = (type: StoredType, lock: 'NO KEY UPDATE' | 'SHARE'): string =>
  `SELECT id FROM ${RECORD_TYPES[type].table} WHERE household_id = $1 AND id = ANY($2)
   ORDER BY ${type === 'cycle' ? 'id' : 'seq'} FOR ${lock}`;

/**
 * Locks all that the undos change until the transaction ends, with the cycles of entries, and the
 * payment methods and budgets that are chosen again: one statement for each kind.
 */
export async function lockEntities(
  { manager, householdId }: Scope,
  undos: readonly Undo[],
): Promise<void> {
  for (const type of LOCK_ORDER) {
    const ids =
      type === 'cycle'
        ? undos.map(({ cycleId }) => cycleId)
        : undos.filter((undo) => undo.type === type).map(({ entityId }) => entityId);
    if (ids.some((id) => id !== null)) {
      await manager.query(lockSql(type, 'NO KEY UPDATE'), [householdId, ids]);
    }
  }
  for (const { type, field } of CHOSEN) {
    const ids = undos.map(({ values }) => values[field]);
    if (ids.some((id) => typeof id === 'string')) {
      await manager.query(lockSql(type, 'SHARE'), [householdId, ids]);
    }
  }
}
