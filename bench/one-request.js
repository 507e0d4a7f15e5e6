// @ts-check
/** Single requests to the service beside another client, and how long they hold its event loop. */
import { percentile, startOpenLoad } from './open-load.js';
import { residentMegabytes } from './processes.js';
import { printTable } from './report.js';

/** @typedef {import('./operations.js').Request} Request */
/** With the address of its metrics. @typedef {{ url: string, metrics: string, pid: number }} MeasuredService */
/**
 * @typedef {{ operation: string, ms: number, mb: number, loop_ms: number, p99_ms: number,
 *   rss_mb: number }} Row
 */

/** The requests a second of the other client, which reads `/health/live`. */
const POLITE_RATE = 200;

/**
 * One request beside the other client. @param {MeasuredService} service @param {Request} request
 */
export async function measureOnce(service, request) {
  const other = startOpenLoad(service.url, {
    perSecond: POLITE_RATE,
    next: () => ({ method: 'GET', path: '/health/live', headers: {} }),
  });
  // Reading the metrics resets the maximum.
  await longestDelay(service);
  const start = performance.now();
  const body = await call(service, request);
  const milliseconds = performance.now() - start;
  const delay = await longestDelay(service);
  await other.stop();
  const figures = {
    ms: milliseconds,
    mb: Buffer.byteLength(body) / 1e6,
    loop_ms: delay,
    p99_ms: percentile(other.take().milliseconds, 0.99),
    rss_mb: residentMegabytes(service.pid),
  };
  return { body, figures };
}

/** @param {MeasuredService} service @param {Request} request @returns {Promise<string>} the body */
export async function call(service, { method, path, headers, body }) {
  const response = await fetch(new URL(path, service.url), { method, headers, body });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text.slice(0, 500)}`);
  return text;
}

/**
 * The longest time since the last call that the event loop was held, in milliseconds. @param
 * {MeasuredService} service
 */
async function longestDelay({ metrics }) {
  const text = await (await fetch(metrics)).text();
  return 1000 * Number(/^nodejs_eventloop_lag_max_seconds (.+)$/m.exec(text)?.[1]);
}

/** @param {Row[]} rows */
export function printRows(rows) {
  printTable(
    ['', 'ms', 'MB', 'event loop held ms', 'p99 of /health/live ms', 'resident MB'],
    rows.map(({ operation, ms, mb, loop_ms, p99_ms, rss_mb }) => [
      operation,
      ms.toFixed(0),
      mb.toFixed(2),
      loop_ms.toFixed(0),
      p99_ms.toFixed(0),
      String(rss_mb),
    ]),
  );
}
