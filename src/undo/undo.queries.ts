import sql, { raw, type Sql } from 'sql-template-tag';
import type { Undo } from '../activity/undo.js';
import type { Scope } from '../platform/database/database.js';
import { query } from '../platform/database/query.js';
import { LOCK_ORDER, RECORD_TYPES, type StoredType } from '../records/record-types.js';

/** What records choose, which an undo can choose again. */
const CHOSEN = [
  { type: 'payment_method', field: 'payment_method_id' },
  { type: 'payment_method', field: 'paid_from_id' },
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
 * Locks all that the undos change until the transaction ends, with the cycles of entries, the cards
 * of statements, and the payment methods and budgets that are chosen again: one statement for each
 * kind.
 */
export async function lockEntities(scope: Scope, undos: readonly Undo[]): Promise<void> {
  const cards = await cardsOf(scope, idsOf(undos, 'card_statement'));
  for (const type of LOCK_ORDER) {
    const ids = type === 'cycle' ? undos.map(({ cycleId }) => cycleId) : idsOf(undos, type);
    if (type === 'payment_method') ids.push(...cards);
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

const idsOf = (undos: readonly Undo[], type: StoredType): (string | null)[] =>
  undos.filter((undo) => undo.type === type).map(({ entityId }) => entityId);

/** The cards of statements, which never change. */
async function cardsOf(
  { manager, householdId }: Scope,
  statementIds: readonly unknown[],
): Promise<string[]> {
  if (statementIds.length === 0) return [];
  const rows = await query<{ id: string }>(
    manager,
    sql`
      SELECT payment_method_id AS id FROM card_statements
      WHERE household_id = ${householdId} AND id = ANY(${statementIds})`,
  );
  return rows.map(({ id }) => id);
}
