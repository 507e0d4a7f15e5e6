// @ts-check
/** `npm run bench -- longest`: see README.md beside it. */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeEmbeddedDatabase, onConnection, rerunWithServer, withDatabase } from './database.js';
import { parseJson } from './json.js';
import { emptyAccount, fillToLimits, fullCycleId, LIMITED_CYCLES } from './largest-account.js';
import { call, measureOnce, printRows } from './one-request.js';
import { requestsOf } from './operations.js';
import { freePort, startService } from './processes.js';
import { printTable, writeResults } from './report.js';

/** @typedef {import('./operations.js').Request} Request */
/** @typedef {import('./one-request.js').MeasuredService} MeasuredService */
/** @typedef {import('./one-request.js').Row} Row */
/** @typedef {{ sent: string, ms: number }} Wait */

/** Has its account at the limits of the service. */
const USER = 1;
/** Has no data, and imports those of the other one. */
const IMPORTING_USER = 2;
const REPETITIONS = 3;
/** The most that one request changes, and the most entries of a kind in a cycle. */
const MAX_PATCHED = 200;
const MAX_STATED = 50;
/** Requests of one user at once, as many as the service processes. */
const MAX_IN_PROGRESS = 50;
const OUTPUT = 'bench/results/longest-requests.json';

const serverUrl = process.env.DATABASE_URL;
if (serverUrl === undefined) process.exit(rerunWithServer());

