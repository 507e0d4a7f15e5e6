import cluster from 'node:cluster';
import { readEnvFile } from './config/env-file.js';
import { loadSettings, SettingsError } from './config/settings.js';
import { FolderInUseError } from './database/embedded/folder-lock.js';
import { DatabaseUnavailableError } from './database/open-database.js';
import { stopWith } from './signals.js';
import { announce, serve, serveMetrics } from './serve.js';
import { answerPrimary, Workers, WorkersFailedError } from './workers.js';

async function main(): Promise<void> {
  readEnvFile();
  const settings = loadSettings(process.env);
  if (cluster.isWorker) {
    const serving = await serve(settings);
    answerPrimary(serving.metrics);
    stopWith(serving.stop);
  } else if (settings.workers > 1) {
    const workers = new Workers(settings);
    stopWith(() => workers.stop());
    await workers.start();
  } else {
    const serving = await serve(settings);
    const closeMetrics = await serveMetrics(settings, serving.metrics.registry);
    announce(settings, serving.port);
    stopWith(async () => {
      await serving.stop();
      closeMetrics();
    });
  }
}

const EXPECTED = [SettingsError, FolderInUseError, DatabaseUnavailableError, WorkersFailedError];

/** What an operator can mend is said in a sentence; anything else with its stack. */
function explain(error: unknown): unknown {
  if (EXPECTED.some((expected) => error instanceof expected)) return (error as Error).message;
  const { code, port, syscall, path } = error as NodeJS.ErrnoException & { port?: number };
  if (code === 'EADDRINUSE') return `Port ${String(port)} is in use; set PORT to another one`;
  if (syscall === 'getaddrinfo' || code === 'EADDRNOTAVAIL') {
    return `HOST: ${(error as Error).message}`;
  }
  if (code === 'ENOSPC') return 'DATA_DIR: no space left on the device';
  if (syscall === 'mkdir') return `DATA_DIR: ${String(path)} cannot be made (${String(code)})`;
  return error;
}

function fail(error: unknown): void {
  console.error(explain(error));
  process.exit(1);
}

main().catch(fail);
