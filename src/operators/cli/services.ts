import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { hasEmbeddedDatabase } from '#embedded-postgres';
import { loadCommandSettings } from '../../platform/config/command-settings.js';
import {
  IN_MEMORY_DATA_DIR,
  type DatabaseSettings,
  type Settings,
} from '../../platform/config/settings.js';
import { createLogger } from '../../platform/logging/service-logger.js';
import { CliModule } from './cli.module.js';
import { CommandError } from './command-error.js';

let loaded: Settings | undefined;

/**
 * The settings of this command; the first call prints to stderr which database they name.
 *
 * @throws SettingsError
 */
export const commandSettings = (): Settings => (loaded ??= loadCommandSettings(console.error));

/**
 * Runs a callback with the providers of the service and the database of its settings, then closes
 * them.
 *
 * @throws CommandError when the embedded database does not exist, unless `mayCreate` is set
 */
export async function withServices<Result>(
  work: (services: INestApplicationContext) => Promise<Result>,
  { mayCreate = false }: { mayCreate?: boolean } = {},
): Promise<Result> {
  const settings = commandSettings();
  if (!mayCreate) assertDatabaseExists(settings.database);
  const services = await NestFactory.createApplicationContext(CliModule.register(settings), {
    // Errors go to stderr; stdout has only the output of the command.
    logger: createLogger('text', 'error'),
    abortOnError: false,
  });
  try {
    return await work(services);
  } finally {
    await services.close();
  }
}

/** Prevents that a misspelt folder is treated as an empty database. */
function assertDatabaseExists(database: DatabaseSettings): void {
  if (database.kind === 'server' || database.dataDir === IN_MEMORY_DATA_DIR) return;
  if (!hasEmbeddedDatabase(database.dataDir)) {
    throw new CommandError(
      `No database in ${database.dataDir}; set DATA_DIR or DATABASE_URL as for the service`,
    );
  }
}
