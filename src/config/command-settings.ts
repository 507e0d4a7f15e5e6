import { randomBytes } from 'node:crypto';
import { readEnvFile } from './env-file.js';
import { loadSettings, type Settings } from './settings.js';

/**
 * The service's own settings, for an operator's command. It signs nothing, so it needs no AUTH_SECRET and
 * makes none; somebody waits for its answer, so it does not wait for a server that is not there; and its
 * statements may take long, for they read or write everything.
 *
 * @throws SettingsError
 */
export function loadCommandSettings(): Settings {
  readEnvFile();
  const unused = randomBytes(32).toString('base64url');
  const settings = loadSettings({ ...process.env, AUTH_SECRET: unused });
  const { database } = settings;
  if (database.kind === 'embedded') return settings;
  return { ...settings, database: { ...database, waitSeconds: 0, statementTimeoutMs: 0 } };
}
