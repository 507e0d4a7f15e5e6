/** Dumps of a PostgreSQL server by its own programs, which are faster for large databases. */
import { open } from 'node:fs/promises';
import pg from 'pg';
import { MIGRATIONS } from '../../migrations/index.js';
import type { DatabaseSettings, ServerSettings } from '../../platform/config/settings.js';
import { clientConfig } from '../../platform/database/data-source.js';
import { unavailable } from '../../platform/database/open-database.js';
import { OperatorError } from '../../platform/errors/domain-error.js';
import { createFile } from './export-file.js';
import { runServerProgram } from './server-programs.js';

/** What a dump in the custom format begins with. */
const DUMP_HEADER = 'PGDMP';

/** The database cannot be dumped or restored into. */
class DumpError extends OperatorError {}

/**
 * Writes a dump of the database to a new file, readable by its owner only. Other than the commands
 * that use the service's code, it does not migrate the database.
 *
 * @throws DumpError for another database than one of this service with users; ExportFileError when
 *   the file exists; ServerProgramError
 */
export async function dumpDatabase(database: DatabaseSettings, file: string): Promise<void> {
  if (database.kind === 'embedded') {
    throw new DumpError(
      'Only a PostgreSQL server can be dumped, and DATABASE_URL is not set: use the command export',
    );
  }
  const { isOfService, hasUsers } = await inspect(database);
  if (!isOfService) {
    throw new DumpError('The database is not one of this service: nothing is dumped');
  }
  if (!hasUsers) throw new DumpError('The database has no users: nothing is dumped');
  await createFile(file, async (target) => {
    await runServerProgram('pg_dump', ['--format=custom'], database, target.fd);
    await target.sync();
  });
}

/** @throws what opening the file throws */
export async function isDump(file: string): Promise<boolean> {
  const source = await open(file);
  try {
    const { buffer, bytesRead } = await source.read({ buffer: Buffer.alloc(DUMP_HEADER.length) });
    return buffer.toString('latin1', 0, bytesRead) === DUMP_HEADER;
  } finally {
    await source.close();
  }
}

/**
 * Restores a dump in one transaction; all it has then belongs to the user of the settings.
 *
 * @throws DumpError unless the database is on a server and new; ServerProgramError
 */
export async function restoreDump(database: DatabaseSettings, file: string): Promise<void> {
  if (database.kind === 'embedded') {
    throw new DumpError(
      `${file} is a dump of a PostgreSQL server, which only such a server can read: set DATABASE_URL`,
    );
  }
  const { isEmpty } = await inspect(database);
  if (!isEmpty) {
    throw new DumpError('The database has tables: restore a dump into a new database');
  }
  // The URL has no parts: all of them are in the environment.
  const target = ['--dbname=postgres://', '--single-transaction', '--no-owner', '--no-privileges'];
  await runServerProgram('pg_restore', [...target, '--', file], database, 'ignore');
}

interface Content {
  isOfService: boolean;
  hasUsers: boolean;
  /** Whether it has no tables. */
  isEmpty: boolean;
}

async function inspect(settings: ServerSettings): Promise<Content> {
  const client = new pg.Client(clientConfig(settings));
  // A lost connection rejects the statement in progress.
  client.on('error', () => undefined);
  await client.connect().catch((error: unknown) => {
    throw unavailable(error);
  });
  const isTrue = async (condition: string, ...values: string[]): Promise<boolean> => {
    const { rows } = await client.query<{ is: boolean }>(`SELECT ${condition} AS is`, values);
    return rows[0]?.is ?? false;
  };
  try {
    const hasTable = (name: string): Promise<boolean> =>
      isTrue('to_regclass($1) IS NOT NULL', name);
    const isOfService =
      (await hasTable('migrations')) &&
      (await hasTable('users')) &&
      (await isTrue(
        `EXISTS (SELECT FROM migrations m WHERE to_jsonb(m) ->> 'name' = $1)`,
        MIGRATIONS[0]?.name ?? '',
      ));
    return {
      isOfService,
      hasUsers: isOfService && (await isTrue('EXISTS (SELECT FROM users)')),
      isEmpty: !(await isTrue(
        'EXISTS (SELECT FROM pg_tables WHERE schemaname = current_schema())',
      )),
    };
  } finally {
    await client.end();
  }
}
