// @ts-check
/**
 * The baseline: the operations of the benchmark written by hand on `node:http` and `pg`. It has the
 * optimisations of the service (prepared statements, pg's pipeline, a cache of verified tokens) and
 * nothing else: no framework, ORM, validation, rate limit or log, and one statement for each
 * operation, which also checks that the user is active. Its responses are the same bytes. The ratio
 * shows the cost of the rest of the service.
 */
import argon2 from 'argon2';
import { LRUCache } from 'lru-cache';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import pg from 'pg';
import * as responses from './baseline-responses.js';
import * as statements from './baseline-statements.js';
import { parseJson } from './json.js';
import { issueToken, subjectOf } from './tokens.js';

const { DATABASE_URL, AUTH_SECRET = '', PORT, DATABASE_POOL_SIZE = '10' } = process.env;

const TOKEN_SECONDS = 1800;
const SESSION_HOURS = 720;
const DEFAULT_PAGE = 20;
const DEFAULT_FEED = 50;

const pool = new pg.Pool({
  connectionString: DATABASE_URL,
  max: Number(DATABASE_POOL_SIZE),
  pipeline: true,
  options: '-c timezone=UTC -c datestyle=ISO -c plan_cache_mode=force_generic_plan',
});
// Dates are returned as text, and timestamps in the format of responses.
pg.types.setTypeParser(pg.types.builtins.DATE, (value) => value);
pg.types.setTypeParser(pg.types.builtins.TIMESTAMPTZ, responses.instant);

/**
 * @param {keyof typeof statements} name
 * @param {...unknown} values
 * @returns {Promise<responses.Row[]>}
 */
async function run(name, ...values) {
  /** @type {{ rows: responses.Row[] }} */
  const { rows } = await pool.query({ name, text: statements[name], values });
  return rows;
}

/** @param {keyof typeof statements} name @param {...unknown} values */
async function runOne(name, ...values) {
  const [row] = await run(name, ...values);
  if (!row) throw new Error(`${name} found nothing`);
  return row;
}

/** @typedef {{ user: string, ids: string[], query: URLSearchParams, body: string }} Call */

/** @type {Record<string, (call: Call) => Promise<unknown>>} */
const operations = {
  'GET /health/ready': () => Promise.resolve({}),
  'GET /api/v1/auth/me': ({ user }) => runOne('ME', user),
  'GET /api/v1/payment-methods': ({ user }) => run('PAYMENT_METHODS', user),
  'GET /api/v1/cycles/:id': async ({ user, ids: [cycle] }) =>
    responses.toCycle(await runOne('CYCLE', user, cycle)),
  'GET /api/v1/cycles': async ({ user, query }) => {
    const size = Number(query.get('per_page') ?? DEFAULT_PAGE);
    return responses.toCyclePage(await run('CYCLES', user, size), size);
  },
  'GET /api/v1/cycles/:id/expenses': async ({ user, ids: [cycle] }) =>
    responses.toExpenseList(await run('EXPENSES', user, cycle)),
  'GET /api/v1/cycles/:id/cash-flow': async ({ user, ids: [cycle] }) =>
    responses.toCashFlow(await run('CASH_FLOW', user, cycle)),
  'GET /api/v1/cycles/:id/sync': async ({ user, ids: [cycle] }) =>
    responses.toSync(await runOne('SYNC', user, cycle)),
  'GET /api/v1/cycles/:id/summary': async ({ user, ids: [cycle] }) =>
    responses.toSummary(await run('SUMMARY', user, cycle)),
  'GET /api/v1/reports/cycles-comparison': async ({ user, query }) => {
    const ids = (query.get('cycle_ids') ?? '').split(',');
    return responses.toComparison(await run('COMPARISON', user, ids), ids);
  },
  'GET /api/v1/activity': async ({ user, query }) => {
    const size = Number(query.get('limit') ?? DEFAULT_FEED);
    const rows = await run('ACTIVITY', user, query.get('cycle_id'), size + 1);
    return rows.slice(0, size).map(responses.toActivity);
  },
  'POST /api/v1/cycles/:id/expenses': async ({ user, ids: [cycle], body }) => {
    const dto = parse(body);
    const { payment_method_id: method, description, currency, amount } = dto;
    const { due_date: due, category, comments } = dto;
    const priced = [description, currency, amount, due, category, comments];
    return responses.toExpense(await runOne('ADD_EXPENSE', user, cycle, method, ...priced));
  },
  'PUT /api/v1/cycles/:id/expenses/:id': async ({ user, ids: [cycle, expense], body }) =>
    responses.toExpense(await runOne('PAY_EXPENSE', user, cycle, expense, parse(body).paid)),
  'POST /api/v1/cycles': async ({ user, body }) => {
    const { name, start_date: start, end_date: end, income_amount: income } = parse(body);
    return responses.toCycle(await runOne('ADD_CYCLE', user, name, start, end, income));
  },
  'POST /api/v1/auth/login': async ({ body }) => {
    const form = new URLSearchParams(body);
    const account = await runOne('LOGIN', form.get('username'));
    const { id: userId, household_id: household, password_hash: hash, active } = account;
    const isRight = await argon2.verify(String(hash), form.get('password') ?? '');
    if (!isRight || active !== true) throw new Error('Wrong e-mail or password');
    const session = await runOne('ADD_SESSION', household, userId, SESSION_HOURS);
    const token = issueToken({
      userId: String(userId),
      sessionId: String(session.id),
      secret: AUTH_SECRET,
      seconds: TOKEN_SECONDS,
    });
    return { access_token: token, token_type: 'bearer', expires_in: TOKEN_SECONDS };
  },
};

