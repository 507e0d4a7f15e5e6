import type { EntityMetadata } from 'typeorm';
import { REFERENCE_TABLES } from '../distribution/distribution.service.js';
import type { Rule } from './rules.js';

const PRIMARY_KEY = 'primary key';

/** The constraints and unique indexes of the database; a primary key has no name of its own. */
const EXISTING = `
  SELECT t.relname AS "table", CASE k.contype WHEN 'p' THEN '${PRIMARY_KEY}' ELSE k.conname END AS name,
    k.convalidated AS is_valid
  FROM pg_constraint k JOIN pg_class t ON t.oid = k.conrelid
  WHERE t.relnamespace = current_schema()::regnamespace
  UNION ALL
  SELECT t.relname, i.relname, x.indisvalid
  FROM pg_index x JOIN pg_class t ON t.oid = x.indrelid JOIN pg_class i ON i.oid = x.indexrelid
  WHERE t.relnamespace = current_schema()::regnamespace AND x.indisunique`;

/**
 * What constraints ensure is not checked in the data again. They can be missing: `pg_restore` goes on
 * without a constraint that the data violates.
 */
export const constraintsRule = (entities: readonly EntityMetadata[]): Rule => ({
  name: 'constraint',
  description:
    'the database has every constraint and unique index, and its data were checked with it',
  sql: `
    SELECT 'constraint' AS entity, declared.name AS id,
      CASE WHEN count(is_valid) = 0 THEN format('is missing from %s', declared."table")
        ELSE format('of %s is not valid', declared."table") END AS problem
    FROM (VALUES ${entities.flatMap(declaredBy).join()}) AS declared ("table", name, is_kept)
    LEFT JOIN (${EXISTING}) AS existing
      ON existing."table" = declared."table" AND existing.name = declared.name
    WHERE is_kept OR NOT EXISTS (SELECT FROM pg_extension WHERE extname = 'citus')
    GROUP BY declared."table", declared.name
    HAVING bool_and(is_valid) IS NOT TRUE`,
});

/** SQL: the table and the name, and whether the constraint is kept in a distributed database. */
function declaredBy({
  tableName,
  checks,
  uniques,
  indices,
  foreignKeys,
}: EntityMetadata): string[] {
  const kept = [...checks, ...uniques, ...indices.filter(({ isUnique }) => isUnique)];
  const keepsForeignKeys = !REFERENCE_TABLES.includes(tableName);
  return [
    `('${tableName}', '${PRIMARY_KEY}', true)`,
    ...kept.map(({ name }) => `('${tableName}', '${name}', true)`),
    ...foreignKeys.map(({ name }) => `('${tableName}', '${name}', ${keepsForeignKeys})`),
  ];
}
