/** What a process does once its application listens, and the primary once its workers do. */
import { Logger } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import cluster from 'node:cluster';
import type { AddressInfo } from 'node:net';
import { AggregatorRegistry } from 'prom-client';
import { onShutdown } from '#http-host/signals';
import { databaseLocation } from '../config/database-location.js';
import type { Settings } from '../config/settings.js';
import { startMetricsServer } from '../metrics/metrics-server.js';
import { Metrics } from '../metrics/metrics.js';
import { API_PREFIX, DOCS_PATH } from '../openapi/openapi.js';
import { nodeVersionWarning } from './node-version.js';
import { explainPort } from './ports.js';
import { shutDown, stopMessage } from './shutdown.js';

/**
 * Serves the metrics, logs the addresses, and shuts down on a signal. The primary of a worker does
 * the first two, and says for which signal all processes stop.
 */
export async function serve(app: NestExpressApplication, settings: Settings): Promise<void> {
  const { registry } = app.get(Metrics);
  if (cluster.isWorker) {
    shareWithPrimary(registry);
    onShutdown(() => shutDown(app, settings));
    return;
  }
  const closeMetrics = await serveMetrics(settings, registry);
  logAddresses(settings, portOf(app));
  onShutdown(async (signal) => {
    new Logger('Service').log(stopMessage(signal));
    await shutDown(app, settings);
    closeMetrics();
  });
}

/** Lets the primary aggregate the metrics of this worker. */
function shareWithPrimary(registry: Metrics['registry']): void {
  // The constructor registers the message listener.
  new AggregatorRegistry();
  AggregatorRegistry.setRegistries([registry]);
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

/** The port on which the application listens, which for PORT=0 is any. */
export const portOf = (app: NestExpressApplication): number =>
  (app.getHttpServer().address() as AddressInfo).port;

/** The address at which a client on this machine reaches the service. */
export const originOf = ({ host }: Settings, port: number): string =>
  `http://${hostnameOf(host)}:${port}`;

const hostnameOf = (host: string): string =>
  ['0.0.0.0', '::'].includes(host) ? 'localhost' : host;
