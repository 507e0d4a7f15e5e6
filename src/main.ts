import { Logger } from '@nestjs/common';
import { API_PREFIX, createApplication } from './application.js';
import { readEnvFile } from './config/env-file.js';
import { IN_MEMORY, loadSettings, SettingsError, type Settings } from './config/settings.js';
import { FolderInUseError } from './database/embedded/folder-lock.js';
import { DOCS_PATH } from './docs.js';

async function main(): Promise<void> {
  readEnvFile();
  const settings = loadSettings(process.env);
  const app = await createApplication(settings);
  app.enableShutdownHooks();
  await app.listen(settings.port, settings.host);

  const { port } = app.getHttpServer().address() as { port: number };
  const origin = `http://${['0.0.0.0', '::'].includes(settings.host) ? 'localhost' : settings.host}:${port}`;
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

main().catch((error: unknown) => {
  const isExpected = error instanceof SettingsError || error instanceof FolderInUseError;
  console.error(isExpected ? error.message : error);
  process.exit(1);
});
