// @ts-check
/** `npm run bench -- reminders`: see README.md beside it. */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { SMTPServer } from 'smtp-server';
import { onConnection, rerunWithServer, withDatabase } from './database.js';
import { CYCLE_DAYS, emailOf, periodOf } from './identity.js';
import { failuresOf, percentile, startOpenLoad } from './open-load.js';
import { requestsOf } from './operations.js';
import { startService } from './processes.js';
import { printTable, writeResults } from './report.js';

/**
 * @typedef {object} Slice
 * @property {number} seconds
 * @property {number} mails that arrived
 * @property {number[]} milliseconds of the requests
 */

const USAGE = `npm run bench -- reminders [options]

  --users 1000    due at once
  --rounds 3      each without reminders and with them
  --seconds 60    of the requests in each part of a round, at least
  --rate 20       requests a second
  --output FILE   of the results, as JSON (bench/results/reminders.json)`;

const { values } = parseArgs({
  options: {
    help: { type: 'boolean', default: false },
    users: { type: 'string', default: '1000' },
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '60' },
    rate: { type: 'string', default: '20' },
    output: { type: 'string', default: 'bench/results/reminders.json' },
  },
});
const [users = 0, rounds = 0, seconds = 0, rate = 0] = [
  values.users,
  values.rounds,
  values.seconds,
  values.rate,
].map(Number);
if (values.help || !(users >= 1 && rounds >= 1 && seconds > 0 && rate > 0)) {
  console.log(USAGE);
  process.exit(values.help ? 0 : 1);
}

/** No request may take longer. */
const MAX_MS = 1000;
/** How long the reminders of all users may take. */
const MAX_SECONDS = 1800;
const CYCLES = 3;
const DAY_MS = 86_400_000;

const serverUrl = process.env.DATABASE_URL;
if (serverUrl === undefined) process.exit(rerunWithServer());

/** Reads, and gets no reminders. */
const READER = users + 1;
const secret = randomBytes(32).toString('hex');
const { get } = requestsOf(secret);
const READS = ['/cycles', '/forecast'].map((path) => get(READER, path));
const folder = mkdtempSync(join(tmpdir(), 'reminders-'));
/** The recipients of the mails since the last round. @type {string[]} */
let recipients = [];
const mailServer = new SMTPServer({
  authOptional: true,
  disableReverseLookup: true,
  logger: false,
  onData: (stream, { envelope }, done) => {
    stream.resume().once('end', () => {
      recipients.push(...envelope.rcptTo.map(({ address }) => address));
      done();
    });
  },
});
try {
  const population = { from: 1, to: READER, cycles: CYCLES, expenses: 40 };
  await withDatabase(serverUrl, [population], measure);
} finally {
  mailServer.close();
  rmSync(folder, { recursive: true, force: true });
}

/** @param {string} databaseUrl */
async function measure(databaseUrl) {
  await moveToToday(databaseUrl);
  const service = await startService({
    name: 'service',
    folder,
    env: {
      DATABASE_URL: databaseUrl,
      AUTH_SECRET: secret,
      SMTP_URL: `smtp://127.0.0.1:${await listen()}`,
      MAIL_FROM: 'gastos@example.com',
      PASSWORD_RESET_URL: 'https://app.example.com/reset-password#{token}',
      REMINDERS_URL: 'https://app.example.com/reminders/confirm#{token}',
      PUBLIC_URL: 'https://api.example.com',
    },
  });
  /** @type {{ without: Slice[], with: Slice[] }} */
  const slices = { without: [], with: [] };
  try {
    await loadDuring(service.url, () => setTimeout(1000));
    for (let round = 1; round <= rounds; round += 1) {
      console.log(`Round ${round} of ${rounds} ...`);
      slices.without.push(await loadDuring(service.url, () => setTimeout(seconds * 1000)));
      slices.with.push(
        await loadDuring(service.url, async () => {
          await makeDue(databaseUrl);
          await Promise.all([setTimeout(seconds * 1000), allMails()]);
        }),
      );
    }
  } finally {
    await service.stop();
  }
  report(slices);
}

