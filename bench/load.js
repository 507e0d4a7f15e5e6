// @ts-check
/** Generates load and measures the responses and the process. */
import autocannon from 'autocannon';
import { cpuMilliseconds, residentMegabytes } from './processes.js';

/**
 * @typedef {object} Measured
 * @property {number} requests_per_second
 * @property {number} p50_ms
 * @property {number} p99_ms
 * @property {number} cpu_ms of the server's process, per request
 * @property {number} rss_mb after the load
 */

const SAMPLE_MS = 100;

/**
 * Closed load: each connection sends the next request after the response to the last one.
 *
 * @param {import('./processes.js').Target} target
 * @param {{ connections: number, seconds: number, next: () => import('./operations.js').Request }}
 *   load
 * @returns {Promise<Measured>}
 * @throws Error unless every response is a 2xx
 */
export async function measure(target, { connections, seconds, next }) {
  /** @type {number[]} */
  const latencies = [];
  const cpuBefore = cpuMilliseconds(target.pid);
  const start = performance.now();
  let end = start;
  /** @type {autocannon.Result} */
  const result = await new Promise((resolve, reject) => {
    const run = autocannon(
      {
        url: target.url,
        connections,
        duration: seconds,
        sampleInt: SAMPLE_MS,
        requests: [{ setupRequest: (request) => ({ ...request, ...next() }) }],
      },
      (/** @type {Error | null} */ error, /** @type {autocannon.Result} */ finished) => {
        if (error) reject(error);
        else resolve(finished);
      },
    );
    run.on('response', (_client, _status, _bytes, milliseconds) => {
      latencies.push(milliseconds);
      end = performance.now();
    });
  });
  const cpu = cpuMilliseconds(target.pid) - cpuBefore;
  assertAllSucceeded(target.name, result);
  latencies.sort((a, b) => a - b);
  return {
    requests_per_second: latencies.length / ((end - start) / 1000),
    p50_ms: percentile(latencies, 0.5),
    p99_ms: percentile(latencies, 0.99),
    cpu_ms: cpu / latencies.length,
    rss_mb: residentMegabytes(target.pid),
  };
}

/** @param {string} name @param {autocannon.Result} result */
function assertAllSucceeded(name, { non2xx, errors, timeouts, '2xx': succeeded }) {
  if (succeeded > 0 && non2xx === 0 && errors === 0 && timeouts === 0) return;
  throw new Error(
    `${name}: ${succeeded} responses are 2xx, ${non2xx} are not, ${errors} errors, ${timeouts} timeouts`,
  );
}

/** @param {number[]} sorted @param {number} part */
const percentile = (sorted, part) => sorted[Math.floor((sorted.length - 1) * part)] ?? NaN;
