import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Database } from '../database/database.js';
import { newestMigration } from '../database/schema-version.js';
import {
  FORMAT,
  FORMAT_VERSION,
  writeExportFile,
  type EndLine,
  type ExportLine,
} from './export-file.js';
import { fixTextForms, readTables, type Table } from './tables.js';

const PAGE_ROWS = 500;

/** Writes the whole database to a file that either engine can be restored from. */
@Injectable()
export class ExportService {
  constructor(private readonly database: Database) {}

  /**
   * All tables as they are at one moment; the service may go on meanwhile.
   *
   * @returns the rows of each table
   * @throws ExportFileError when there is such a file already
   */
  export(file: string): Promise<Record<string, number>> {
    return this.database.snapshot((manager) => writeExportFile(file, pagesOf(manager)));
  }
}

type Page = Exclude<ExportLine, EndLine>[];

async function* pagesOf(manager: EntityManager): AsyncGenerator<Page> {
  await fixTextForms(manager);
  const tables = await readTables(manager);
  yield [
    {
      format: FORMAT,
      version: FORMAT_VERSION,
      migration: newestMigration(),
      exported_at: new Date().toISOString(),
      tables: Object.fromEntries(
        tables.map((table) => [table.name, table.columns.map(({ name }) => name)]),
      ),
    },
  ];
  for (const table of tables) yield* rowsOf(manager, table);
  for (const table of tables) yield await sequencesOf(manager, table);
}

/** In their order, a page at a time: the cursor keeps the rest in the database. */
async function* rowsOf(
  manager: EntityManager,
  { name: table, columns }: Table,
): AsyncGenerator<Page> {
  const order = columns.find(({ sequence }) => sequence !== null) ?? columns[0];
  await manager.query(
    `DECLARE exported NO SCROLL CURSOR FOR
     SELECT json_build_array(${columns.map(({ name }) => `${name}::text`).join()}) AS row
     FROM ${table} ORDER BY ${order?.name ?? '1'}`,
  );
  for (;;) {
    const rows = await manager.query<{ row: (string | null)[] }[]>(
      `FETCH ${PAGE_ROWS} FROM exported`,
    );
    if (rows.length === 0) break;
    yield rows.map(({ row }) => ({ table, row }));
  }
  await manager.query('CLOSE exported');
}

async function sequencesOf(manager: EntityManager, { name: table, columns }: Table): Promise<Page> {
  const lines: Page = [];
  for (const { name: column, sequence } of columns) {
    if (sequence === null) continue;
    // Sequences are outside of transactions: read last, it is at or past every row of the moment.
    const [position] = await manager.query<{ next: string }[]>(
      `SELECT (last_value + is_called::int)::text AS next FROM ${sequence}`,
    );
    lines.push({ sequence: { table, column }, next: position?.next ?? '1' });
  }
  return lines;
}