/** @param {string} body */
const parse = (body) => /** @type {responses.Row} */ (parseJson(body));

const OPEN = new Set(['GET /health/ready', 'POST /api/v1/auth/login']);
const CREATES = new Set(['POST /api/v1/cycles', 'POST /api/v1/cycles/:id/expenses']);
/** User ids by the header of the request. @type {LRUCache<string, string>} */
const subjectCache = new LRUCache({ max: 10_000 });

/** @param {string | undefined} authorization */
function cachedSubjectOf(authorization = '') {
  const cached = subjectCache.get(authorization);
  if (cached !== undefined) return cached;
  const subject = subjectOf(authorization, AUTH_SECRET);
  if (subject !== undefined) subjectCache.set(authorization, subject);
  return subject;
}

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

/**
 * @param {import('node:http').IncomingMessage} request
 * @returns {Promise<{ status: number, body: unknown }>}
 */
async function handle(request) {
  const { method, url = '', headers } = request;
  const at = url.indexOf('?');
  /** @type {string[]} */
  const ids = [];
  const route = (at === -1 ? url : url.slice(0, at)).replaceAll(UUID, (id) => {
    ids.push(id);
    return ':id';
  });
  const name = `${method ?? ''} ${route}`;
  const operation = operations[name];
  if (!operation) return { status: 404, body: {} };
  const user = OPEN.has(name) ? '' : cachedSubjectOf(headers.authorization);
  if (user === undefined) return { status: 401, body: {} };
  const query = new URLSearchParams(at === -1 ? '' : url.slice(at));
  const sent = method === 'GET' ? '' : await text(request);
  return {
    status: CREATES.has(name) ? 201 : 200,
    body: await operation({ user, ids, query, body: sent }),
  };
}

const server = createServer((request, response) => {
  handle(request)
    .catch((/** @type {unknown} */ error) => ({ status: 500, body: { error: String(error) } }))
    .then(({ status, body }) => {
      const json = JSON.stringify(body);
      response.writeHead(status, {
        'Content-Type': 'application/json; charset=utf-8',
        'Content-Length': Buffer.byteLength(json),
      });
      response.end(json);
    })
    .catch((/** @type {unknown} */ error) => {
      console.error(error);
    });
});

process.on('SIGTERM', () => process.exit(0));
server.listen(Number(PORT), '127.0.0.1');
