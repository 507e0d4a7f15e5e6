import pg from 'pg';
import { IN_MEMORY_DATA_DIR } from '#embedded-postgres';
import type { DatabaseSettings } from './settings.js';

/** Where the data is: host and name of a database, or a folder; never with user or password. */
export function databaseLocation(database: DatabaseSettings): string {
  if (database.kind === 'server') {
    const { host, port, database: name } = new pg.Client({ connectionString: database.url });
    return `PostgreSQL at ${host}:${port}/${name ?? ''}`;
  }
  return database.dataDir === IN_MEMORY_DATA_DIR
    ? 'in memory, lost when the service stops'
    : database.dataDir;
}
