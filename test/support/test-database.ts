import { randomUUID } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import {
  IN_MEMORY_DATA_DIR,
  loadSettings,
  type DatabaseSettings,
} from '../../src/platform/config/settings.js';

export const TEST_SECRET = 'a secret for tests, 32 characters or more';

export interface TestDatabase {
  settings: DatabaseSettings;
  drop: () => Promise<void>;
}

/** The default settings for a database at a URL. */
export function serverSettings(url: string): DatabaseSettings {
  return loadSettings({ DATABASE_URL: url, AUTH_SECRET: TEST_SECRET }).database;
}

/** Creates a migrated database on the server of TEST_DATABASE_URL or on the embedded engine. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const serverUrl = process.env.TEST_DATABASE_URL;
  if (!serverUrl) {
    return {
      settings: {
        kind: 'embedded',
        dataDir: IN_MEMORY_DATA_DIR,
        snapshotFile: process.env.TEST_SNAPSHOT,
      },
      drop: () => Promise.resolve(),
    };
  }
  return createDatabase(serverUrl, `TEMPLATE ${process.env.TEST_TEMPLATE ?? ''}`);
}

/** Creates a database without tables, on the same engine, that can be opened more than once. */
export async function createEmptyDatabase(): Promise<TestDatabase> {
  const serverUrl = process.env.TEST_DATABASE_URL;
  if (!serverUrl) {
    const folder = mkdtempSync(join(tmpdir(), 'empty-database-'));
    return {
      settings: { kind: 'embedded', dataDir: join(folder, 'data') },
      drop: async () => rm(folder, { recursive: true }),
    };
  }
  return createDatabase(serverUrl, '');
}

async function createDatabase(serverUrl: string, options: string): Promise<TestDatabase> {
  const name = `expense_test_${randomUUID().replaceAll('-', '')}`;
  await onServer(serverUrl, `CREATE DATABASE ${name} ${options}`);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return {
    settings: serverSettings(url.href),
    drop: () => onServer(serverUrl, `DROP DATABASE ${name} WITH (FORCE)`),
  };
}

async function onServer(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
