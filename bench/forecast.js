// @ts-check
/** `npm run bench -- forecast`: see README.md beside it. */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rerunWithServer, withDatabase } from './database.js';
import { parseJson } from './json.js';
import { call, measureOnce, printRows } from './one-request.js';
import { percentile } from './open-load.js';
import { cpuMilliseconds, freePort, startService } from './processes.js';
import { printTable, writeResults } from './report.js';

/** @typedef {import('./operations.js').Request} Request */
/** @typedef {import('./one-request.js').MeasuredService} MeasuredService */
/** @typedef {(method: Request['method'], path: string, body?: object) => Request} Send */

const API = '/api/v1';
const DAY_MS = 86_400_000;

/** An ordinary household, which pays with accounts and cards in turn. */
const CYCLES = 3;
const CYCLE_DAYS = 42;
const TEMPLATES = 40;
const ACCOUNTS = ['Debit', 'Cash', 'Savings'];
/** When the statements of its cards close and are due. */
const CARDS = [
  { name: 'Visa', closing_day: 12, due_day: 2 },
  { name: 'Mastercard', closing_day: 25, due_days_after: 20 },
];

/** At the limits of docs/api.md: stored entries that count, and entries that are generated. */
const FULL_CYCLES = 5;
const ENTRIES_OF_CYCLE = 2000;
const FULL_CYCLE_DAYS = 45;
const LAST_DAY = 400;
const MAX_PAYMENT_METHODS = 1000;
/** Daily, in the days after the full cycles: just below 5,000, with the last cycle. */
const DAILY_TEMPLATES = 12;

const PAYMENT_METHOD = { name: 'Card', method_type: 'debit', default_currency: 'MXN' };

const WARM_UP = 50;
const ROUNDS = 400;
const REPETITIONS = 5;
const OUTPUT = 'bench/results/forecast.json';

const serverUrl = process.env.DATABASE_URL;
if (serverUrl === undefined) process.exit(rerunWithServer());

