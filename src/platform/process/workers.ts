/** The primary process of several workers. */
import { Logger } from '@nestjs/common';
import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { AggregatorRegistry } from 'prom-client';
import { onShutdown } from '#http-host/signals';
import type { Settings } from '../config/settings.js';
import { OperatorError } from '../errors/domain-error.js';
import { completesWithin } from './completes-within.js';
import { logAddresses, serveMetrics } from './serve.js';
import { maxShutdownMs, stopMessage } from './shutdown.js';

const RESTART_DELAY_MS = 1000;

/** A worker that is still running this long after the end of its shutdown is killed. */
const KILL_DELAY_MS = 1000;

/** A worker ended before any worker was listening; the worker has reported the reason. */
class WorkersFailedError extends OperatorError {}

/**
 * Runs the service in several processes until a signal, and waits until the first one is listening.
 *
 * @throws WorkersFailedError
 */
export async function startWorkers(settings: Settings): Promise<void> {
  const workers = new Workers(settings);
  onShutdown((signal) => {
    new Logger('Service').log(stopMessage(signal));
    return workers.stop();
  });
  await workers.start();
}

/**
 * Several processes on one port. A worker that ends is replaced, unless no worker was ever listening:
 * then the start has failed.
 */
class Workers {
  private readonly logger = new Logger('Workers');
  private isStopping = false;
  private listening = 0;
  private closeMetrics = (): void => undefined;

  constructor(private readonly settings: Settings) {}

  async start(): Promise<void> {
    const registry = new AggregatorRegistry();
    this.closeMetrics = await serveMetrics(this.settings, {
      contentType: registry.contentType,
      metrics: () => registry.clusterMetrics(),
    });
    await new Promise<void>((resolve, reject) => {
      cluster.on('listening', (_worker, { port }) => {
        this.listening += 1;
        if (this.listening === 1) logAddresses(this.settings, port);
        if (this.listening === this.settings.workers) {
          this.logger.log(`${this.settings.workers} workers are listening`);
        }
        resolve();
      });
      cluster.on('exit', ({ process: { pid } }, code, signal) => {
        const reason = `Worker ${String(pid)} ended with ${signal || code}`;
        if (this.isStopping) return;
        if (this.listening > 0) void this.replace(reason);
        else this.stop().then(() => reject(new WorkersFailedError(reason)), reject);
      });
      for (let n = 0; n < this.settings.workers; n += 1) this.fork();
    });
  }

  async stop(): Promise<void> {
    this.isStopping = true;
    const running = Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);
    await Promise.all(running.map((worker) => this.end(worker)));
    this.closeMetrics();
  }

  /** A worker whose event loop is blocked does not handle the signal. */
  private async end(worker: Worker): Promise<void> {
    const exit = once(worker, 'exit');
    worker.process.kill('SIGTERM');
    const limit = maxShutdownMs(this.settings) + KILL_DELAY_MS;
    if (await completesWithin(exit, limit)) return;
    this.logger.warn(`Worker ${String(worker.process.pid)} does not end; killing it`);
    worker.process.kill('SIGKILL');
    await exit;
  }

  private fork(): void {
    // A generated secret must be the same in all workers.
    cluster.fork({ AUTH_SECRET: this.settings.authSecret, AUTH_SECRET_FILE: '' });
  }

  private async replace(reason: string): Promise<void> {
    this.logger.error(`${reason}; replacing it`);
    await setTimeout(RESTART_DELAY_MS);
    if (!this.isStopping) this.fork();
  }
}
