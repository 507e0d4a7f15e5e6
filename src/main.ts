import { Logger } from '@nestjs/common';
import type { AddressInfo } from 'node:net';
import { API_PREFIX, createApplication } from './application.js';
import { readEnvFile } from './config/env-file.js';
import { IN_MEMORY, loadSettings, SettingsError, type Settings } from './config/settings.js';
import { FolderInUseError } from './database/embedded/folder-lock.js';
import { DatabaseUnavailableError } from './database/open-database.js';
import { DOCS_PATH } from './docs/openapi.js';

async function main(): Promise<void> {
  readEnvFile();
  const settings = loadSettings(process.env);
  const app = await createApplication(settings);
  app.enableShutdownHooks(['SIGTERM', 'SIGINT'], { useProcessExit: true });
  await app.listen(settings.port, settings.host);

  const { port } = app.getHttpServer().address() as AddressInfo;
  const isEveryAddress = ['0.0.0.0', '::'].includes(settings.host);
  const origin = `http://${isEveryAddress ? 'localhost' : settings.host}:${port}`;
  const logger = new Logger('Service');
  logger.log(`API   ${origin}/${API_PREFIX}`);
  logger.log(`Docs  ${origin}/${DOCS_PATH}`);
  logger.log(`Data  ${whereTheDataIs(settings)}`);
}

function whereTheDataIs({ database }: Settings): string {
  if (database.kind === 'server') {
    const { host, pathname } = new URL(database.url);
    return `PostgreSQL at ${host}${pathname}`;
  }
  return database.dataDir === IN_MEMORY ? 'in memory, gone at the end' : database.dataDir;
}

const EXPECTED = [SettingsError, FolderInUseError, DatabaseUnavailableError];

/** What an operator can mend is said in a sentence; anything else with its stack. */
function explain(error: unknown): unknown {
  if (EXPECTED.some((expected) => error instanceof expected)) return (error as Error).message;
  const { code, port, syscall, path } = error as NodeJS.ErrnoException & { port?: number };
  if (code === 'EADDRINUSE') return `Port ${String(port)} is in use; set PORT to another one`;
  if (syscall === 'getaddrinfo') return `HOST: ${(error as Error).message}`;
  if (syscall === 'mkdir') return `DATA_DIR: ${String(path)} cannot be made (${String(code)})`;
  return error;
}

main().catch((error: unknown) => {
  console.error(explain(error));
  process.exit(1);
});
