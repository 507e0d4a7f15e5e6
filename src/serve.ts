import { Logger } from '@nestjs/common';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { API_PREFIX, createApplication } from './application.js';
import { IN_MEMORY, SettingsError, type Settings } from './config/settings.js';
import { DOCS_PATH } from './docs/openapi.js';
import { Metrics } from './observability/metrics.js';
import { startMetricsServer } from './observability/metrics-server.js';
import { Lifecycle } from './system/lifecycle.js';

/** While the process ends, nobody needs a connection whose last answer is out. */
const KEEP_ALIVE_AT_THE_END_MS = 1;

/** Longest wait for an orderly end when the requests have had all their time. */
const CLOSE_WITHIN_MS = 1000;

export interface Serving {
  port: number;
  metrics: Metrics;
  /** Ends it without losing a request: see docs/production.md. */
  stop: () => Promise<void>;
}

/** Starts the service in this process. */
export async function serve(settings: Settings): Promise<Serving> {
  const logger = new Logger('Service');
  const app = await createApplication(settings);
  const metrics = app.get(Metrics);
  const server = app.getHttpServer();
  await app.listen(settings.port, settings.host);

  const stop = async (): Promise<void> => {
    const { delaySeconds, timeoutSeconds } = settings.shutdown;
    app.get(Lifecycle, { strict: false }).drain();
    server.keepAliveTimeout = KEEP_ALIVE_AT_THE_END_MS;
    await setTimeout(delaySeconds * 1000);
    const closed = app.close();
    if (await isDoneWithin(closed, timeoutSeconds * 1000)) return;
    logger.warn(`Requests still run after ${timeoutSeconds} s: their connections are closed`);
    server.closeAllConnections();
    // A statement that the server still runs does not notice.
    await isDoneWithin(closed, CLOSE_WITHIN_MS);
  };
  const { port } = server.address() as AddressInfo;
  return { port, metrics, stop };
}

async function isDoneWithin(work: Promise<unknown>, milliseconds: number): Promise<boolean> {
  const timer = new AbortController();
  const timeout = setTimeout(milliseconds, false, { signal: timer.signal }).catch(() => false);
  try {
    return await Promise.race([work.then(() => true), timeout]);
  } finally {
    timer.abort();
  }
}

/** Serves the metrics where the settings say; nothing where they say nothing. */
export async function serveMetrics(
  { metricsPort, host }: Settings,
  source: Parameters<typeof startMetricsServer>[0],
): Promise<() => void> {
  if (metricsPort === undefined) return () => undefined;
  const { port, close } = await startMetricsServer(source, { port: metricsPort, host }).catch(
    (error: unknown) => {
      throw new SettingsError(`METRICS_PORT: ${(error as Error).message}`);
    },
  );
  new Logger('Service').log(`Metrics  http://${nameOf(host)}:${port}/metrics`);
  return close;
}

/** Tells the operator where everything is. */
export function announce(settings: Settings, port: number): void {
  const logger = new Logger('Service');
  const origin = `http://${nameOf(settings.host)}:${port}`;
  logger.log(`API   ${origin}/${API_PREFIX}`);
  logger.log(`Docs  ${origin}/${DOCS_PATH}`);
  logger.log(`Data  ${whereTheDataIs(settings)}`);
}

const nameOf = (host: string): string => (['0.0.0.0', '::'].includes(host) ? 'localhost' : host);

function whereTheDataIs({ database }: Settings): string {
  if (database.kind === 'server') {
    const { host, pathname } = new URL(database.url);
    return `PostgreSQL at ${host}${pathname}`;
  }
  return database.dataDir === IN_MEMORY ? 'in memory, gone at the end' : database.dataDir;
}
