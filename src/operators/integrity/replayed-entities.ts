import sql, { raw } from 'sql-template-tag';
import { MoreThan, type EntityManager } from 'typeorm';
import { IS_COMMENT_ACTION_SQL } from '../../activity/activity-record.entity.js';
import type { Recorded } from '../../activity/mutation.js';
import { query } from '../../platform/database/query.js';
import { STORED_KINDS } from '../../records/record-kinds.js';
import { STORED_TYPES, type StoredType } from '../../records/record-types.js';
import type { StoredRecord } from '../../records/stored-record.js';
import { replayProblems, type ReplayedRecord } from './replay.js';
import { scopeSql } from './rules.js';

const PAGE_ENTITIES = 500;

/** The problems of entities whose state differs from their replayed activity records. */
export async function* replayEntities(
  manager: EntityManager,
): AsyncGenerator<{ entity: StoredType; id: string; problem: string }> {
  for (const type of STORED_TYPES) {
    const { entity: entityClass } = STORED_KINDS[type];
    const page = (afterId: string): Promise<(StoredRecord & Recorded)[]> =>
      manager.getRepository(entityClass).find({
        where: { id: MoreThan(afterId) },
        order: { id: 'ASC' },
        take: PAGE_ENTITIES,
      });
    let entities = await page('00000000-0000-0000-0000-000000000000');
    while (entities.length > 0) {
      const ids = entities.map(({ id }) => id);
      const records = await recordsOf(manager, type, ids);
      for (const entity of entities) {
        const { id } = entity;
        for (const problem of replayProblems(entity.snapshot(), records.get(id) ?? [])) {
          yield { entity: type, id, problem };
        }
      }
      entities = await page(ids.at(-1) ?? '');
    }
  }
}

/**
 * The activity records of each entity without comments, oldest first, with one index scan per
 * entity.
 */
async function recordsOf(
  manager: EntityManager,
  type: StoredType,
  ids: readonly string[],
): Promise<Map<string, ReplayedRecord[]>> {
  const rows = await query<ReplayedRecord & { entity_id: string }>(
    manager,
    sql`
      SELECT a.*
      FROM (${raw(scopeSql(type))}) s
      CROSS JOIN LATERAL (
        SELECT id, entity_id, action, changes FROM activity_log
        WHERE household_id = s.household_id AND entity_type = ${type} AND entity_id = s.id
          AND NOT ${IS_COMMENT_ACTION_SQL}
        ORDER BY seq
      ) a
      WHERE s.id = ANY(${ids})`,
  );
  const records = new Map<string, ReplayedRecord[]>();
  for (const row of rows) {
    const earlier = records.get(row.entity_id);
    if (earlier) earlier.push(row);
    else records.set(row.entity_id, [row]);
  }
  return records;
}
