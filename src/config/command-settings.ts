import { randomBytes } from 'node:crypto';
import { readEnvFile } from './env-file.js';
import { loadSettings, type Settings } from './settings.js';

/**
 * The service's own settings, for an operator's command. A command signs nothing: it needs no
 * AUTH_SECRET, and makes none where the service has not been started yet.
 *
 * @throws SettingsError
 */
export function loadCommandSettings(): Settings {
  readEnvFile();
  return loadSettings({ ...process.env, AUTH_SECRET: randomBytes(32).toString('base64url') });
}
