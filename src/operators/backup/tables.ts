import type { EntityManager } from 'typeorm';

export interface Table {
  /** Quoted if necessary, like all names here. */
  name: string;
  columns: Column[];
}

interface Column {
  name: string;
  type: string;
  /** The sequence of a serial or identity column. */
  sequence: string | null;
}

/** Tokens that are valid for hours: a backup is older, and not the place for them. */
const OMITTED_TABLE = 'password_reset_tokens';

/** The ids of transactions have no meaning in another database. */
const LOCAL_COLUMN = 'activity_log.transaction_id';

/**
 * The tables of the service in the current schema that a backup has, referenced tables first.
 * Entities without a table in this schema version are omitted.
 */
export async function readTables(manager: EntityManager): Promise<Table[]> {
  const names = manager.dataSource.entityMetadatas
    .map(({ tableName }) => tableName)
    .filter((table) => table !== OMITTED_TABLE);
  const tables = await manager.query<(Table & { parents: string[] })[]>(
    `SELECT quote_ident(c.relname) AS name,
       (SELECT json_agg(json_build_object(
            'name', quote_ident(a.attname),
            'type', format_type(a.atttypid, NULL),
            'sequence', pg_get_serial_sequence(quote_ident(c.relname), a.attname)
          ) ORDER BY a.attnum)
        FROM pg_attribute a
        WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
          AND format('%s.%s', c.relname, a.attname) <> '${LOCAL_COLUMN}'
       ) AS columns,
       ARRAY(SELECT quote_ident(p.relname)
        FROM pg_constraint f JOIN pg_class p ON p.oid = f.confrelid
        WHERE f.conrelid = c.oid AND f.contype = 'f' AND p.oid <> c.oid
       )::text[] AS parents
     FROM pg_class c
     WHERE c.relkind = 'r' AND c.relnamespace = current_schema()::regnamespace
       AND c.relname = ANY($1)
     ORDER BY c.relname`,
    [names],
  );
  const ordered: Table[] = [];
  while (ordered.length < tables.length) {
    const isPlaced = (name: string): boolean => ordered.some((table) => table.name === name);
    const next = tables.find(({ name, parents }) => !isPlaced(name) && parents.every(isPlaced));
    if (!next) throw new Error('Tables have circular references');
    ordered.push({ name: next.name, columns: next.columns });
  }
  return ordered;
}

/** Sets the formats of dates and timestamps, independently of the database's defaults. */
export async function setTextFormats(manager: EntityManager): Promise<void> {
  await manager.query(`SET LOCAL datestyle TO 'ISO, YMD'`);
  await manager.query(`SET LOCAL timezone TO 'UTC'`);
}
