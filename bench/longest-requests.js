// @ts-check
/** `npm run bench -- longest`: see README.md beside it. */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onConnection, rerunWithServer, withDatabase } from './database.js';
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
  await withDatabase(serverUrl, [population], async (url) => {
    await onConnection(url, async (client) => {
      await emptyAccount(client, IMPORTING_USER);
      await fillToLimits(client, USER);
      await client.query('VACUUM ANALYZE');
    });
    const { rows, waits } = await measureService(url);
    printRows(rows);
    printTable(
      ['what one user sends', 'longest GET /auth/me of another user ms'],
      waits.map(({ sent, ms }) => [sent, ms.toFixed(0)]),
    );
    writeResults(OUTPUT, { rows, waits });
  });
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** @param {string} databaseUrl */
async function measureService(databaseUrl) {
  const metricsPort = String(await freePort());
  const env = { DATABASE_URL: databaseUrl, AUTH_SECRET: secret, METRICS_PORT: metricsPort };
  const service = await startService({ name: 'service', folder, env });
  try {
    const metrics = `http://127.0.0.1:${metricsPort}/metrics`;
    const measured = { ...service, metrics };
    // Before other cycles are added.
    const waits = [await waitOfAnotherUser(measured)];
    return { rows: await measureAll(measured, databaseUrl), waits };
  } finally {
    await service.stop();
  }
}

/** @param {MeasuredService} service @param {string} databaseUrl */
async function measureAll(service, databaseUrl) {
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
  await measure('forecast', () => get(USER, '/forecast?set_aside=budgets&include=days,entries'));
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