/** @returns {Promise<number>} the port */
async function listen() {
  mailServer.listen(0, '127.0.0.1');
  await once(mailServer.server, 'listening');
  return /** @type {import('node:net').AddressInfo} */ (mailServer.server.address()).port;
}

/**
 * Moves the cycles of the seed by whole cycles, so that today is in the last one, and turns
 * reminders on.
 *
 * @param {string} databaseUrl
 */
async function moveToToday(databaseUrl) {
  const cycles = Math.floor(
    (Date.now() - Date.parse(periodOf(CYCLES).start)) / DAY_MS / CYCLE_DAYS,
  );
  const days = cycles * CYCLE_DAYS;
  await onConnection(databaseUrl, async (client) => {
    await client.query(
      `UPDATE cycles SET start_date = start_date + ${days}, end_date = end_date + ${days}`,
    );
    await client.query(
      `UPDATE cycle_expenses SET due_date = due_date + ${days}, occurrence_date = occurrence_date + ${days}`,
    );
    await client.query(
      `UPDATE cycle_incomes SET income_date = income_date + ${days}, occurrence_date = occurrence_date + ${days}`,
    );
    await client.query(
      `UPDATE users SET reminders_enabled = true, reminders_confirmed = true, reminders_hour = 0,
         reminded_on = current_date
       WHERE email <> $1`,
      [emailOf(READER)],
    );
    await client.query('VACUUM ANALYZE');
  });
}

/** As if no user had been reminded today. @param {string} databaseUrl */
async function makeDue(databaseUrl) {
  await onConnection(databaseUrl, (client) =>
    client.query('UPDATE users SET reminded_on = reminded_on - 1, reminded_below_zero = false'),
  );
}

async function allMails() {
  const deadline = performance.now() + MAX_SECONDS * 1000;
  while (recipients.length < users) {
    if (performance.now() > deadline) throw new Error(`Only ${recipients.length} mails arrive`);
    await setTimeout(100);
  }
}

/**
 * Reads while something is done.
 *
 * @param {string} origin
 * @param {() => Promise<unknown>} work
 * @returns {Promise<Slice>}
 */
async function loadDuring(origin, work) {
  recipients = [];
  const start = performance.now();
  const next = (/** @type {number} */ turn) => {
    const request = READS[turn % READS.length];
    if (!request) throw new Error('No requests');
    return request;
  };
  const load = startOpenLoad(origin, { perSecond: rate, next });
  await work().finally(load.stop);
  const duration = (performance.now() - start) / 1000;
  const responses = load.take();
  const failures = failuresOf(responses);
  if (failures.length > 0) throw new Error(`Some responses are not 2xx: ${failures.join(', ')}`);
  if (new Set(recipients).size < recipients.length) throw new Error('A user gets two mails');
  return { seconds: duration, mails: recipients.length, milliseconds: responses.milliseconds };
}

/** @param {{ without: Slice[], with: Slice[] }} slices */
function report(slices) {
  const rows = Object.entries(slices).map(([reminders, parts]) => {
    const times = parts.flatMap(({ milliseconds }) => milliseconds);
    return {
      reminders,
      mails: parts.map(({ mails }) => mails),
      seconds: parts.map((part) => Math.round(part.seconds)),
      requests: times.length,
      p50_ms: percentile(times, 0.5),
      p99_ms: percentile(times, 0.99),
      longest_ms: percentile(times, 1),
    };
  });
  printTable(
    ['reminders', 'mails', 's', 'requests', 'p50 ms', 'p99 ms', 'longest ms'],
    rows.map((row) => [
      row.reminders,
      row.mails.join(', '),
      row.seconds.join(', '),
      String(row.requests),
      ...[row.p50_ms, row.p99_ms, row.longest_ms].map((ms) => ms.toFixed(1)),
    ]),
  );
  writeResults(values.output, { options: { users, rounds, seconds, rate }, rows });
  if (rows.some(({ longest_ms }) => longest_ms > MAX_MS)) {
    console.error(`A request took longer than ${MAX_MS} ms`);
    process.exitCode = 1;
  }
}
