import { Logger } from '@nestjs/common';
import { setTimeout } from 'node:timers/promises';
import type { Pool } from 'pg';
import { MigrationExecutor, QueryFailedError, type DataSource, type QueryRunner } from 'typeorm';
import {
  EngineLostError,
  memoryWarning,
  openEmbeddedDatabase,
  RESTORE_ADVICE,
  startMaintenance,
} from '#embedded-postgres';
import { checkServer, UnsuitableServerError } from '#postgres';
import type { DatabaseSettings, EmbeddedSettings, ServerSettings } from '../config/settings.js';
import {
  isReadOnly,
  isConnectionRejected,
  isServerUnavailable,
} from '../errors/database-failure.js';
import { OperatorError } from '../errors/domain-error.js';
import { clientConfig, createDataSource, poolOf, type Tables } from './data-source.js';
import { emptyClusterArchive } from './empty-cluster-archive.js';

export interface OpenDatabase {
  dataSource: DataSource;
  pool: Pool;
  /** Whether statements only wait for others; a server runs them at the same time. */
  isBusy: () => boolean;
  close: () => Promise<void>;
}

/** The server is unreachable or rejects the connection, or the embedded database does not start. */
class DatabaseUnavailableError extends OperatorError {}

const RETRY_INTERVAL_MS = 1000;
const MIGRATION_LOCK_INTERVAL_MS = 100;
const MIGRATION_LOCK_QUIET_ATTEMPTS = 20;

/** The key of the advisory lock on migrations: an arbitrary number, the same in every process. */
export const MIGRATION_LOCK = 7_264_001;

/** Connects to the database of the settings and migrates its schema. */
export const openDatabase = async (
  settings: DatabaseSettings,
  schema: Tables,
): Promise<OpenDatabase> =>
  settings.kind === 'server'
    ? openServer(settings, schema)
    : openEmbedded(settings, schema)
        .then(migrateOrClose)
        .catch((error: unknown) => {
          throw unusable(settings, error);
        });

async function migrateOrClose(opened: OpenDatabase): Promise<OpenDatabase> {
  try {
    await migrate(opened.dataSource);
    return opened;
  } catch (error) {
    await opened.close();
    throw error;
  }
}

/** Runs pending migrations; an advisory lock makes other processes wait. */
async function migrate(dataSource: DataSource): Promise<void> {
  const runner = dataSource.createQueryRunner();
  const setTimeouts = (...values: string[]): Promise<unknown> =>
    runner.query(
      `SELECT set_config('statement_timeout', $1, false), set_config('lock_timeout', $2, false)`,
      values,
    );
  try {
    const [before] = (await runner.query(
      `SELECT current_setting('statement_timeout') AS statement, current_setting('lock_timeout') AS lock`,
    )) as [{ statement: string; lock: string }];
    // Waiting for another process and migrating large tables may exceed the timeouts.
    await setTimeouts('0', '0');
    await waitForMigrationLock(runner);
    // The runner's own connection is used: the embedded engine has no other.
    const executor = new MigrationExecutor(dataSource, runner);
    executor.transaction = 'each';
    const { length: count } = await executor.getPendingMigrations();
    if (count > 0) await runMigrations(executor, count);
    await runner.query('SELECT pg_advisory_unlock($1)', [MIGRATION_LOCK]);
    // Not RESET, which would restore the server's defaults: the pool reuses this connection for
    // requests.
    await setTimeouts(before.statement, before.lock);
  } finally {
    await runner.release();
  }
}

/** Tells the operator that the service does not respond yet, because large tables take minutes. */
async function runMigrations(executor: MigrationExecutor, count: number): Promise<void> {
  const logger = new Logger('Database');
  const migrations = count === 1 ? '1 migration' : `${count} migrations`;
  logger.log(`Running ${migrations}; the service starts after that`);
  const start = performance.now();
  await executor.executePendingMigrations();
  logger.log(`Ran ${migrations} in ${((performance.now() - start) / 1000).toFixed(1)} s`);
}