const folder = mkdtempSync(join(tmpdir(), 'forecast-'));
try {
  await withDatabase(serverUrl, [], async (databaseUrl) => {
    const onServer = await measure('PostgreSQL', { DATABASE_URL: databaseUrl });
    const embedded = await measure('embedded', { DATA_DIR: join(folder, 'data') });
    writeResults(OUTPUT, { postgresql: onServer, embedded });
  });
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** @param {string} engine @param {Record<string, string>} database */
async function measure(engine, database) {
  const metricsPort = String(await freePort());
  const env = {
    ...database,
    AUTH_SECRET: randomBytes(32).toString('hex'),
    METRICS_PORT: metricsPort,
  };
  const started = await startService({ name: engine, folder, env });
  const service = { ...started, metrics: `http://127.0.0.1:${metricsPort}/metrics` };
  try {
    const ordinary = await measureOrdinary(service);
    printTable(
      [engine, 'ms', 'CPU ms'],
      ordinary.map(({ operation, ms, cpu_ms }) => [operation, ms.toFixed(2), cpu_ms.toFixed(2)]),
    );
    const [expenses, forecast, withCards] = ordinary;
    const ratio = (forecast?.ms ?? 0) / (expenses?.ms ?? 1);
    const cards = (withCards?.ms ?? 0) / (forecast?.ms ?? 1);
    console.log(
      `${engine}: a forecast takes ${ratio.toFixed(2)} times as long, and with cards ${cards.toFixed(2)} times that\n`,
    );
    const limits = await measureAtLimits(service);
    printRows(limits);
    return { ordinary, ratio, cards, limits };
  } finally {
    await started.stop();
  }
}

/**
 * The medians of the requests, in turns: of the same household without statements of its cards, and
 * with them.
 *
 * @param {MeasuredService} service
 */
async function measureOrdinary(service) {
  const without = await createOrdinary(service, { hasStatements: false });
  const withCards = await createOrdinary(service, { hasStatements: true });
  const expenses = `/cycles/${without.current}/expenses`;
  const requests = [
    {
      operation: `GET /cycles/{id}/expenses, ${TEMPLATES}`,
      request: without.send('GET', expenses),
    },
    { operation: 'GET /forecast', request: without.send('GET', '/forecast') },
    {
      operation: `GET /forecast, ${CARDS.length} cards`,
      request: withCards.send('GET', '/forecast'),
    },
  ];
  const measured = requests.map(({ operation, request }) => ({
    operation,
    request,
    /** @type {number[]} */
    times: [],
    cpu: 0,
  }));
  for (let round = 0; round < WARM_UP + ROUNDS; round += 1) {
    for (const one of measured) {
      const cpu = cpuMilliseconds(service.pid);
      const start = performance.now();
      await call(service, one.request);
      if (round < WARM_UP) continue;
      one.times.push(performance.now() - start);
      one.cpu += cpuMilliseconds(service.pid) - cpu;
    }
  }
  return measured.map(({ operation, times, cpu }) => ({
    operation,
    ms: percentile(times, 0.5),
    cpu_ms: cpu / times.length,
  }));
}

/**
 * A household of a new user, and its cycle of today.
 *
 * @param {MeasuredService} service
 * @param {{ hasStatements: boolean }} options whether its cards have statements
 */
async function createOrdinary(service, { hasStatements }) {
  const send = await signUp(service);
  const accounts = [];
  for (const name of ACCOUNTS) {
    accounts.push(await create(service, send, '/payment-methods', { ...PAYMENT_METHOD, name }));
  }
  const methods = [...accounts];
  for (const { name, ...days } of CARDS) {
    const card = { ...PAYMENT_METHOD, name, method_type: 'credit', ...(hasStatements && days) };
    methods.push(await create(service, send, '/payment-methods', card));
  }
  for (let n = 0; n < TEMPLATES; n += 1) {
    await create(service, send, '/expense-templates', {
      ...templateOf(methods[n % methods.length] ?? '', `Template ${n}`),
      recurrence_type: 'bi_weekly',
      recurrence_config: { interval_days: CYCLE_DAYS },
      reference_date: day(n),
    });
  }
  const cycles = [];
  for (let n = 0; n < CYCLES; n += 1) {
    const start = (n - 1) * CYCLE_DAYS;
    const dates = { start_date: day(start), end_date: day(start + CYCLE_DAYS - 1) };
    cycles.push(await create(service, send, '/cycles', { ...dates, ...cycleOf(`Cycle ${n}`) }));
  }
  const [past = '', current = ''] = cycles;
  await payUntil(service, send, { cycle: past, last: day(0) });
  const balances = accounts.map((payment_method_id) => ({ payment_method_id, amount: '5000.00' }));
  await call(service, send('POST', '/balances', { balances }));
  // Paid after the balances, like what is due in the first days.
  await payUntil(service, send, { cycle: current, last: day(10) });
  return { send, current };
}

/**
 * Pays what is due until a day. @param {MeasuredService} service @param {Send} send
 * @param {{ cycle: string, last: string }} which
 */
async function payUntil(service, send, { cycle, last }) {
  const path = `/cycles/${cycle}/expenses`;
  const { expenses } = /** @type {{ expenses: { id: string, due_date: string }[] }} */ (
    parseJson(await call(service, send('GET', path)))
  );
  const due = expenses.filter(({ due_date }) => due_date <= last);
  const paid = due.map(({ id }) => ({ id, paid: true }));
  await call(service, send('PATCH', path, { expenses: paid }));
}

/** The longest of some requests each, beside a client. @param {MeasuredService} service */
async function measureAtLimits(service) {
  const send = await signUp(service);
  const method = await create(service, send, '/payment-methods', PAYMENT_METHOD);
  for (let n = 0; n < FULL_CYCLES; n += 1) {
    const dates = { start_date: day(0), end_date: day(FULL_CYCLE_DAYS) };
    const id = await create(service, send, '/cycles', { ...dates, ...cycleOf(`Full ${n}`) });
    const rows = Array.from(
      { length: ENTRIES_OF_CYCLE },
      (_, row) => `${day(row % FULL_CYCLE_DAYS)},Entry ${row},variable,MXN,${10 + row}.35,Card`,
    );
    const header = 'due_date,description,category,currency,amount,payment_method';
    const request = send('POST', `/cycles/${id}/expenses/import`);
    const headers = { ...request.headers, 'content-type': 'text/csv' };
    await call(service, { ...request, headers, body: [header, ...rows].join('\n') });
  }
  for (let n = 0; n < DAILY_TEMPLATES; n += 1) {
    await create(service, send, '/expense-templates', {
      ...templateOf(method, `Daily ${n}`),
      recurrence_type: 'custom',
      recurrence_config: { interval: 1, unit: 'days' },
      reference_date: day(0),
    });
  }
  const parameters = { to: day(LAST_DAY), include: ['days', 'entries'] };
  const changes = [
    { op: 'exchange_rate', rate: '0.060000' },
    {
      op: 'add_expense_template',
      ...{ description: 'More', currency: 'MXN', base_amount: '100.00', reference_date: day(0) },
      ...{ recurrence_type: 'custom', recurrence_config: { interval: 1, unit: 'days' } },
    },
  ];
  /** @type {[[string, Request], [string, Request], [string, Request]]} */
  const requests = [
    ['forecast', send('GET', `/forecast?to=${day(LAST_DAY)}`)],
    ['forecast with both parts', send('GET', `/forecast?to=${day(LAST_DAY)}&include=days,entries`)],
    ['forecast with changes', send('POST', '/forecast', { ...parameters, changes })],
  ];
  const rows = [];
  for (const [operation, request] of requests) {
    rows.push(await slowest(service, operation, request));
  }
  const days = { method_type: 'credit', closing_day: 12, due_day: 2 };
  await call(service, send('PUT', `/payment-methods/${method}`, days));
  for (const [operation, request] of requests) {
    rows.push(await slowest(service, `${operation}, all by card`, request));
  }
  const statements = send('GET', `/payment-methods/${method}/statements`);
  rows.push(await slowest(service, 'statements of that card', statements));
  for (let n = 1; n < MAX_PAYMENT_METHODS; n += 1) {
    const card = { ...PAYMENT_METHOD, name: `Card ${n}`, ...days };
    await create(service, send, '/payment-methods', card);
  }
  const [, [, both]] = requests;
  rows.push(await slowest(service, 'forecast with 1,000 cards', both));
  return rows;
}

/** @param {MeasuredService} service @param {string} operation @param {Request} request */
async function slowest(service, operation, request) {
  const figures = [];
  for (let n = 0; n < REPETITIONS; n += 1) {
    figures.push((await measureOnce(service, request)).figures);
  }
  return { operation, ...figures.reduce((a, b) => (b.loop_ms > a.loop_ms ? b : a)) };
}

/** A day by its distance from today, in UTC. @param {number} days */
function day(days) {
  return new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);
}

