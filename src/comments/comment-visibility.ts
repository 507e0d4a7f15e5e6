import { DELETABLE_TYPES, RECORD_TYPES } from '../records/record-types.js';

/**
 * SQL: whether a row of `comments` is shown: neither the comment nor the entity that it is on is
 * deleted.
 *
 * @param household the parameter of the household, such as `$1`
 */
export const isVisibleSql = (comment: string, household: string): string =>
  `${comment}.active` +
  DELETABLE_TYPES.map(
    (type) => ` AND NOT EXISTS (
    SELECT FROM ${RECORD_TYPES[type].table} t
    WHERE ${comment}.entity_type = '${type}' AND t.household_id = ${household}
      AND t.id = ${comment}.entity_id AND NOT t.active)`,
  ).join('');
