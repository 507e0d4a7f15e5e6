import { Logger } from '@nestjs/common';
import { MigrationExecutor, type DataSource } from 'typeorm';
import type { DatabaseSettings } from '../config/settings.js';
import { createDataSource } from './data-source.js';
import { openEmbeddedDatabase } from './embedded/embedded-database.js';
import { startMaintenance } from './embedded/maintenance.js';

export interface OpenDatabase {
  dataSource: DataSource;
  close: () => Promise<void>;
}

/** The server of the settings cannot be reached, or refuses. */
export class DatabaseUnavailableError extends Error {}

/** Any number, the same in every process of the service. */
const MIGRATION_LOCK = 7_264_001;

/** Opens the database of the settings: connected, and migrated to the newest version. */
export async function openDatabase(settings: DatabaseSettings): Promise<OpenDatabase> {
  const opened =
    settings.kind === 'server' ? await openServer(settings) : await openEmbedded(settings);
  try {
    await migrate(opened.dataSource);
    return opened;
  } catch (error) {
    await opened.close();
    throw error;
  }
}

/** Of several processes that start together one migrates, and the others wait for it. */
async function migrate(dataSource: DataSource): Promise<void> {
  const runner = dataSource.createQueryRunner();
  try {
    await runner.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
    // On the runner's own connection: the embedded engine has no other.
    const executor = new MigrationExecutor(dataSource, runner);
    executor.transaction = 'each';
    await executor.executePendingMigrations();
  } finally {
    await runner.query('SELECT pg_advisory_unlock($1)', [MIGRATION_LOCK]);
    await runner.release();
  }
}

async function openServer(
  settings: Extract<DatabaseSettings, { kind: 'server' }>,
): Promise<OpenDatabase> {
  try {
    const dataSource = await createDataSource(settings).initialize();
    return { dataSource, close: () => dataSource.destroy() };
  } catch (error) {
    throw new DatabaseUnavailableError(`DATABASE_URL: cannot connect: ${reasonOf(error)}`);
  }
}

/** Without the address, which may hold a password. */
function reasonOf(error: unknown): string {
  const { message, code } = error as Error & { code?: string };
  return message || (code ?? 'unknown error');
}

async function openEmbedded(
  settings: Extract<DatabaseSettings, { kind: 'embedded' }>,
): Promise<OpenDatabase> {
  const logger = new Logger('EmbeddedDatabase');
  const embedded = await openEmbeddedDatabase({
    ...settings,
    onLost: (error) => logger.error(`${error.message}; the database restarts`),
  });
  try {
    const dataSource = await createDataSource(settings, embedded).initialize();
    const stopMaintenance = startMaintenance((sql) => dataSource.query(sql));
    return {
      dataSource,
      close: async () => {
        stopMaintenance();
        await dataSource.destroy();
        await embedded.close();
      },
    };
  } catch (error) {
    await embedded.close();
    throw error;
  }
}
