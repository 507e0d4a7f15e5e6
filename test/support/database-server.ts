import pg from 'pg';
import { loadSettings, type DatabaseSettings } from '../../src/platform/config/settings.js';

export const TEST_SECRET = 'a secret for tests, 32 characters or more';

export interface TestDatabase {
  settings: DatabaseSettings;
  drop: () => Promise<void>;
}

/** The default settings for a database at a URL. */
export function serverSettings(url: string): DatabaseSettings {
  return loadSettings({ DATABASE_URL: url, AUTH_SECRET: TEST_SECRET }).database;
}

export function urlOfDatabase(serverUrl: string, name: string): string {
  return Object.assign(new URL(serverUrl), { pathname: `/${name}` }).href;
}

export async function onServer(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
