import { Logger } from '@nestjs/common';
import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { AggregatorRegistry } from 'prom-client';
import type { Settings } from './config/settings.js';
import type { Metrics } from './observability/metrics.js';
import { createLogger } from './observability/service-logger.js';
import { announce, serveMetrics } from './serve.js';

const PAUSE_BEFORE_RESTART_MS = 1000;

/**
 * Runs the service in as many processes as the settings say, on one port. One that dies is replaced,
 * unless none has ever served: then the start has failed.
 *
 * @returns how to end them all
 */
export async function startWorkers(settings: Settings): Promise<() => Promise<void>> {
  Logger.overrideLogger(createLogger(settings.logFormat, settings.logLevel));
  const logger = new Logger('Workers');
  // A secret that was made must be the same for all.
  const environment = { AUTH_SECRET: settings.authSecret };
  let isStopping = false;
  let hasServed = false;

  const start = (): Worker => {
    const worker = cluster.fork(environment);
    worker.once('exit', (code, signal) => {
      if (isStopping) return;
      if (!hasServed) process.exit(1);
      logger.error(
        `Worker ${String(worker.process.pid)} ended with ${signal || code}; replacing it`,
      );
      void setTimeout(PAUSE_BEFORE_RESTART_MS).then(() => {
        if (!isStopping) start();
      });
    });
    return worker;
  };
  const workers = Array.from({ length: settings.workers }, start);
  await Promise.all(
    workers.map(async (worker) => {
      const [address] = (await once(worker, 'listening')) as [{ port: number }];
      if (!hasServed) announce(settings, address.port);
      hasServed = true;
    }),
  );
  logger.log(`${settings.workers} workers serve`);

  const registry = new AggregatorRegistry();
  const closeMetrics = await serveMetrics(settings, {
    contentType: registry.contentType,
    metrics: () => registry.clusterMetrics(),
  });

  return async () => {
    isStopping = true;
    const running = Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);
    await Promise.all(
      running.map(async (worker) => {
        const exit = once(worker, 'exit');
        worker.process.kill('SIGTERM');
        await exit;
      }),
    );
    closeMetrics();
  };
}

/** In a worker: lets the primary collect its metrics. */
export function answerPrimary({ registry }: Metrics): void {
  // Made for its listener.
  new AggregatorRegistry();
  AggregatorRegistry.setRegistries([registry]);
}
