/**
 * Serves in one process, from the application to the graceful shutdown: what a single process and
 * each worker share.
 */
import { Logger } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { hasEmbeddedDatabase } from '#embedded-postgres';
import { databaseLocation } from '../config/database-location.js';
import { IN_MEMORY_DATA_DIR, type Settings } from '../config/settings.js';
import { MAIL_SHUTDOWN_MS } from '../mail/mail-queue.js';
import { startMetricsServer } from '../metrics/metrics-server.js';
import { Metrics } from '../metrics/metrics.js';
import { API_PREFIX, DOCS_PATH } from '../openapi/openapi.js';
import { completesWithin } from './completes-within.js';
import { Lifecycle } from './lifecycle.js';
import { nodeVersionWarning } from './node-version.js';
import { explainPort } from './ports.js';

/** During shutdown, idle connections are closed at once. */
const SHUTDOWN_KEEP_ALIVE_TIMEOUT_MS = 1;

/** Maximum wait for a graceful close after requests and mails. */
const CLOSE_TIMEOUT_MS = 1000;

/** Maximum wait after the last request: for mails, and for the database to close. */
const maxCloseMs = ({ mail }: Settings): number => (mail ? MAIL_SHUTDOWN_MS : 0) + CLOSE_TIMEOUT_MS;

/** How long a shutdown takes at most. */
export const maxShutdownMs = (settings: Settings): number =>
  (settings.shutdown.delaySeconds + settings.shutdown.timeoutSeconds) * 1000 + maxCloseMs(settings);

interface RunningService {
  port: number;
  metrics: Metrics;
  /** Shuts down gracefully: see docs/production.md. */
  stop: () => Promise<void>;
}

/** Creates the application and lets it listen. */
export type RunApplication = (settings: Settings) => Promise<NestExpressApplication>;

/** Starts the service in this process. */
export async function serve(
  settings: Settings,
  runApplication: RunApplication,
): Promise<RunningService> {
  const logger = new Logger('Service');
  const app = await runApplication(settings);
  const metrics = app.get(Metrics);
  const server = app.getHttpServer();

  const stop = async (): Promise<void> => {
    const { delaySeconds, timeoutSeconds } = settings.shutdown;
    app.get(Lifecycle, { strict: false }).drain();
    server.keepAliveTimeout = SHUTDOWN_KEEP_ALIVE_TIMEOUT_MS;
    await setTimeout(delaySeconds * 1000);
    const requestsUntil = performance.now() + timeoutSeconds * 1000;
    const closed = app.close();
    const requestsEnded = Promise.race([once(server, 'close'), closed]);
    if (!(await completesWithin(requestsEnded, timeoutSeconds * 1000))) {
      logger.warn(
        `Requests still in progress after ${timeoutSeconds} s; closing their connections`,
      );
      server.closeAllConnections();
    }
    // A statement in progress on the server is not interrupted by this.
    const unusedMs = Math.max(0, requestsUntil - performance.now());
    await completesWithin(closed, unusedMs + maxCloseMs(settings));
  };
  const { port } = server.address() as AddressInfo;
  return { port, metrics, stop };
}

/** Serves the metrics if METRICS_PORT is set. */
export async function serveMetrics(
  { metricsPort, host }: Settings,
  source: Parameters<typeof startMetricsServer>[0],
): Promise<() => void> {
  if (metricsPort === undefined) return () => undefined;
  const { port, close } = await startMetricsServer(source, { port: metricsPort, host }).catch(
    (error: unknown) => {
      throw explainPort('METRICS_PORT', error);
    },
  );
  new Logger('Service').log(`Metrics  http://${hostnameOf(host)}:${port}/metrics`);
  return close;
}

/** Logs the URLs of the service, the location of its data, and whether Node.js is outdated. */
export function logAddresses(settings: Settings, port: number): void {
  const logger = new Logger('Service');
  const nodeWarning = nodeVersionWarning();
  if (nodeWarning) logger.warn(nodeWarning);
  const origin = originOf(settings, port);
  logger.log(`API   ${origin}/${API_PREFIX}`);
  logger.log(`Docs  ${origin}/${DOCS_PATH}`);
  logger.log(`Data  ${databaseLocation(settings.database)}`);
}

/** The data folder does not exist yet, and a person reads the log. */
export const isFirstStart = ({ database, logFormat }: Settings): boolean =>
  logFormat === 'text' &&
  database.kind === 'embedded' &&
  database.dataDir !== IN_MEMORY_DATA_DIR &&
  !hasEmbeddedDatabase(database.dataDir);

export const stopMessage = (signal: NodeJS.Signals): string =>
  signal === 'SIGINT' ? 'Stopping; Ctrl-C again stops at once' : `Stopping (${signal})`;

/** The address at which a client on this machine reaches the service. */
export const originOf = ({ host }: Settings, port: number): string =>
  `http://${hostnameOf(host)}:${port}`;

const hostnameOf = (host: string): string =>
  ['0.0.0.0', '::'].includes(host) ? 'localhost' : host;
