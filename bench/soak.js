// @ts-check
/** `npm run soak`: see README.md beside it. */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { againWithServer, assertIntegrity, onConnection, withDatabase } from './database.js';
import { failuresOf, percentile, send, startOpenLoad } from './open-load.js';
import { operationsOn } from './operations.js';
import { freePort, residentMegabytes, startService } from './processes.js';
import { printTable, writeResults } from './report.js';

/**
 * @typedef {object} Sample
 * @property {number} seconds from the start
 * @property {number} requests
 * @property {number} p50_ms
 * @property {number} p99_ms
 * @property {number} rss_mb
 * @property {number} heap_mb
 * @property {number} loop_ms the event loop's 99th percentile of delay
 * @property {number} connections to the database
 */
/** @typedef {{ url: string, metrics: string, pid: number, databaseUrl: string }} Watched */

const USAGE = `npm run soak -- [options]

  --minutes 5     of load
  --rate 60       requests a second
  --users 100     people in the database
  --output FILE   of the results, as JSON (bench/results/soak.json)`;

const NAME = 'soak';
const SLICES = 30;
const BURST_SECONDS = 15;
const BURST_CLIENTS = 32;
const POOL_SIZE = 10;

const { values } = parseArgs({
  options: {
    help: { type: 'boolean', default: false },
    minutes: { type: 'string', default: '5' },
    rate: { type: 'string', default: '60' },
    users: { type: 'string', default: '100' },
    output: { type: 'string', default: 'bench/results/soak.json' },
  },
});
const [minutes, rate, users] = [values.minutes, values.rate, values.users].map(Number);
if (values.help || !(minutes && minutes > 0) || !(rate && rate > 0) || !(users && users >= 5)) {
  console.log(USAGE);
  process.exit(values.help ? 0 : 1);
}
const serverUrl = process.env.DATABASE_URL;
if (serverUrl === undefined) process.exit(againWithServer());

