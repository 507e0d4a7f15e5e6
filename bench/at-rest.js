// @ts-check
/** Without any load: how long the service takes to start, and what it needs to be there. */
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { residentMegabytes, startService } from './processes.js';

const SETTLE_MS = 3000;

/**
 * The embedded engine: first on a folder that is not there, then on what it left. From the start of the
 * process to the first answer that it is ready.
 *
 * @param {string} folder
 */
export async function measureEmbedded(folder) {
  const env = { DATA_DIR: join(mkdtempSync(join(folder, 'embedded-')), 'data') };
  return {
    first_start: await startAndRest(folder, env),
    next_start: await startAndRest(folder, env),
  };
}

/** @param {string} folder @param {Record<string, string>} env */
export async function startAndRest(folder, env) {
  const start = performance.now();
  const service = await startService({ name: 'at-rest', folder, env });
  const milliseconds = Math.round(performance.now() - start);
  await setTimeout(SETTLE_MS);
  const megabytes = residentMegabytes(service.pid);
  await service.stop();
  return { start_ms: milliseconds, rss_mb: megabytes };
}
