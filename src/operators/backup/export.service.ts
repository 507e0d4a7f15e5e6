import { Injectable } from '@nestjs/common';
import sql, { raw } from 'sql-template-tag';
import type { EntityManager } from 'typeorm';
import { Database } from '../../platform/database/database.js';
import { readPages } from '../../platform/database/row-pages.js';
import {
  FORMAT,
  FORMAT_VERSION,
  writeExportFile,
  type EndLine,
  type ExportLine,
} from './export-file.js';
import { newestMigration } from './schema-version.js';
import { setTextFormats, readTables, type Table } from './tables.js';

/**
 * Exports the whole database to a file that can be restored on a server and on the embedded engine.
 */
@Injectable()
export class ExportService {
  constructor(private readonly database: Database) {}

  /**
   * Exports all tables in one snapshot; the service can keep running.
   *
   * @returns the number of rows of each table
   * @throws ExportFileError when the file exists
   */
  export(file: string): Promise<Record<string, number>> {
    return this.database.systemSnapshot((manager) => writeExportFile(file, pagesOf(manager)));
  }
}

type Page = Exclude<ExportLine, EndLine>[];

async function* pagesOf(manager: EntityManager): AsyncGenerator<Page> {
  await setTextFormats(manager);
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

/** The rows of a table in pages, in order. */
async function* rowsOf(
  manager: EntityManager,
  { name: table, columns }: Table,
): AsyncGenerator<Page> {
  const order = columns.find(({ sequence }) => sequence !== null) ?? columns[0];
  const values = columns.map(({ name }) => `${name}::text`).join();
  const pages = readPages<{ row: (string | null)[] }>(
    manager,
    sql`
      SELECT json_build_array(${raw(values)}) AS row
      FROM ${raw(table)} ORDER BY ${raw(order?.name ?? '1')}`,
  );
  for await (const rows of pages) yield rows.map(({ row }) => ({ table, row }));
}

async function sequencesOf(manager: EntityManager, { name: table, columns }: Table): Promise<Page> {
  const lines: Page = [];
  for (const { name: column, sequence } of columns) {
    if (sequence === null) continue;
    // Sequences are not transactional: read last, the value is at or past every row of the
    // snapshot.
    const [position] = await manager.query<{ next: string }[]>(
      `SELECT (last_value + is_called::int)::text AS next FROM ${sequence}`,
    );
    lines.push({ sequence: { table, column }, next: position?.next ?? '1' });
  }
  return lines;
}
