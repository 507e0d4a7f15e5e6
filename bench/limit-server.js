// @ts-check
/**
 * The limit: what this machine gives when nothing is in the way. The operations of the benchmark by
 * `node:http` and `pg` alone: the token is verified, one prepared statement is run, and the same bytes
 * are answered. No framework, no ORM, no validation, no rate limit, no log, no error that a client could
 * understand. It shows what all of that costs in the service, and is good for nothing else.
 */
import argon2 from 'argon2';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import pg from 'pg';
import { parseJson } from './json.js';
import * as answers from './limit-answers.js';
import * as statements from './limit-statements.js';
import { issueToken, subjectOf } from './tokens.js';

const { DATABASE_URL, AUTH_SECRET = '', PORT, DATABASE_POOL_SIZE = '10' } = process.env;

const TOKEN_SECONDS = 1800;
const DEFAULT_PAGE = 20;
const DEFAULT_FEED = 50;

const pool = new pg.Pool({
  connectionString: DATABASE_URL,
  max: Number(DATABASE_POOL_SIZE),
  options: '-c timezone=UTC -c datestyle=ISO -c plan_cache_mode=force_generic_plan',
});
// Dates stay the text they are, and instants become the text of the answer.
pg.types.setTypeParser(pg.types.builtins.DATE, (value) => value);
pg.types.setTypeParser(pg.types.builtins.TIMESTAMPTZ, answers.instant);

/**
 * @param {keyof typeof statements} name
 * @param {...unknown} values
 * @returns {Promise<answers.Row[]>}
 */
async function run(name, ...values) {
  /** @type {{ rows: answers.Row[] }} */
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
    answers.toCycle(await runOne('CYCLE', user, cycle)),
  'GET /api/v1/cycles': async ({ user, query }) => {
    const size = Number(query.get('per_page') ?? DEFAULT_PAGE);
    return answers.toCyclePage(await run('CYCLES', user, size), size);
  },
  'GET /api/v1/cycles/:id/expenses': async ({ user, ids: [cycle] }) =>
    answers.toExpenseList(await run('EXPENSES', user, cycle)),
  'GET /api/v1/cycles/:id/summary': async ({ user, ids: [cycle] }) =>
    answers.toSummary(await run('SUMMARY', user, cycle)),
  'GET /api/v1/reports/cycles-comparison': async ({ user, query }) => {
    const ids = (query.get('cycle_ids') ?? '').split(',');
    return answers.toComparison(await run('COMPARISON', user, ids), ids);
  },
  'GET /api/v1/activity': async ({ user, query }) => {
    const size = Number(query.get('limit') ?? DEFAULT_FEED);
    const rows = await run('ACTIVITY', user, query.get('cycle_id'), size + 1);
    return rows.slice(0, size).map(answers.toActivity);
  },
  'POST /api/v1/cycles/:id/expenses': async ({ user, ids: [cycle], body }) => {
    const dto = parse(body);
    const { payment_method_id: method, description, currency, amount } = dto;
    const { due_date: due, category, comments } = dto;
    const priced = [description, currency, amount, due, category, comments];
    return answers.toExpense(await runOne('ADD_EXPENSE', user, cycle, method, ...priced));
  },
  'PUT /api/v1/cycles/:id/expenses/:id': async ({ user, ids: [cycle, expense], body }) =>
    answers.toExpense(await runOne('PAY_EXPENSE', user, cycle, expense, parse(body).paid)),
  'POST /api/v1/cycles': async ({ user, body }) => {
    const { name, start_date: start, end_date: end, income_amount: income } = parse(body);
    return answers.toCycle(await runOne('ADD_CYCLE', user, name, start, end, income));
  },
  'POST /api/v1/auth/login': async ({ body }) => {
    const form = new URLSearchParams(body);
    const account = await runOne('LOGIN', form.get('username'));
    const { id: userId, password_hash: hash, active } = account;
    const isRight = await argon2.verify(String(hash), form.get('password') ?? '');
    if (!isRight || active !== true) throw new Error('Wrong e-mail or password');
    const token = issueToken({
      userId: String(userId),
      secret: AUTH_SECRET,
      seconds: TOKEN_SECONDS,
    });
    return { access_token: token, token_type: 'bearer', expires_in: TOKEN_SECONDS };
  },
};

/** @param {string} body */
const parse = (body) => /** @type {answers.Row} */ (parseJson(body));

const OPEN = new Set(['GET /health/ready', 'POST /api/v1/auth/login']);
const CREATES = new Set(['POST /api/v1/cycles', 'POST /api/v1/cycles/:id/expenses']);
const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

/**
 * @param {import('node:http').IncomingMessage} request
 * @returns {Promise<{ status: number, answer: unknown }>}
 */
async function answer(request) {
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
  if (!operation) return { status: 404, answer: {} };
  const user = OPEN.has(name) ? '' : subjectOf(headers.authorization, AUTH_SECRET);
  if (user === undefined) return { status: 401, answer: {} };
  const query = new URLSearchParams(at === -1 ? '' : url.slice(at));
  const body = method === 'GET' ? '' : await text(request);
  return {
    status: CREATES.has(name) ? 201 : 200,
    answer: await operation({ user, ids, query, body }),
  };
}

const server = createServer((request, response) => {
  answer(request)
    .catch((/** @type {unknown} */ error) => ({ status: 500, answer: { error: String(error) } }))
    .then(({ status, answer }) => {
      const body = Buffer.from(JSON.stringify(answer));
      response.writeHead(status, {
        'Content-Type': 'application/json; charset=utf-8',
        'Content-Length': body.length,
      });
      response.end(body);
    })
    .catch((/** @type {unknown} */ error) => {
      console.error(error);
    });
});

process.on('SIGTERM', () => process.exit(0));
server.listen(Number(PORT), '127.0.0.1');
