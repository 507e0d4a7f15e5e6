import { Logger } from '@nestjs/common';
import { setTimeout } from 'node:timers/promises';
import type { Pool } from 'pg';
import { MigrationExecutor, type DataSource } from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';
import { isServerAway } from '../common/errors/database-failure.js';
import type { DatabaseSettings, EmbeddedSettings, ServerSettings } from '../config/settings.js';
import { createDataSource } from './data-source.js';
import { openEmbeddedDatabase } from './embedded/embedded-database.js';
import { EngineLostError } from './embedded/engine.js';
import { startMaintenance } from './embedded/maintenance.js';

export interface OpenDatabase {
  dataSource: DataSource;
  pool: Pool;
  close: () => Promise<void>;
}

/** The server of the settings cannot be reached, or refuses; the embedded database does not start. */
export class DatabaseUnavailableError extends Error {}

const RETRY_AFTER_MS = 1000;

/** Any number, the same in every process of the service. */
export const MIGRATION_LOCK = 7_264_001;

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
    // Waiting for another process that migrates, and migrating much data, take as long as they take.
    await runner.query('SET statement_timeout = 0; SET lock_timeout = 0');
    await runner.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
    // On the runner's own connection: the embedded engine has no other.
    const executor = new MigrationExecutor(dataSource, runner);
    executor.transaction = 'each';
    await executor.executePendingMigrations();
  } finally {
    await runner.query('SELECT pg_advisory_unlock($1)', [MIGRATION_LOCK]);
    await runner.query('RESET statement_timeout; RESET lock_timeout');
    await runner.release();
  }
}

/** Waits for a server that is not there yet, as when all of a system starts at once. */
async function openServer(settings: ServerSettings): Promise<OpenDatabase> {
  const logger = new Logger('Database');
  const deadline = performance.now() + settings.waitSeconds * 1000;
  for (;;) {
    try {
      const dataSource = await createDataSource(settings).initialize();
      return { dataSource, pool: poolOf(dataSource), close: () => dataSource.destroy() };
    } catch (error) {
      const isOver = performance.now() + RETRY_AFTER_MS > deadline;
      if (isOver || !isServerAway(error)) {
        throw new DatabaseUnavailableError(`DATABASE_URL: cannot connect: ${reasonOf(error)}`);
      }
      logger.warn(`PostgreSQL does not answer yet (${reasonOf(error)}); trying again`);
      await setTimeout(RETRY_AFTER_MS);
    }
  }
}

/** The connections of the driver. */
const poolOf = ({ driver }: DataSource): Pool => (driver as PostgresDriver).master as Pool;

/** Without the address, which may hold a password. */
function reasonOf(error: unknown): string {
  const { message, code } = error as Error & { code?: string };
  return message || (code ?? 'unknown error');
}

async function openEmbedded(settings: EmbeddedSettings): Promise<OpenDatabase> {
  const logger = new Logger('EmbeddedDatabase');
  const embedded = await openEmbeddedDatabase({
    ...settings,
    onLost: (error) => logger.error(`${error.message}; the database restarts`),
  }).catch((error: unknown) => {
    if (!(error instanceof EngineLostError)) throw error;
    throw new DatabaseUnavailableError(`DATA_DIR ${settings.dataDir}: ${error.message}`);
  });
  try {
    const dataSource = await createDataSource(settings, embedded).initialize();
    const stopMaintenance = startMaintenance((sql) => dataSource.query(sql));
    return {
      dataSource,
      pool: poolOf(dataSource),
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
