import { randomBytes } from 'node:crypto';
import { databaseLocation } from './database-location.js';
import { readEnvFile } from './env-file.js';
import { misspeltSettings } from './misspelt-settings.js';
import { loadSettings, type Settings } from './settings.js';

/**
 * The settings of the service for a CLI command. A command signs no tokens, so it neither needs nor
 * creates an AUTH_SECRET; it counts no requests, so it does not connect to Redis; it fails at once
 * when the server is unavailable, because an operator is waiting; its statements have no timeout,
 * because they may read or write all data; and it accepts a read-only server such as a standby.
 *
 * @param print called with a line that says which database it is, then for each variable that looks
 *   like a misspelt setting
 * @throws SettingsError
 */
export function loadCommandSettings(print: (line: string) => void): Settings {
  readEnvFile();
  const unusedSecret = randomBytes(32).toString('base64url');
  const settings = {
    ...loadSettings({ ...process.env, AUTH_SECRET: unusedSecret, AUTH_SECRET_FILE: '' }),
    redisUrl: undefined,
  };
  print(`Database: ${databaseLocation(settings.database)}`);
  misspeltSettings(process.env).forEach((warning) => print(warning));
  const { database } = settings;
  if (database.kind === 'embedded') return settings;
  return {
    ...settings,
    database: { ...database, waitSeconds: 0, statementTimeoutMs: 0, acceptsReadOnly: true },
  };
}
