import type { EntityManager } from 'typeorm';
import { IS_COMMENT_ACTION_SQL } from '../activity/activity-record.entity.js';
import { isVisibleSql } from '../comments/comment-visibility.js';
import type { Scope } from '../platform/database/database.js';
import { ENTITY_TYPES, type EntityType } from '../records/record-types.js';
import { DELETABLE_TYPES } from '../records/record-types.js';
import { startOf, type EntityPosition, type Position, type RecordPosition } from './cursor.js';

export interface EntityReference {
  entity_type: EntityType;
  entity_id: string;
  cycle_id: string | null;
}

/** The snapshot of the statement, and the identity of the database. */
export async function readSnapshot(
  manager: EntityManager,
): Promise<{ snapshot: string; database: string }> {
  const [row] = await manager.query<{ snapshot: string; database: string }[]>(
    'SELECT pg_current_snapshot()::text AS snapshot, id AS database FROM database_identity',
  );
  if (!row) throw new Error('The database has no identity');
  return row;
}

/**
 * The place of a type among entities of the same instant; that of a later version comes after those
 * of this one.
 */
function orderOf(type: string): number {
  const index = ENTITY_TYPES.findIndex((entityType) => entityType === type);
  return index < 0 ? ENTITY_TYPES.length : index;
}

/** What follows the type in the SELECT of its present entities. $1: household, $2: owner. */
const ENTITIES_OF: Record<EntityType, string> = {
  payment_method: `id, NULL::uuid AS cycle_id, created_at, seq
    FROM payment_methods WHERE household_id = $1 AND user_id = $2`,
  recurrent_expense: `id, NULL, created_at, seq
    FROM expense_templates WHERE household_id = $1 AND user_id = $2`,
  recurrent_income: `id, NULL, created_at, seq
    FROM income_templates WHERE household_id = $1 AND user_id = $2`,
  cycle: `id, id, created_at, seq
    FROM cycles WHERE household_id = $1 AND user_id = $2 AND active`,
  cycle_expense: `e.id, c.id, e.created_at, e.seq
    FROM cycles c JOIN cycle_expenses e ON e.household_id = $1 AND e.cycle_id = c.id
    WHERE c.household_id = $1 AND c.user_id = $2 AND c.active AND e.active`,
  cycle_income: `i.id, c.id, i.created_at, i.seq
    FROM cycles c JOIN cycle_incomes i ON i.household_id = $1 AND i.cycle_id = c.id
    WHERE c.household_id = $1 AND c.user_id = $2 AND c.active AND i.active`,
  comment: `id, cycle_id, created_at, seq
    FROM comments WHERE household_id = $1 AND ${isVisibleSql('comments', '$1')}`,
  budget: `id, NULL, created_at, seq
    FROM budgets WHERE household_id = $1 AND user_id = $2`,
};

const ALL_ENTITIES = ENTITY_TYPES.map(
  (type, place) => `SELECT ${place} AS type, ${ENTITIES_OF[type]}`,
).join(' UNION ALL ');

/** $3 to $5: the position after which to go on, or null; $6: limit. */
const ENTITIES = `
  SELECT type, id AS entity_id, cycle_id, created_at, seq
  FROM (${ALL_ENTITIES}) AS entities
  WHERE $3::timestamptz IS NULL OR (created_at, type, seq) > ($3, $4::int, $5::bigint)
  ORDER BY created_at, type, seq
  LIMIT $6`;

/** A reference with its position in the list. */
export type Positioned<At extends Position> = EntityReference & { position: At };

/** What exists, oldest first: the user's entities and the comments of the household. */
export async function listEntities(
  { manager, userId, householdId }: Scope,
  after: EntityPosition | null,
  limit: number,
): Promise<Positioned<EntityPosition>[]> {
  type Row = Omit<EntityReference, 'entity_type'> & {
    type: number;
    created_at: string;
    seq: string;
  };
  const rows = await manager.query<Row[]>(ENTITIES, [
    householdId,
    userId,
    after?.createdAt ?? null,
    after && orderOf(after.entityType),
    after?.seq ?? null,
    limit,
  ]);
  return rows.map(({ type, entity_id, cycle_id, created_at: createdAt, seq }) => {
    const entityType = ENTITY_TYPES[type] ?? 'budget';
    return {
      entity_type: entityType,
      entity_id,
      cycle_id,
      position: { createdAt, entityType, seq },
    };
  });
}

/**
 * The entities that each activity record affects: its entity; for an entry also the cycle; for a
 * comment action the comment; for a deletion and its undo the comments on the entity. Records of a
 * type that only a later version knows, which runs at the same time during a rolling update, are
 * skipped.
 *
 * $1: household, $2: owner, $3 and $4: the snapshots, $5 to $8: the position after which to go on,
 * $9: limit.
 */
const CHANGES = `
  SELECT affected.entity_type, affected.entity_id, affected.cycle_id, a.transaction_id, a.seq
  FROM activity_log a
  CROSS JOIN LATERAL (
    SELECT a.entity_type, a.entity_id, a.cycle_id
    WHERE a.actor_user_id = $2 AND NOT ${IS_COMMENT_ACTION_SQL}
    UNION ALL
    SELECT 'cycle', a.cycle_id, a.cycle_id
    WHERE a.actor_user_id = $2 AND NOT ${IS_COMMENT_ACTION_SQL}
      AND a.entity_type IN ('cycle_expense', 'cycle_income')
    UNION ALL
    SELECT 'comment', (a.changes #>> '{comment_id,to}')::uuid, a.cycle_id
    WHERE ${IS_COMMENT_ACTION_SQL}
    UNION ALL
    SELECT 'comment', c.id, c.cycle_id
    FROM comments c
    WHERE a.action IN ('deactivated', 'reactivated') AND a.entity_type IN ('${DELETABLE_TYPES.join("', '")}')
      AND c.household_id = $1 AND c.entity_type = a.entity_type AND c.entity_id = a.entity_id
  ) AS affected
  WHERE a.household_id = $1 AND (a.transaction_id, a.seq) >= ($5::bigint, $6::bigint)
    AND a.entity_type IN ('${ENTITY_TYPES.join("', '")}')
    AND NOT pg_visible_in_snapshot(a.transaction_id::text::xid8, $3::pg_snapshot)
    AND pg_visible_in_snapshot(a.transaction_id::text::xid8, $4::pg_snapshot)
    AND (a.transaction_id, a.seq, affected.entity_type, affected.entity_id)
      > ($5::bigint, $6::bigint, $7::text, $8::uuid)
  ORDER BY a.transaction_id, a.seq, affected.entity_type, affected.entity_id
  LIMIT $9`;

const NIL_UUID = '00000000-0000-0000-0000-000000000000';

/** What changed between two snapshots, in the order of the transactions. */
export async function listChanges(
  { manager, userId, householdId }: Scope,
  { since, until, after }: { since: string; until: string; after: RecordPosition | null },
  limit: number,
): Promise<Positioned<RecordPosition>[]> {
  const { transactionId, seq, entityType, entityId } = after ?? {
    transactionId: startOf(since),
    seq: '0',
    entityType: '',
    entityId: NIL_UUID,
  };
  const rows = await manager.query<(EntityReference & { transaction_id: string; seq: string })[]>(
    CHANGES,
    [householdId, userId, since, until, transactionId, seq, entityType, entityId, limit],
  );
  return rows.map(({ transaction_id, seq: position, ...reference }) => ({
    ...reference,
    position: {
      transactionId: transaction_id,
      seq: position,
      entityType: reference.entity_type,
      entityId: reference.entity_id,
    },
  }));
}
