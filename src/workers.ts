import { Logger } from '@nestjs/common';
import cluster from 'node:cluster';
import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { AggregatorRegistry } from 'prom-client';
import type { Settings } from './config/settings.js';
import type { Metrics } from './observability/metrics.js';
import { createLogger } from './observability/service-logger.js';
import { announce, serveMetrics } from './serve.js';

const PAUSE_BEFORE_RESTART_MS = 1000;

/** A worker ended before any of them served; it has said why. */
export class WorkersFailedError extends Error {}

/**
 * Runs the service in as many processes as the settings say, on one port. One that dies is replaced,
 * unless none has ever served: then the start has failed.
 */
export class Workers {
  private readonly logger = new Logger('Workers');
  private isStopping = false;
  private listening = 0;
  private closeMetrics = (): void => undefined;

  constructor(private readonly settings: Settings) {
    Logger.overrideLogger(createLogger(settings.logFormat, settings.logLevel));
  }

  /**
   * Waits until the first one serves.
   *
   * @throws WorkersFailedError
   */
  async start(): Promise<void> {
    const registry = new AggregatorRegistry();
    this.closeMetrics = await serveMetrics(this.settings, {
      contentType: registry.contentType,
      metrics: () => registry.clusterMetrics(),
    });
    await new Promise<void>((resolve, reject) => {
      cluster.on('listening', (_worker, { port }) => {
        this.listening += 1;
        if (this.listening === 1) announce(this.settings, port);
        if (this.listening === this.settings.workers) {
          this.logger.log(`${this.settings.workers} workers serve`);
        }
        resolve();
      });
      cluster.on('exit', ({ process: { pid } }, code, signal) => {
        const ending = `Worker ${String(pid)} ended with ${signal || code}`;
        if (this.isStopping) return;
        if (this.listening > 0) void this.replace(ending);
        else this.stop().then(() => reject(new WorkersFailedError(ending)), reject);
      });
      for (let n = 0; n < this.settings.workers; n += 1) this.fork();
    });
  }

  async stop(): Promise<void> {
    this.isStopping = true;
    const running = Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);
    await Promise.all(
      running.map(async (worker) => {
        const exit = once(worker, 'exit');
        worker.process.kill('SIGTERM');
        await exit;
      }),
    );
    this.closeMetrics();
  }

  private fork(): void {
    // A secret that was made must be the same for all.
    cluster.fork({ AUTH_SECRET: this.settings.authSecret });
  }

  private async replace(ending: string): Promise<void> {
    this.logger.error(`${ending}; replacing it`);
    await setTimeout(PAUSE_BEFORE_RESTART_MS);
    if (!this.isStopping) this.fork();
  }
}

/** In a worker: lets the primary collect its metrics. */
export function answerPrimary({ registry }: Metrics): void {
  // Made for its listener.
  new AggregatorRegistry();
  AggregatorRegistry.setRegistries([registry]);
}