const data = {
  users,
  cycles: 4,
  expenses: 40,
  targets: 1,
  secret: randomBytes(32).toString('hex'),
};
const { reads, writes } = operationsOn(data);
const folder = mkdtempSync(join(tmpdir(), 'soak-'));
try {
  const population = { from: 1, to: users, cycles: data.cycles, expenses: data.expenses };
  await withDatabase(serverUrl, [population], async (databaseUrl) => {
    const metricsPort = await freePort();
    const env = {
      DATABASE_URL: databaseUrl,
      DATABASE_APPLICATION_NAME: NAME,
      AUTH_SECRET: data.secret,
      METRICS_PORT: String(metricsPort),
    };
    const service = await startService({ name: NAME, folder, env });
    const metrics = `http://127.0.0.1:${metricsPort}/metrics`;
    try {
      const samples = await soak({ ...service, metrics, databaseUrl });
      const burst = await readDuringSignIns(service.url);
      assertIntegrity(databaseUrl);
      const problems = judge(samples);
      writeResults(values.output, { options: { minutes, rate, users }, samples, burst, problems });
      for (const problem of problems) console.error(problem);
      if (problems.length > 0) process.exitCode = 1;
    } finally {
      await service.stop();
    }
  });
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Mixed load for all the minutes, measured slice by slice. @param {Watched} watched */
async function soak(watched) {
  console.log(`${rate} requests a second for ${minutes} minutes ...`);
  // One in nine writes; signing in is for the burst.
  const mixed = [...reads, ...reads, ...writes.filter(({ name }) => name !== 'login'), ...reads];
  const load = startOpenLoad(watched.url, { perSecond: rate ?? 0, next: inTurn(mixed) });
  /** @type {Sample[]} */
  const samples = [];
  const seconds = ((minutes ?? 0) * 60) / SLICES;
  for (let slice = 1; slice <= SLICES; slice += 1) {
    await setTimeout(seconds * 1000);
    const answered = load.take();
    const failures = failuresOf(answered);
    if (failures.length > 0) throw new Error(`Not every answer is a 2xx: ${failures.join(', ')}`);
    samples.push({
      seconds: Math.round(slice * seconds),
      requests: answered.milliseconds.length,
      p50_ms: percentile(answered.milliseconds, 0.5),
      p99_ms: percentile(answered.milliseconds, 0.99),
      ...(await resourcesOf(watched)),
    });
  }
  await load.stop();
  printSamples(samples);
  return samples;
}

/** The operations one after the other, each with turns of its own. @param {typeof reads} operations */
function inTurn(operations) {
  return (/** @type {number} */ turn) => {
    const operation = operations[turn % operations.length];
    if (!operation) throw new Error('No operations');
    return operation.request(Math.floor(turn / operations.length), 0);
  };
}

/** @param {Watched} watched */
async function resourcesOf({ metrics, pid, databaseUrl }) {
  const text = await (await fetch(metrics)).text();
  const metric = (/** @type {string} */ name) =>
    Number(new RegExp(`^${name} (.+)$`, 'm').exec(text)?.[1]);
  const connections = await onConnection(databaseUrl, async (client) => {
    const sql = 'SELECT count(*)::int AS count FROM pg_stat_activity WHERE application_name = $1';
    /** @type {import('pg').QueryResult<{ count: number }>} */
    const { rows } = await client.query(sql, [NAME]);
    return rows[0]?.count ?? NaN;
  });
  return {
    rss_mb: residentMegabytes(pid),
    heap_mb: metric('nodejs_heap_size_used_bytes') / 2 ** 20,
    loop_ms: metric('nodejs_eventloop_lag_p99_seconds') * 1000,
    connections,
  };
}

/** What reads take alone, and while many sign in. @param {string} origin */
async function readDuringSignIns(origin) {
  const before = await readFor(origin);
  const signIns = startSignIns(origin);
  const during = await readFor(origin);
  const statuses = await signIns.stop();
  const after = await readFor(origin);
  printTable(
    ['reads', 'p50 ms', 'p99 ms'],
    Object.entries({ before, during, after }).map(([when, { p50_ms, p99_ms }]) => [
      `${when} the sign-ins`,
      p50_ms.toFixed(1),
      p99_ms.toFixed(1),
    ]),
  );
  console.log(`Signing in, ${BURST_CLIENTS} at a time for ${BURST_SECONDS} s:`, statuses);
  return { before, during, after, sign_ins: statuses };
}

/** @param {string} origin */
async function readFor(origin) {
  const load = startOpenLoad(origin, { perSecond: (rate ?? 0) / 2, next: inTurn(reads) });
  await setTimeout(BURST_SECONDS * 1000);
  await load.stop();
  const { milliseconds } = load.take();
  return { p50_ms: percentile(milliseconds, 0.5), p99_ms: percentile(milliseconds, 0.99) };
}

/** Clients who sign in again as soon as they are answered. @param {string} origin */
function startSignIns(origin) {
  const login = writes.find(({ name }) => name === 'login');
  const agent = new Agent({ keepAlive: true });
  /** @type {Record<string, number>} */
  const statuses = {};
  let turn = 0;
  let isOver = false;
  const clients = Array.from({ length: BURST_CLIENTS }, async () => {
    while (!isOver && login) {
      const status = await send(origin, agent, login.request(turn++, 0));
      statuses[status] = (statuses[status] ?? 0) + 1;
    }
  });
  return {
    stop: async () => {
      isOver = true;
      await Promise.all(clients);
      agent.destroy();
      return statuses;
    },
  };
}

/**
 * The first third warms up; the last third is held against the one in between.
 *
 * @param {Sample[]} samples
 * @returns {string[]} what is wrong
 */
function judge(samples) {
  const third = Math.floor(samples.length / 3);
  const median = (/** @type {keyof Sample} */ name, /** @type {number} */ from) =>
    percentile(
      samples.slice(from, from + third).map((sample) => sample[name]),
      0.5,
    );
  /** @type {[keyof Sample, number, number][]} a value, and how much more of it is within its noise */
  const bounds = [
    ['rss_mb', 1.1, 10],
    ['heap_mb', 1.2, 10],
    ['p99_ms', 2, 10],
    ['connections', 1, 0],
  ];
  const problems = bounds.flatMap(([name, times, plus]) => {
    const [middle, last] = [median(name, third), median(name, 2 * third)];
    if (last <= middle * times + plus) return [];
    return [`${name} grows: ${middle.toFixed(1)} in the middle, ${last.toFixed(1)} in the end`];
  });
  const most = Math.max(...samples.map(({ connections }) => connections));
  if (most > POOL_SIZE) problems.push(`${most} connections, of ${POOL_SIZE}`);
  return problems;
}

/** @param {Sample[]} samples */
function printSamples(samples) {
  printTable(
    ['s', 'requests', 'p50 ms', 'p99 ms', 'RSS MB', 'heap MB', 'loop p99 ms', 'connections'],
    samples.map((sample) => [
      String(sample.seconds),
      String(sample.requests),
      sample.p50_ms.toFixed(1),
      sample.p99_ms.toFixed(1),
      String(sample.rss_mb),
      sample.heap_mb.toFixed(1),
      sample.loop_ms.toFixed(1),
      String(sample.connections),
    ]),
  );
}
