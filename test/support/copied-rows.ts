import type { Service } from './service.js';

/** So few that a statement does not time out on the embedded engine of a busy machine. */
const STATEMENT_ROWS = 2000;

/**
 * Copies a row directly in the database, because requests would take minutes to reach a limit.
 *
 * @param changes SQL: the names and values of columns that differ, each after a comma; `n` is the
 *   number of the copy, from 1
 */
export async function copyRow(
  service: Pick<Service, 'query'>,
  table: string,
  id: string,
  { copies, changes = '' }: { copies: number; changes?: string },
): Promise<void> {
  const [{ columns }] = (await service.query(
    `SELECT string_agg(attname, ', ') AS columns FROM pg_attribute
     WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = ''`,
    [table],
  )) as [{ columns: string }];
  for (let first = 1; first <= copies; first += STATEMENT_ROWS) {
    await service.query(
      `INSERT INTO ${table} (${columns})
       SELECT ${columns} FROM (
         SELECT (jsonb_populate_record(
           original, jsonb_build_object('id', gen_random_uuid(), 'seq', original.seq + n ${changes})
         )).*
         FROM ${table} AS original, generate_series($2::int, $3::int) AS n WHERE original.id = $1
       ) AS copy`,
      [id, first, Math.min(copies, first + STATEMENT_ROWS - 1)],
    );
  }
}
