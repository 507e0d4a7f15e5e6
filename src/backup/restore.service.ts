import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Database } from '../database/database.js';
import { hasMigration, withSchemaOf } from '../database/schema-version.js';
import {
  ExportFileError,
  readExportFile,
  type EndLine,
  type HeaderLine,
  type RowLine,
  type SequenceLine,
} from './export-file.js';
import { fixTextForms, readTables, type Table } from './tables.js';

const PAGE_ROWS = 500;

/** A new database has a starting rate; the file has its own. */
const MAY_HAVE_ROWS = 'exchange_rates';

/** Only a database that nobody uses yet is restored into. */
export class DatabaseNotEmptyError extends Error {}

/**
 * Reads a file to its end, without a database.
 *
 * @throws ExportFileError when it is not as it was written, or of a newer version of the service
 */
export async function checkExportFile(file: string): Promise<void> {
  for await (const line of readExportFile(file)) {
    if ('format' in line) assertKnownSchema(file, line);
  }
}

/** Brings a new database to what an export has. */
@Injectable()
export class RestoreService {
  constructor(private readonly database: Database) {}

  /**
   * Everything in the file, or nothing. The file of an older version is loaded into the schema of its
   * time, which is then migrated as it would have been.
   *
   * @returns the rows of each table
   * @throws ExportFileError, DatabaseNotEmptyError
   */
  async restore(file: string): Promise<Record<string, number>> {
    const rows = await this.database.transaction(async (manager) => {
      await fixTextForms(manager);
      await claimEmptyDatabase(manager);
      return load(manager, file);
    });
    await this.database.manager.query('ANALYZE');
    return rows;
  }
}

function assertKnownSchema(file: string, { migration }: HeaderLine): void {
  if (!hasMigration(migration)) {
    throw new ExportFileError(
      `${file} is of a newer version of the service (${migration}); update this one first`,
    );
  }
}

/** Whoever else uses the database waits until the transaction ends. */
async function claimEmptyDatabase(manager: EntityManager): Promise<void> {
  const names = (await readTables(manager)).map(({ name }) => name);
  await manager.query(`LOCK TABLE ${names.join()} IN ACCESS EXCLUSIVE MODE`);
  for (const name of names) {
    if (name === MAY_HAVE_ROWS) continue;
    const rows = await manager.query<object[]>(`SELECT 1 FROM ${name} LIMIT 1`);
    if (rows.length > 0) {
      throw new DatabaseNotEmptyError(
        `The database is not new: ${name} has rows. Restore into a new one`,
      );
    }
  }
}

async function load(manager: EntityManager, file: string): Promise<Record<string, number>> {
  const lines = readExportFile(file);
  const { value: header } = (await lines.next()) as { value: HeaderLine };
  assertKnownSchema(file, header);
  return withSchemaOf(manager, header.migration, async () => {
    const loader = await Loader.prepare(manager, header);
    for await (const line of lines) {
      if ('row' in line) await loader.add(line);
      else if ('sequence' in line) loader.addSequence(line);
      else if ('sha256' in line) await loader.finish(line);
    }
    return loader.rows;
  });
}

/** Stores a file's rows a page at a time. */
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
    assertSameShape(header, tables);
    await manager.query(`DELETE FROM ${MAY_HAVE_ROWS}`);
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

  /** Once the file is known to be whole. */
  async finish({ rows }: EndLine): Promise<void> {
    await this.flush();
    for (const name of this.tables.keys()) {
      const [stored] = await this.manager.query<{ count: number }[]>(
        `SELECT count(*)::int AS count FROM ${name}`,
      );
      if (stored?.count !== rows[name]) {
        throw new Error(`${name} has ${stored?.count} rows instead of ${rows[name]}`);
      }
    }
    for (const { sequence: place, next } of this.sequences) {
      const column = this.table(place.table).columns.find(({ name }) => name === place.column);
      // Unlike setval, this is undone with the transaction.
      await this.manager.query(`ALTER SEQUENCE ${column?.sequence} RESTART WITH ${BigInt(next)}`);
    }
    this.rows = rows;
  }

  private async flush(): Promise<void> {
    const [first] = this.page;
    if (!first) return;
    const { name, columns } = this.table(first.table);
    const types = new Map(columns.map((column) => [column.name, column.type]));
    const given = this.header.tables[name] ?? [];
    await this.manager.query(
      `INSERT INTO ${name} (${given.join()})
       SELECT ${given.map((column, at) => `(row ->> ${at})::${types.get(column)}`).join()}
       FROM jsonb_array_elements($1) AS row`,
      [JSON.stringify(this.page.map(({ row }) => row))],
    );
    this.page = [];
  }

  private table(name: string): Table {
    const table = this.tables.get(name);
    if (!table) throw new ExportFileError(`The file has rows of ${name}, which is no table`);
    return table;
  }
}

/** A table or column that only one of the two has would be lost, or missing. */
function assertSameShape(header: HeaderLine, tables: readonly Table[]): void {
  const inDatabase = tables.flatMap(({ name, columns }) =>
    columns.map((column) => `${name}.${column.name}`),
  );
  const inFile = Object.entries(header.tables).flatMap(([name, columns]) =>
    columns.map((column) => `${name}.${column}`),
  );
  const foreign = [
    ...inFile.filter((name) => !inDatabase.includes(name)).map((name) => `${name} (file)`),
    ...inDatabase.filter((name) => !inFile.includes(name)).map((name) => `${name} (database)`),
  ];
  if (foreign.length > 0) {
    throw new ExportFileError(`Only one of file and database has ${foreign.join(', ')}`);
  }
}
