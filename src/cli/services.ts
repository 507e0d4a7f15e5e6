import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { loadCommandSettings } from '../config/command-settings.js';
import { IN_MEMORY, type DatabaseSettings } from '../config/settings.js';
import { hasEmbeddedDatabase } from '../database/embedded/embedded-database.js';
import { createLogger } from '../observability/service-logger.js';
import { CliModule } from './cli.module.js';
import { CommandError } from './command-error.js';

/**
 * Runs the work with the services of the service, on the database of its settings, and closes it.
 *
 * @throws CommandError when the embedded database is not there yet and the command needs one
 */
export async function withServices<Result>(
  work: (services: INestApplicationContext) => Promise<Result>,
  { mayCreate = false }: { mayCreate?: boolean } = {},
): Promise<Result> {
  const settings = loadCommandSettings();
  if (!mayCreate) assertDatabase(settings.database);
  const services = await NestFactory.createApplicationContext(CliModule.register(settings), {
    // Errors go to the error output; the other one is for what the command prints.
    logger: createLogger('text', 'error'),
    abortOnError: false,
  });
  try {
    return await work(services);
  } finally {
    await services.close();
  }
}

/** A mistyped folder is not to pass for a database without users. */
function assertDatabase(database: DatabaseSettings): void {
  if (database.kind === 'server' || database.dataDir === IN_MEMORY) return;
  if (!hasEmbeddedDatabase(database.dataDir)) {
    throw new CommandError(
      `There is no database in ${database.dataDir}; set DATA_DIR or DATABASE_URL as for the service`,
    );
  }
}
