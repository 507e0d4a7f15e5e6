/** What a process does before it loads the application, and how it ends when it cannot start. */
import { Logger } from '@nestjs/common';
import { hasEmbeddedDatabase } from '#embedded-postgres';
import { readEnvFile } from '../config/env-file.js';
import { misspeltSettings } from '../config/misspelt-settings.js';
import { IN_MEMORY_DATA_DIR, loadSettings, type Settings } from '../config/settings.js';
import { operatorMessage } from '../errors/operator-message.js';
import { assertTemporaryFiles } from '../files/temporary-file.js';
import { createLogger } from '../logging/service-logger.js';
import { assertPortsAreFree, explainPort } from './ports.js';

const NEXT_STEP = 'Next  the tour in README.md, or stop this and `npm run sandbox` for sample data';

/** @throws SettingsError */
export function readSettings(): Settings {
  readEnvFile();
  return loadSettings(process.env);
}

/**
 * Checks what the settings alone do not tell, and warns of variables that look like misspelt ones.
 *
 * @throws OperatorError
 */
export async function assertCanStart(settings: Settings): Promise<void> {
  const logger = createLogger(settings.logFormat, settings.logLevel);
  Logger.overrideLogger(logger);
  await assertPortsAreFree(settings);
  await assertTemporaryFiles();
  for (const warning of misspeltSettings(process.env)) logger.warn(warning, 'Settings');
}

/** The data folder does not exist yet, and a person reads the log. */
export const isFirstStart = ({ database, logFormat }: Settings): boolean =>
  logFormat === 'text' &&
  database.kind === 'embedded' &&
  database.dataDir !== IN_MEMORY_DATA_DIR &&
  !hasEmbeddedDatabase(database.dataDir);

export function logNextStep(): void {
  new Logger('Service').log(NEXT_STEP);
}

/** Ends a process that cannot start. */
export function exitWithError(error: unknown): never {
  console.error(explain(error));
  process.exit(1);
}

/** One line for a problem that the operator can solve; any other error keeps its stack. */
function explain(error: unknown): unknown {
  const message = operatorMessage(explainPort('PORT', error));
  if (message !== undefined) return message;
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (syscall === 'getaddrinfo' || code === 'EADDRNOTAVAIL') {
    return `HOST: ${(error as Error).message}`;
  }
  if (code === 'ENOSPC') return 'DATA_DIR: no space left on the device';
  return error;
}
