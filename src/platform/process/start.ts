/**
 * Decides from the settings whether this process serves, or starts workers that do; a worker starts
 * here, too.
 */
import { Logger } from '@nestjs/common';
import cluster from 'node:cluster';
import { onShutdown } from '#http-host/signals';
import { readEnvFile } from '../config/env-file.js';
import { misspeltSettings } from '../config/misspelt-settings.js';
import { loadSettings } from '../config/settings.js';
import { operatorMessage } from '../errors/operator-message.js';
import { assertTemporaryFiles } from '../files/temporary-file.js';
import { createLogger } from '../logging/service-logger.js';
import { assertPortsAreFree, explainPort } from './ports.js';
import {
  isFirstStart,
  logAddresses,
  serve,
  serveMetrics,
  stopMessage,
  type RunApplication,
} from './serve.js';
import { shareMetricsWithPrimary, Workers } from './workers.js';

const NEXT_STEP = 'Next  the tour in README.md, or stop this and `npm run sandbox` for sample data';

async function run(runApplication: RunApplication): Promise<void> {
  readEnvFile();
  const settings = loadSettings(process.env);
  if (cluster.isWorker) {
    const service = await serve(settings, runApplication);
    shareMetricsWithPrimary(service.metrics);
    onShutdown(service.stop);
    return;
  }
  const logger = createLogger(settings.logFormat, settings.logLevel);
  Logger.overrideLogger(logger);
  await assertPortsAreFree(settings);
  await assertTemporaryFiles();
  for (const warning of misspeltSettings(process.env)) logger.warn(warning, 'Settings');
  if (settings.workers > 1) {
    const workers = new Workers(settings);
    onShutdown((signal) => {
      logger.log(stopMessage(signal), 'Service');
      return workers.stop();
    });
    await workers.start();
  } else {
    const showsNextStep = isFirstStart(settings);
    const service = await serve(settings, runApplication);
    const closeMetrics = await serveMetrics(settings, service.metrics.registry);
    logAddresses(settings, service.port);
    if (showsNextStep) logger.log(NEXT_STEP, 'Service');
    onShutdown(async (signal) => {
      logger.log(stopMessage(signal), 'Service');
      await service.stop();
      closeMetrics();
    });
  }
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

/** Runs the service in this process, or in several workers that share the port. */
export async function start(runApplication: RunApplication): Promise<void> {
  try {
    await run(runApplication);
  } catch (error) {
    exitWithError(error);
  }
}

/** Ends a process that cannot start. */
export function exitWithError(error: unknown): never {
  console.error(explain(error));
  process.exit(1);
}