/** @param {string} name */
function cycleOf(name) {
  return { name, income_amount: '5200.00' };
}

/** @param {string} method @param {string} description */
function templateOf(method, description) {
  return {
    description,
    currency: 'MXN',
    base_amount: '812.35',
    category: 'fixed',
    payment_method_id: method,
  };
}

/** A new user's requests. @param {MeasuredService} service @returns {Promise<Send>} */
async function signUp(service) {
  const email = `${randomBytes(8).toString('hex')}@example.com`;
  const password = randomBytes(16).toString('hex');
  const json = { 'content-type': 'application/json' };
  await call(service, {
    method: 'POST',
    path: `${API}/auth/register`,
    headers: json,
    body: JSON.stringify({ email, password }),
  });
  const signedIn = await call(service, {
    method: 'POST',
    path: `${API}/auth/login`,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ username: email, password }).toString(),
  });
  const { access_token: token } = /** @type {{ access_token: string }} */ (parseJson(signedIn));
  return (method, path, body) => ({
    method,
    path: API + path,
    headers: { authorization: `Bearer ${token}`, ...(body && json) },
    ...(body && { body: JSON.stringify(body) }),
  });
}

/**
 * Creates a record. @param {MeasuredService} service @param {Send} send @param {string} path
 * @param {object} body @returns {Promise<string>} its id
 */
async function create(service, send, path, body) {
  const created = await call(service, send('POST', path, body));
  return /** @type {{ id: string }} */ (parseJson(created)).id;
}
