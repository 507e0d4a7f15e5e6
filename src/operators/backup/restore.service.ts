import { Injectable } from '@nestjs/common';
import sql, { raw } from 'sql-template-tag';
import type { EntityManager } from 'typeorm';
import { Database } from '../../platform/database/database.js';
import { awaitUnanswered, send } from '../../platform/database/send.js';
import { OperatorError } from '../../platform/errors/domain-error.js';
import {
  ExportFileError,
  readExportFile,
  type EndLine,
  type HeaderLine,
  type RowLine,
  type SequenceLine,
} from './export-file.js';
import { hasMigration, withSchemaAt } from './schema-version.js';
import { setTextFormats, readTables, type Table } from './tables.js';

const PAGE_ROWS = 500;

/** The migrations insert a starting rate, which the rows of the file replace. */
const SEEDED_TABLE = 'exchange_rates';

/** The database has rows; only a new database can be restored into. */
class DatabaseNotEmptyError extends OperatorError {}

/**
 * Verifies an export file without a database.
 *
 * @throws ExportFileError when it is damaged, or of a newer version of the service
 */
export async function checkExportFile(file: string): Promise<void> {
  for await (const line of readExportFile(file)) {
    if ('format' in line) assertSupportedSchema(file, line);
  }
}

/** Restores an export into a new database. */
@Injectable()
export class RestoreService {
  constructor(private readonly database: Database) {}

  /**
   * Restores the whole file in one transaction. The rows of an older version are loaded into its
   * schema, which is then migrated.
   *
   * @returns the number of rows of each table
   * @throws ExportFileError, DatabaseNotEmptyError
   */
  async restore(file: string): Promise<Record<string, number>> {
    const rows = await this.database.systemTransaction(async (manager) => {
      await setTextFormats(manager);
      await lockEmptyDatabase(manager);
      return load(manager, file);
    });
    await this.analyze();
    return rows;
  }

  /**
   * Completes the restore of a dump, which has no statistics for the planner.
   *
   * @returns the number of rows of each table
   */
  async completeDump(): Promise<Record<string, number>> {
    await this.analyze();
    return this.database.systemSnapshot(async (manager) => {
      const rows: Record<string, number> = {};
      for (const { name } of await readTables(manager)) rows[name] = await countRows(manager, name);
      return rows;
    });
  }

  private analyze(): Promise<unknown> {
    return this.database.systemQuery((manager) => manager.query('ANALYZE'));
  }
}

function assertSupportedSchema(file: string, { migration }: HeaderLine): void {
  if (!hasMigration(migration)) {
    throw new ExportFileError(
      `${file} was exported by a newer version of the service (${migration}); update this one first`,
    );
  }
}

/** Locks all tables until the transaction ends, and verifies that they are empty. */
async function lockEmptyDatabase(manager: EntityManager): Promise<void> {
  const names = (await readTables(manager)).map(({ name }) => name);
  await manager.query(`LOCK TABLE ${names.join()} IN ACCESS EXCLUSIVE MODE`);
  for (const name of names) {
    if (name === SEEDED_TABLE) continue;
    const rows = await manager.query<object[]>(`SELECT 1 FROM ${name} LIMIT 1`);
    if (rows.length > 0) {
      throw new DatabaseNotEmptyError(
        `The database is not empty: ${name} has rows. Restore into a new database`,
      );
    }
  }
}

async function countRows(manager: EntityManager, table: string): Promise<number> {
  const [stored] = await manager.query<{ count: number }[]>(
    `SELECT count(*)::int AS count FROM ${table}`,
  );
  return stored?.count ?? 0;
}

async function load(manager: EntityManager, file: string): Promise<Record<string, number>> {
  const lines = readExportFile(file);
  const { value: header } = (await lines.next()) as { value: HeaderLine };
  assertSupportedSchema(file, header);
  return withSchemaAt(manager, header.migration, async () => {
    const loader = await Loader.prepare(manager, header);
    for await (const line of lines) {
      if ('row' in line) await loader.add(line);
      else if ('sequence' in line) loader.addSequence(line);
      else if ('sha256' in line) await loader.finish(line);
    }
    return loader.rows;
  });
}

/** Inserts the rows of a file in pages. */
class Loader {
  rows: Record<string, number> = {};
  private page: RowLine[] = [];
  private readonly sequences: SequenceLine[] = [];

  private constructor(
    private readonly manager: EntityManager,
    private readonly header: HeaderLine,
    private readonly tables: ReadonlyMap<string, Table>,
  ) {}

  static async prepare(manager: EntityManager, header: HeaderLine): Promise<Loader> {
    const tables = await readTables(manager);
    assertSameSchema(header, tables);
    await manager.query(`DELETE FROM ${SEEDED_TABLE}`);
    return new Loader(manager, header, new Map(tables.map((table) => [table.name, table])));
  }

  async add(line: RowLine): Promise<void> {
    const isFull = this.page.length === PAGE_ROWS;
    if (isFull || this.page[0]?.table !== line.table) await this.flush();
    this.page.push(line);
  }

  addSequence(line: SequenceLine): void {
    this.sequences.push(line);
  }

  /** Verifies the number of rows and sets the sequences; called at the end line. */
  async finish({ rows }: EndLine): Promise<void> {
    await this.flush();
    for (const name of this.tables.keys()) {
      const stored = await countRows(this.manager, name);
      if (stored !== rows[name]) {
        throw new Error(`${name} has ${stored} rows instead of ${rows[name]}`);
      }
    }
    // A later migration cannot alter a table with deferred checks of constraints.
    await this.manager.query('SET CONSTRAINTS ALL IMMEDIATE');
    for (const { sequence: target, next } of this.sequences) {
      const column = this.table(target.table).columns.find(({ name }) => name === target.column);
      // The statement is transactional, unlike setval.
      await this.manager.query(`ALTER SEQUENCE ${column?.sequence} RESTART WITH ${BigInt(next)}`);
    }
    this.rows = rows;
  }

  private async flush(): Promise<void> {
    const [first] = this.page;
    if (!first) return;
    const { name, columns } = this.table(first.table);
    const types = new Map(columns.map((column) => [column.name, column.type]));
    const fileColumns = this.header.tables[name] ?? [];
    const values = fileColumns.map((column, at) => `(row ->> ${at})::${types.get(column)}`).join();
    send(
      this.manager,
      sql`
        INSERT INTO ${raw(name)} (${raw(fileColumns.join())})
        SELECT ${raw(values)}
        FROM jsonb_array_elements(${JSON.stringify(this.page.map(({ row }) => row))}) AS row`,
    );
    await awaitUnanswered(this.manager);
    this.page = [];
  }

  private table(name: string): Table {
    const table = this.tables.get(name);
    if (!table) throw new ExportFileError(`The file has rows of ${name}, which is not a table`);
    return table;
  }
}

/** @throws ExportFileError when the tables or columns of the file and the database differ */
function assertSameSchema(header: HeaderLine, tables: readonly Table[]): void {
  const inDatabase = tables.flatMap(({ name, columns }) =>
    columns.map((column) => `${name}.${column.name}`),
  );
  const inFile = Object.entries(header.tables).flatMap(([name, columns]) =>
    columns.map((column) => `${name}.${column}`),
  );
  const differences = [
    ...inFile.filter((name) => !inDatabase.includes(name)).map((name) => `${name} (file)`),
    ...inDatabase.filter((name) => !inFile.includes(name)).map((name) => `${name} (database)`),
  ];
  if (differences.length > 0) {
    throw new ExportFileError(
      `The tables of the file and the database differ: ${differences.join(', ')}`,
    );
  }
}
