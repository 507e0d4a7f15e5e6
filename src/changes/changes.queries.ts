import sql, { join, raw, type Sql } from 'sql-template-tag';
import type { EntityManager } from 'typeorm';
import { IS_COMMENT_ACTION_SQL } from '../activity/activity-record.entity.js';
import { isVisibleSql } from '../comments/comment-visibility.js';
import type { Scope } from '../platform/database/database.js';
import { query } from '../platform/database/query.js';
import {
  DELETABLE_TYPES,
  ENTITY_TYPES,
  RECORD_TYPES,
  type EntityType,
} from '../records/record-types.js';
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
  const [row] = await query<{ snapshot: string; database: string }>(
    manager,
    sql`SELECT pg_current_snapshot()::text AS snapshot, id AS database FROM database_identity`,
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

/** SQL: the rows `t` of the present entities of a type, after FROM. */
function presentSql({ householdId, userId }: Scope, type: EntityType): Sql {
  const { table, cycleId, isDeletable } = RECORD_TYPES[type];
  const isPresent = isDeletable ? sql`t.active` : sql`true`;
  if (type === 'comment') {
    return sql`comments t
      WHERE t.household_id = ${householdId} AND ${isVisibleSql('t', householdId)}`;
  }
  if (cycleId === 'cycle_id') {
    return sql`cycles c
      JOIN ${raw(table)} t ON t.household_id = ${householdId} AND t.cycle_id = c.id
      WHERE c.household_id = ${householdId} AND c.user_id = ${userId} AND c.active AND ${isPresent}`;
  }
  return sql`${raw(table)} t
    WHERE t.household_id = ${householdId} AND t.user_id = ${userId} AND ${isPresent}`;
}

const allEntitiesSql = (scope: Scope): Sql =>
  join(
    ENTITY_TYPES.map(
      (type, place) => sql`
        SELECT ${raw(String(place))} AS type, t.id, ${raw(RECORD_TYPES[type].cycleId)} AS cycle_id,
          t.created_at, t.seq
        FROM ${presentSql(scope, type)}`,
    ),
    ' UNION ALL ',
  );

/** A reference with its position in the list. */
export type Positioned<At extends Position> = EntityReference & { position: At };

/** What exists, oldest first: the user's entities and the comments of the household. */
export async function listEntities(
  scope: Scope,
  after: EntityPosition | null,
  limit: number,
): Promise<Positioned<EntityPosition>[]> {
  type Row = Omit<EntityReference, 'entity_type'> & {
    type: number;
    created_at: string;
    seq: string;
  };
  const createdAt = after?.createdAt;
  const place = after && orderOf(after.entityType);
  const rows = await query<Row>(
    scope.manager,
    sql`
      SELECT type, id AS entity_id, cycle_id, created_at, seq
      FROM (${allEntitiesSql(scope)}) AS entities
      WHERE ${createdAt}::timestamptz IS NULL
        OR (created_at, type, seq) > (${createdAt}, ${place}::int, ${after?.seq}::bigint)
      ORDER BY created_at, type, seq
      LIMIT ${limit}`,
  );
  return rows.map(({ type, entity_id, cycle_id, created_at, seq }) => {
    const entityType = ENTITY_TYPES[type] ?? 'budget';
    return {
      entity_type: entityType,
      entity_id,
      cycle_id,
      position: { createdAt: created_at, entityType, seq },
    };
  });
}

/** SQL: the names of types as a list of texts. */
const namesSql = (types: readonly EntityType[]): Sql => raw(`'${types.join("', '")}'`);

const NIL_UUID = '00000000-0000-0000-0000-000000000000';

/**
 * What changed between two snapshots, in the order of the transactions: the entities that each
 * activity record affects, which are its entity; for an entry also the cycle; for a comment action
 * the comment; for a deletion and its undo the comments on the entity. Records of a type that only a
 * later version knows, which runs at the same time during a rolling update, are skipped.
 */
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
  const rows = await query<EntityReference & { transaction_id: string; seq: string }>(
    manager,
    sql`
      SELECT affected.entity_type, affected.entity_id, affected.cycle_id, a.transaction_id, a.seq
      FROM activity_log a
      CROSS JOIN LATERAL (
        SELECT a.entity_type, a.entity_id, a.cycle_id
        WHERE a.actor_user_id = ${userId} AND NOT ${IS_COMMENT_ACTION_SQL}
        UNION ALL
        SELECT 'cycle', a.cycle_id, a.cycle_id
        WHERE a.actor_user_id = ${userId} AND NOT ${IS_COMMENT_ACTION_SQL}
          AND a.entity_type IN ('cycle_expense', 'cycle_income')
        UNION ALL
        SELECT 'comment', (a.changes #>> '{comment_id,to}')::uuid, a.cycle_id
        WHERE ${IS_COMMENT_ACTION_SQL}
        UNION ALL
        SELECT 'comment', c.id, c.cycle_id
        FROM comments c
        WHERE a.action IN ('deactivated', 'reactivated')
          AND a.entity_type IN (${namesSql(DELETABLE_TYPES)})
          AND c.household_id = ${householdId} AND c.entity_type = a.entity_type
          AND c.entity_id = a.entity_id
      ) AS affected
      WHERE a.household_id = ${householdId}
        AND (a.transaction_id, a.seq) >= (${transactionId}::bigint, ${seq}::bigint)
        AND a.entity_type IN (${namesSql(ENTITY_TYPES)})
        AND NOT pg_visible_in_snapshot(a.transaction_id::text::xid8, ${since}::pg_snapshot)
        AND pg_visible_in_snapshot(a.transaction_id::text::xid8, ${until}::pg_snapshot)
        AND (a.transaction_id, a.seq, affected.entity_type, affected.entity_id)
          > (${transactionId}::bigint, ${seq}::bigint, ${entityType}::text, ${entityId}::uuid)
      ORDER BY a.transaction_id, a.seq, affected.entity_type, affected.entity_id
      LIMIT ${limit}`,
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
