// @ts-check
/** Measures the start time and the idle memory of the service. */
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { residentMegabytes, startService } from './processes.js';

const SETTLE_MS = 3000;

/**
 * The embedded engine, first with a new folder, then with the same folder again: the time from the
 * start of the process to the first response of the readiness check.
 *
 * @param {string} folder
 */
export async function measureEmbedded(folder) {
  const env = { DATA_DIR: join(mkdtempSync(join(folder, 'embedded-')), 'data') };
  return {
    first_start: await measureStart(folder, env),
    next_start: await measureStart(folder, env),
  };
}

/** @param {string} folder @param {Record<string, string>} env */
export async function measureStart(folder, env) {
  const start = performance.now();
  const service = await startService({ name: 'at-rest', folder, env });
  const milliseconds = Math.round(performance.now() - start);
  await setTimeout(SETTLE_MS);
  const megabytes = residentMegabytes(service.pid);
  await service.stop();
  return { start_ms: milliseconds, rss_mb: megabytes };
}
