// @ts-check
/** `npm run bench -- soak`: see README.md beside it. */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import {
  rerunWithServer,
  assertIntegrity,
  makeEmbeddedDatabase,
  onConnection,
  withDatabase,
} from './database.js';
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
 * @property {number} connections to the PostgreSQL server; 0 on the embedded engine
 */
/** @typedef {{ DATABASE_URL: string } | { DATA_DIR: string }} DataLocation */
/**
 * @typedef {{ url: string, metrics: string, pid: number, database: DataLocation }} MeasuredService
 */

const USAGE = `npm run bench -- soak [options]

  --embedded      on the embedded engine, instead of a PostgreSQL server
  --minutes 5     of load; 15 on the embedded engine, of which the first five are a warm-up
  --rate 60       requests a second
  --users 100     users in the database
  --output FILE   of the results, as JSON (bench/results/soak.json)`;

const NAME = 'soak';
const SLICES = 30;
const BURST_SECONDS = 15;
const BURST_CLIENTS = 32;
const POOL_SIZE = 10;
/** The maximum resident memory on the embedded engine, after the first third. */
const EMBEDDED_MEGABYTES = 450;

const { values } = parseArgs({
  options: {
    help: { type: 'boolean', default: false },
    embedded: { type: 'boolean', default: false },
    minutes: { type: 'string' },
    rate: { type: 'string', default: '60' },
    users: { type: 'string', default: '100' },
    output: { type: 'string', default: 'bench/results/soak.json' },
  },
});
const { embedded } = values;
const [minutes, rate, users] = [
  values.minutes ?? (embedded ? '15' : '5'),
  values.rate,
  values.users,
].map(Number);
if (values.help || !(minutes && minutes > 0) || !(rate && rate > 0) || !(users && users >= 5)) {
  console.log(USAGE);
  process.exit(values.help ? 0 : 1);
}
const serverUrl = process.env.DATABASE_URL;
if (!embedded && serverUrl === undefined) process.exit(rerunWithServer());

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
  if (embedded || serverUrl === undefined) {
    const dataDir = join(folder, 'data');
    await makeEmbeddedDatabase(dataDir, population);
    await soakOn({ DATA_DIR: dataDir });
  } else {
    await withDatabase(serverUrl, [population], (url) => soakOn({ DATABASE_URL: url }));
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** @param {DataLocation} database */
async function soakOn(database) {
  const metricsPort = await freePort();
  const env = {
    ...database,
    DATABASE_APPLICATION_NAME: NAME,
    AUTH_SECRET: data.secret,
    METRICS_PORT: String(metricsPort),
  };
  const service = await startService({ name: NAME, folder, env });
  const metrics = `http://127.0.0.1:${metricsPort}/metrics`;
  /** @type {Sample[]} */
  let samples;
  /** @type {Awaited<ReturnType<typeof readDuringSignIns>>} */
  let burst;
  try {
    samples = await soak({ ...service, metrics, database });
    burst = await readDuringSignIns(service.url);
  } finally {
    await service.stop();
  }
  assertIntegrity(database);
  const problems = findProblems(samples);
  const options = { embedded, minutes, rate, users };
  writeResults(values.output, { options, samples, burst, problems });
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) process.exitCode = 1;
}

/**
 * Generates mixed load for the whole time and measures each slice. @param {MeasuredService}
 * measured
 */
async function soak(measured) {
  console.log(`${rate} requests per second for ${minutes} minutes ...`);
  // One request in nine writes; sign-ins are only in the burst.
  const mixed = [...reads, ...reads, ...writes.filter(({ name }) => name !== 'login'), ...reads];
  const load = startOpenLoad(measured.url, { perSecond: rate ?? 0, next: inTurn(mixed) });
  /** @type {Sample[]} */
  const samples = [];
  const seconds = ((minutes ?? 0) * 60) / SLICES;
  for (let slice = 1; slice <= SLICES; slice += 1) {
    await setTimeout(seconds * 1000);
    const responses = load.take();
    const failures = failuresOf(responses);
    if (failures.length > 0) throw new Error(`Some responses are not 2xx: ${failures.join(', ')}`);
    samples.push({
      seconds: Math.round(slice * seconds),
      requests: responses.milliseconds.length,
      p50_ms: percentile(responses.milliseconds, 0.5),
      p99_ms: percentile(responses.milliseconds, 0.99),
      ...(await resourcesOf(measured)),
    });
  }
  await load.stop();
  printSamples(samples);
  return samples;
}

/** Cycles through the operations; each counts its own turns. @param {typeof reads} operations */
function inTurn(operations) {
  return (/** @type {number} */ turn) => {
    const operation = operations[turn % operations.length];
    if (!operation) throw new Error('No operations');
    return operation.request(Math.floor(turn / operations.length), 0);
  };
}

/** @param {MeasuredService} measured */
async function resourcesOf({ metrics, pid, database }) {
  const text = await (await fetch(metrics)).text();
  const metric = (/** @type {string} */ name) =>
    Number(new RegExp(`^${name} (.+)$`, 'm').exec(text)?.[1]);
  return {
    rss_mb: residentMegabytes(pid),
    heap_mb: metric('nodejs_heap_size_used_bytes') / 2 ** 20,
    loop_ms: metric('nodejs_eventloop_lag_p99_seconds') * 1000,
    connections: 'DATABASE_URL' in database ? await connectionsTo(database.DATABASE_URL) : 0,
  };
}

/** @param {string} databaseUrl */
function connectionsTo(databaseUrl) {
  return onConnection(databaseUrl, async (client) => {
    const sql = 'SELECT count(*)::int AS count FROM pg_stat_activity WHERE application_name = $1';
    /** @type {import('pg').QueryResult<{ count: number }>} */
    const { rows } = await client.query(sql, [NAME]);
    return rows[0]?.count ?? NaN;
  });
}

/** Measures reads alone and during many sign-ins. @param {string} origin */
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

/** Clients that sign in again after each response. @param {string} origin */
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
 * The first third is a warm-up; the last third is compared with the second.
 *
 * @param {Sample[]} samples
 * @returns {string[]} the problems
 */
function findProblems(samples) {
  const third = Math.floor(samples.length / 3);
  const median = (/** @type {keyof Sample} */ name, /** @type {number} */ from) =>
    percentile(
      samples.slice(from, from + third).map((sample) => sample[name]),
      0.5,
    );
  /** @type {[keyof Sample, number, number][]} a value, and its tolerated growth */
  const bounds = [
    ['rss_mb', 1.1, 10],
    ['heap_mb', 1.2, 10],
    ['p99_ms', 2, 10],
    ['connections', 1, 0],
  ];
  const problems = bounds.flatMap(([name, times, plus]) => {
    const [middle, last] = [median(name, third), median(name, 2 * third)];
    if (last <= middle * times + plus) return [];
    return [`${name} grows: ${middle.toFixed(1)} in the middle, ${last.toFixed(1)} at the end`];
  });
  const maxConnections = Math.max(...samples.map(({ connections }) => connections));
  if (maxConnections > POOL_SIZE)
    problems.push(`${maxConnections} connections; the limit is ${POOL_SIZE}`);
  const resident = Math.max(...samples.slice(third).map(({ rss_mb }) => rss_mb));
  if (embedded && resident > EMBEDDED_MEGABYTES) {
    problems.push(`${resident} MB of resident memory; the limit is ${EMBEDDED_MEGABYTES}`);
  }
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
