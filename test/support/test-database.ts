import { describe, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { cpSync, existsSync, mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { IN_MEMORY_DATA_DIR } from '../../src/platform/config/settings.js';
import { onServer, serverSettings, urlOfDatabase, type TestDatabase } from './database-server.js';
import { createCitusDatabase, distribute, type CitusDatabase } from './distributed-database.js';

/** The server of the tests; undefined: the embedded engine. */
const SERVER_URL = process.env.TEST_DATABASE_URL;
/** URLs of the workers, separated by commas, if the server is a Citus coordinator. */
const CITUS_WORKERS = process.env.TEST_CITUS_WORKERS;

/** Whether the tables of the tests are distributed. */
export const isDistributed = Boolean(CITUS_WORKERS);

/**
 * Not supported by Citus: triggers on tables, generic plans, and reverted migrations of distributed
 * tables.
 */
export const describeOnOneServer = isDistributed ? describe.skip : describe;
export const itOnOneServer = isDistributed ? it.skip : it;

/** Creates a migrated database on the server of TEST_DATABASE_URL or on the embedded engine. */
export async function createTestDatabase(): Promise<TestDatabase> {
  if (!SERVER_URL) {
    return {
      settings: {
        kind: 'embedded',
        dataDir: IN_MEMORY_DATA_DIR,
        snapshotFile: process.env.TEST_SNAPSHOT,
      },
      drop: () => Promise.resolve(),
    };
  }
  if (isDistributed) {
    const { url, drop } = await createDistributedDatabase();
    return { settings: serverSettings(url), drop };
  }
  return createDatabase(SERVER_URL, `TEMPLATE ${process.env.TEST_TEMPLATE ?? ''}`);
}

/**
 * Copies a migrated database into a data folder that has none, because creating one takes seconds.
 *
 * @returns whether the folder has a database: there is none to copy in tests on a server
 */
export function copyDatabaseInto(dataDir: string): boolean {
  const { TEST_DATA_DIR } = process.env;
  const cluster = join(dataDir, 'pgdata');
  if (existsSync(cluster)) return true;
  if (!TEST_DATA_DIR) return false;
  cpSync(join(TEST_DATA_DIR, 'pgdata'), cluster, { recursive: true });
  return true;
}

/** Creates a database without tables, on the same engine, that can be opened more than once. */
export async function createEmptyDatabase(): Promise<TestDatabase> {
  if (!SERVER_URL) {
    const folder = mkdtempSync(join(tmpdir(), 'empty-database-'));
    return {
      settings: { kind: 'embedded', dataDir: join(folder, 'data') },
      drop: async () => rm(folder, { recursive: true }),
    };
  }
  if (isDistributed) {
    const { url, drop } = await createEmptyCitusDatabase();
    return { settings: serverSettings(url), drop };
  }
  return createDatabase(SERVER_URL, '');
}

/** Creates a migrated database whose tables are distributed over the workers. */
export async function createDistributedDatabase(): Promise<CitusDatabase> {
  const database = await createEmptyCitusDatabase();
  await distribute(database.url);
  return database;
}

const createEmptyCitusDatabase = (): Promise<CitusDatabase> =>
  createCitusDatabase(SERVER_URL ?? '', CITUS_WORKERS?.split(',') ?? []);

async function createDatabase(serverUrl: string, options: string): Promise<TestDatabase> {
  const name = `expense_test_${randomUUID().replaceAll('-', '')}`;
  await onServer(serverUrl, `CREATE DATABASE ${name} ${options}`);
  return {
    settings: serverSettings(urlOfDatabase(serverUrl, name)),
    drop: () => onServer(serverUrl, `DROP DATABASE ${name} WITH (FORCE)`),
  };
}