const folder = mkdtempSync(join(tmpdir(), 'longest-requests-'));
const secret = randomBytes(32).toString('hex');
const { get, send } = requestsOf(secret);
try {
  const population = { from: USER, to: IMPORTING_USER, cycles: 1, expenses: 40 };
  const embedded = await measureEmbedded(population);
  await withDatabase(serverUrl, [population], async (url) => {
    await onConnection(url, async (client) => {
      await emptyAccount(client, IMPORTING_USER);
      await fillToLimits(client, USER);
      await client.query('VACUUM ANALYZE');
    });
    const { rows, waits } = await measureService(url);
    printRows(rows);
    console.log('\nEmbedded:');
    printRows(embedded);
    printTable(
      ['what one user sends', 'longest GET /auth/me of another user ms'],
      waits.map(({ sent, ms }) => [sent, ms.toFixed(0)]),
    );
    writeResults(OUTPUT, { rows, embedded, waits });
  });
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** @param {string} databaseUrl */
function measureService(databaseUrl) {
  return withService({ DATABASE_URL: databaseUrl }, async (service) => {
    // Before other cycles are added.
    const waits = [await waitOfAnotherUser(service)];
    return { rows: await measureAll(service, databaseUrl), waits };
  });
}

/** @param {import('./seed.js').Population} population @returns {Promise<Row[]>} */
async function measureEmbedded(population) {
  const dataDir = join(folder, 'data');
  await makeEmbeddedDatabase(dataDir, population, (client) => fillToLimits(client, USER));
  return withService({ DATA_DIR: dataDir }, async (service) => {
    const { rows, measure } = measurementOf(service);
    await measureForecast(measure);
    await measureBalances(service, measure);
    return rows;
  });
}

/**
 * Starts the service on a database.
 *
 * @template Result
 * @param {Record<string, string>} database
 * @param {(service: MeasuredService) => Promise<Result>} work
 */
async function withService(database, work) {
  const metricsPort = String(await freePort());
  const env = { ...database, AUTH_SECRET: secret, METRICS_PORT: metricsPort };
  const service = await startService({ name: 'service', folder, env });
  try {
    return await work({ ...service, metrics: `http://127.0.0.1:${metricsPort}/metrics` });
  } finally {
    await service.stop();
  }
}

/**
 * @typedef {(
 *   operation: string,
 *   request: (turn: number) => Request,
 *   repetitions?: number,
 * ) => Promise<string>} Measure
 */

/** @param {MeasuredService} service @returns {{ rows: Row[], measure: Measure }} */
function measurementOf(service) {
  /** @type {Row[]} */
  const rows = [];
  /**
   * Keeps the slowest of several repetitions of a request and returns the body of the last
   * response.
   *
   * @param {string} operation
   * @param {(turn: number) => Request} request
   */
  const measure = async (operation, request, repetitions = REPETITIONS) => {
    const measured = [];
    for (let turn = 0; turn < repetitions; turn += 1) {
      measured.push(await measureOnce(service, request(turn)));
    }
    const worst = measured
      .map(({ figures }) => figures)
      .reduce((a, b) => (b.loop_ms > a.loop_ms ? b : a));
    rows.push({ operation, ...worst });
    return measured.at(-1)?.body ?? '';
  };
  return { rows, measure };
}

/** @param {Measure} measure */
function measureForecast(measure) {
  return measure('forecast', () => get(USER, '/forecast?set_aside=budgets&include=days,entries'));
}

/**
 * Balances of an account with as many as it can have, and the end of a cycle with as many open
 * entries as it can have.
 *
 * @param {MeasuredService} service @param {Measure} measure
 */
async function measureBalances(service, measure) {
  const [settled, closed] = [fullCycleId(USER, 1), fullCycleId(USER, 2)];
  await settle(service, settled);
  await measure('balances', () => get(USER, '/balances?limit=200'));
  await measure('what there is now', () => get(USER, '/balances/current'));
  const listed = await call(service, get(USER, '/balances?limit=200'));
  const stated = /** @type {{ id: string, payment_method: { id: string } }[]} */ (
    parseJson(listed)
  ).slice(0, MAX_STATED);
  for (const { id } of stated) {
    await call(service, { ...get(USER, `/balances/${id}`), method: 'DELETE' });
  }
  const balances = stated.map(({ payment_method }) => ({
    payment_method_id: payment_method.id,
    amount: '100.00',
  }));
  await measure('state 50 balances', () => send('POST', USER, '/balances', { balances }), 1);
  await measure('forecast of what is settled', () => get(USER, '/forecast'));

  await measure('what a cycle leaves', () => get(USER, `/cycles/${closed}/close`));
  const period = { start_date: '2032-01-01', end_date: '2032-02-14', income_amount: '1.00' };
  const next = { ...period, name: 'Next', generate_from_templates: false };
  const to_cycle_id = idIn(await call(service, send('POST', USER, '/cycles', next)));
  await measure(
    'close a cycle',
    () => send('POST', USER, `/cycles/${closed}/close`, { to_cycle_id }),
    1,
  );
}

/**
 * Marks everything in a cycle as paid or received. @param {MeasuredService} service @param {string}
 * cycle
 */
async function settle(service, cycle) {
  const path = `/cycles/${cycle}`;
  for (const [kind, field] of [
    ['expenses', 'paid'],
    ['incomes', 'received'],
  ]) {
    const listed = await call(service, get(USER, `${path}/${kind}`));
    const entries =
      /** @type {Record<string, { id: string }[]>} */ (parseJson(listed))[kind ?? ''] ?? [];
    for (let from = 0; from < entries.length; from += MAX_PATCHED) {
      const changes = entries
        .slice(from, from + MAX_PATCHED)
        .map(({ id }) => ({ id, [field ?? '']: true }));
      await call(service, send('PATCH', USER, `${path}/${kind}`, { [kind ?? '']: changes }));
    }
  }
}

/** @param {MeasuredService} service @param {string} databaseUrl */
async function measureAll(service, databaseUrl) {
  const { rows, measure } = measurementOf(service);
  const full = fullCycleId(USER, 1);
  await measure('payment methods', () => get(USER, '/payment-methods'));
  await measure('expense templates', () => get(USER, '/expense-templates'));
  await measure('expenses of a cycle', () => get(USER, `/cycles/${full}/expenses`));
  await measure('cash flow', () => get(USER, `/cycles/${full}/cash-flow`));
  await measure('summary', () => get(USER, `/cycles/${full}/summary`));
  const latest = await call(service, get(USER, `/cycles?per_page=${LIMITED_CYCLES}`));
  const { cycles } = /** @type {{ cycles: { id: string }[] }} */ (parseJson(latest));
  const ids = cycles.map(({ id }) => id).join(',');
  await measure('budgets of 50 cycles', () => get(USER, `/reports/budgets?cycle_ids=${ids}`));
  await measureForecast(measure);
  await measure('search', () => get(USER, '/expenses?q=entry&per_page=100'));
  await measure('comments of a cycle', () => get(USER, `/comments?cycle_id=${full}&limit=200`));
  await measure('activity', () => get(USER, `/activity?cycle_id=${full}&limit=200`));
  await measure('changes', () => get(USER, '/changes?limit=500'));

  // Before other cycles are added, with which the document would be too large to import.
  const document = await measure('export', () => get(USER, '/export'));
  await measure(
    'import',
    () => ({ ...withType(get(IMPORTING_USER, '/import'), 'application/json'), body: document }),
    1,
  );

  const period = { start_date: '2030-01-01', end_date: '2030-02-14', income_amount: '1.00' };
  await measure('preview', () => send('POST', USER, '/cycles/preview', period));
  const cycle = await measure('add a cycle', (turn) =>
    send('POST', USER, '/cycles', { name: `Generated ${turn}`, ...period }),
  );
  await onConnection(databaseUrl, (client) =>
    client.query('UPDATE expense_templates SET base_amount = base_amount + 1'),
  );
  await measure('compare with templates', () => get(USER, `/cycles/${idIn(cycle)}/sync`));
  await measure(
    'synchronize with templates',
    () => send('POST', USER, `/cycles/${idIn(cycle)}/sync`, {}),
    1,
  );
  await measure('reprice', () => send('POST', USER, `/cycles/${full}/reprice`, {}), 1);

  const csv = await measure('CSV export', () => get(USER, `/cycles/${full}/expenses.csv`));
  const emptyCycle = await call(
    service,
    send('POST', USER, '/cycles', { ...period, name: 'CSV', generate_from_templates: false }),
  );
  await measure(
    'CSV import',
    () => ({
      ...withType(get(USER, `/cycles/${idIn(emptyCycle)}/expenses/import`), 'text/csv'),
      body: csv,
    }),
    1,
  );

  const feed = await call(service, send('POST', USER, '/calendar-feeds', { name: 'Phone' }));
  const { url } = /** @type {{ url: string }} */ (parseJson(feed));
  await measure('calendar feed', () => ({
    method: 'GET',
    path: new URL(url).pathname,
    headers: {},
  }));

  await measureBalances(service, measure);
  await measure('remove a cycle', () => ({ ...get(USER, `/cycles/${full}`), method: 'DELETE' }), 1);
  return rows;
}

/**
 * How long another user waits at most while one sends as many requests as the service processes,
 * each of which adds a cycle with 1,000 rows and waits for the lock of the one before.
 *
 * @param {MeasuredService} service
 * @returns {Promise<Wait>}
 */
async function waitOfAnotherUser(service) {
  const period = { start_date: '2031-01-01', end_date: '2031-02-14', income_amount: '1.00' };
  let isDone = false;
  let ms = 0;
  const readMeanwhile = async () => {
    while (!isDone) {
      const start = performance.now();
      await call(service, get(IMPORTING_USER, '/auth/me'));
      ms = Math.max(ms, performance.now() - start);
    }
  };
  const reading = readMeanwhile();
  const cycles = Array.from({ length: MAX_IN_PROGRESS }, (_, n) => ({
    name: `At once ${n}`,
    ...period,
  }));
  // On a busy machine the last ones wait longer than the service lets them, which is a 503.
  const added = await Promise.all(
    cycles.map((cycle) =>
      call(service, send('POST', USER, '/cycles', cycle)).catch(() => undefined),
    ),
  );
  isDone = true;
  await reading;
  const bodies = added.filter((body) => body !== undefined);
  for (const body of bodies) {
    await call(service, { ...get(USER, `/cycles/${idIn(body)}`), method: 'DELETE' });
  }
  return { sent: `${MAX_IN_PROGRESS} cycles at once (${bodies.length} added)`, ms };
}

/** @param {string} body */
function idIn(body) {
  return /** @type {{ id: string }} */ (parseJson(body)).id;
}

/**
 * A POST with a body of this type. @param {Request} request @param {string} type @returns {Request}
 */
function withType({ path, headers }, type) {
  return {
    method: 'POST',
    path,
    headers: { ...headers, 'content-type': type },
  };
}