/**
 * Polls, because CREATE INDEX CONCURRENTLY in another process would wait for a statement that waits
 * for the lock.
 */
async function waitForMigrationLock(runner: QueryRunner): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    const [lock] = (await runner.query('SELECT pg_try_advisory_lock($1) AS acquired', [
      MIGRATION_LOCK,
    ])) as [{ acquired: boolean }];
    if (lock.acquired) return;
    // Others that only look for migrations have it for a moment.
    if (attempt === MIGRATION_LOCK_QUIET_ATTEMPTS) {
      new Logger('Database').log('Waiting for the migrations that another process runs');
    }
    await setTimeout(MIGRATION_LOCK_INTERVAL_MS);
  }
}

/**
 * Waits for a server that is not available yet or still a standby, as when all containers start
 * together.
 */
async function openServer(settings: ServerSettings, schema: Tables): Promise<OpenDatabase> {
  const logger = new Logger('Database');
  const deadline = performance.now() + settings.waitSeconds * 1000;
  for (;;) {
    try {
      return await connect(settings, schema);
    } catch (error) {
      const isDeadlineOver = performance.now() + RETRY_INTERVAL_MS > deadline;
      const isTemporary =
        (isServerUnavailable(error) || isReadOnly(error)) && !isConnectionRejected(error);
      if (isDeadlineOver || !isTemporary) throw unavailable(error);
      logger.warn(`PostgreSQL is not available yet (${reasonOf(error)}); retrying`);
      await setTimeout(RETRY_INTERVAL_MS);
    }
  }
}

async function connect(settings: ServerSettings, schema: Tables): Promise<OpenDatabase> {
  await checkServer(clientConfig(settings), settings);
  const dataSource = await createDataSource(settings, schema).initialize();
  return migrateOrClose({
    dataSource,
    pool: poolOf(dataSource),
    isBusy: () => false,
    close: () => dataSource.destroy(),
  });
}

/** What the operator is told of a server that cannot be used, without its password. */
export function unavailable(error: unknown): DatabaseUnavailableError {
  const problem = (): string => {
    if (error instanceof UnsuitableServerError) return 'cannot be used';
    return error instanceof QueryFailedError && !isServerUnavailable(error)
      ? 'cannot be migrated'
      : 'cannot connect';
  };
  return new DatabaseUnavailableError(`DATABASE_URL: ${problem()}: ${reasonOf(error)}`);
}

/** The error message, without the URL, which may contain a password. */
function reasonOf(error: unknown): string {
  const { message, code } = error as Error & { code?: string };
  return message || (code ?? 'unknown error');
}

/** What the engine reports of a database that it cannot start or read; other errors as they are. */
function unusable({ dataDir }: EmbeddedSettings, error: unknown): unknown {
  if (!(error instanceof EngineLostError || error instanceof QueryFailedError)) return error;
  const reason = reasonOf(error);
  const advice = /no space left/i.test(reason) ? '' : `; if it is damaged, ${RESTORE_ADVICE}`;
  const problem = error instanceof QueryFailedError ? 'the database cannot be read: ' : '';
  return new DatabaseUnavailableError(`DATA_DIR ${dataDir}: ${problem}${reason}${advice}`);
}

async function openEmbedded(settings: EmbeddedSettings, schema: Tables): Promise<OpenDatabase> {
  const logger = new Logger('EmbeddedDatabase');
  const warning = memoryWarning();
  if (warning !== undefined) logger.warn(warning);
  const embedded = await openEmbeddedDatabase({
    ...settings,
    emptyCluster: emptyClusterArchive(),
    onLost: (error) => logger.error(`${error.message}; the database restarts`),
  });
  try {
    const dataSource = await createDataSource(settings, schema, embedded).initialize();
    const stopMaintenance = startMaintenance((sql) => dataSource.query(sql));
    return {
      dataSource,
      pool: poolOf(dataSource),
      isBusy: () => embedded.isBusy(),
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
