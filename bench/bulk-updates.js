// @ts-check
/** `npm run bench -- bulk`: see README.md beside it. */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rerunWithServer, withDatabase } from './database.js';
import { idOf } from './identity.js';
import { percentile } from './open-load.js';
import { requestsOf } from './operations.js';
import { startService } from './processes.js';
import { printTable, writeResults } from './report.js';

const USER = 1;
const SIZES = [1, 20, 200];
const ROUNDS = 40;
const WARM_UP = 10;
const OUTPUT = 'bench/results/bulk-updates.json';

const serverUrl = process.env.DATABASE_URL;
if (serverUrl === undefined) process.exit(rerunWithServer());

const folder = mkdtempSync(join(tmpdir(), 'bulk-updates-'));
const secret = randomBytes(32).toString('hex');
const { send } = requestsOf(secret);
try {
  const population = { from: USER, to: USER, cycles: 1, expenses: Math.max(...SIZES) };
  await withDatabase(serverUrl, [population], async (databaseUrl) => {
    const env = { DATABASE_URL: databaseUrl, AUTH_SECRET: secret, RATE_LIMIT_ENABLED: 'false' };
    const service = await startService({ name: 'service', folder, env });
    try {
      const rows = await measureSizes(service.url);
      printTable(
        ['expenses in one request', 'ms', 'times the time of 20'],
        rows.map(({ size, ms, ratio }) => [String(size), ms.toFixed(1), ratio.toFixed(1)]),
      );
      writeResults(OUTPUT, { rows });
    } finally {
      await service.stop();
    }
  });
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** The medians of updates that change every expense, the sizes in turn. @param {string} url */
async function measureSizes(url) {
  /** @type {Map<number, number[]>} */
  const times = new Map(SIZES.map((size) => [size, []]));
  for (let round = 0; round < WARM_UP + ROUNDS; round += 1) {
    for (const [size, measured] of times) {
      const milliseconds = await update(url, size, round);
      if (round >= WARM_UP) measured.push(milliseconds);
    }
  }
  const medians = SIZES.map((size) => ({ size, ms: percentile(times.get(size) ?? [], 0.5) }));
  const ofTwenty = medians.find(({ size }) => size === 20)?.ms ?? 0;
  return medians.map(({ size, ms }) => ({ size, ms, ratio: ms / ofTwenty }));
}

/** @param {string} url @param {number} size @param {number} round */
async function update(url, size, round) {
  const expenses = Array.from({ length: size }, (_, n) => ({
    id: idOf('expense', USER, 1, n + 1),
    amount: `${10 + (round % 50)}.${String(10 + (size % 90))}`,
    paid: round % 2 === 0,
  }));
  const cyclePath = `/cycles/${idOf('cycle', USER, 1)}/expenses`;
  const { method, path, headers, body } = send('PATCH', USER, cyclePath, { expenses });
  const start = performance.now();
  const response = await fetch(new URL(path, url), { method, headers, body });
  const text = await response.text();
  if (!response.ok) throw new Error(`${response.status} ${text.slice(0, 500)}`);
  return performance.now() - start;
}
