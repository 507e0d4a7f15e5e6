import sql, { join, raw, type Sql } from 'sql-template-tag';
import { DELETABLE_TYPES, RECORD_TYPES } from '../records/record-types.js';

/**
 * SQL: whether a row of `comments` is shown: neither the comment nor the entity that it is on is
 * deleted.
 */
export function isVisibleSql(alias: 'c' | 'item' | 'm' | 't', household: string | Sql): Sql {
  const comment = raw(alias);
  const isEntityVisible = DELETABLE_TYPES.map(
    (type) => sql`NOT EXISTS (
      SELECT FROM ${raw(RECORD_TYPES[type].table)} entity
      WHERE ${comment}.entity_type = '${raw(type)}' AND entity.household_id = ${household}
        AND entity.id = ${comment}.entity_id AND NOT entity.active)`,
  );
  return sql`${comment}.active AND ${join(isEntityVisible, ' AND ')}`;
}
