// @ts-check
/** Before anything is measured: the limit does what the service does. */
import assert from 'node:assert/strict';
import { parseJson } from './json.js';

/** @typedef {import('./processes.js').Target} Target */
/** @typedef {import('./operations.js').Operation} Operation */
/** @typedef {import('./operations.js').Request} Request */

const READS_COMPARED = 25;
/** No measured load comes so far. */
const FAR_TURN = 1_000_000_000;
const LONGEST_FEED = 200;

/**
 * @param {{ service: Target, limit: Target }} targets
 * @param {{ reads: Operation[], writes: Operation[] }} operations
 * @throws Error on the first difference
 */
export async function assertSameAnswers({ service, limit }, { reads, writes }) {
  for (const { name, request } of reads) {
    for (let turn = 0; turn < READS_COMPARED; turn++) {
      const asked = request(turn, 0);
      const expected = await ask(service, asked);
      assert.deepEqual(await ask(limit, asked), expected, `${name}: not the same bytes`);
    }
  }
  for (const operation of writes) {
    const expected = await write({ through: service, number: 0, reader: service }, operation);
    const given = await write({ through: limit, number: 1, reader: service }, operation);
    assert.deepEqual(given, expected, `${operation.name}: does not do the same`);
  }
}

/**
 * Everything a write does, without what differs from one to the next: its answers, its records in the
 * activity log, and whether the balance of the cycle is right.
 *
 * @param {{ through: Target, number: number, reader: Target }} targets
 * @param {Operation} operation
 */
async function write({ through, number, reader }, { request, undo }) {
  const asked = undo ? request(0, 0) : request(FAR_TURN, number);
  const steps = undo ? [asked, undo(asked)] : [asked];
  const answers = [];
  for (const step of steps) answers.push(await ask(through, step));
  if (!asked.path.includes('/cycles')) return { answers: withoutNames(answers) };

  const [, cycleInPath] = /\/cycles\/([^/]+)/.exec(asked.path) ?? [];
  const made = /** @type {{ id: string }} */ (parseJson(answers[0]?.body ?? ''));
  const cycleId = cycleInPath ?? made.id;
  const limit = cycleInPath === undefined ? LONGEST_FEED : steps.length;
  const get = (/** @type {string} */ path) =>
    ask(reader, { method: 'GET', path: `/api/v1${path}`, headers: asked.headers });
  const activity = await get(`/activity?cycle_id=${cycleId}&limit=${limit}`);
  assertBalance((await get(`/cycles/${cycleId}`)).body);
  return withoutNames({ answers, activity });
}

/** @param {string} body of a cycle */
function assertBalance(body) {
  const { income_amount, remaining_balance, summary } =
    /** @type {{ income_amount: string, remaining_balance: string, summary: { total_expenses: string } }} */ (
      parseJson(body)
    );
  const cents = (/** @type {string} */ amount) => Number(amount.replace('.', ''));
  const right = cents(income_amount) - cents(summary.total_expenses);
  assert.equal(cents(remaining_balance), right, 'The balance is wrong');
}

/** @param {Target} target @param {Request} request */
async function ask({ name, url }, { path, ...init }) {
  const response = await fetch(`${url}${path}`, init);
  const answer = { status: response.status, body: await response.text() };
  assert.ok(response.ok, `${name}: ${init.method} ${path}: ${JSON.stringify(answer)}`);
  return answer;
}

/** Ids become their order of appearance; instants, tokens and the numbers of targets become none. @param {unknown} value */
function withoutNames(value) {
  /** @type {string[]} */
  const ids = [];
  return JSON.stringify(value)
    .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, (id) => {
      if (!ids.includes(id)) ids.push(id);
      return `id ${ids.indexOf(id)}`;
    })
    .replaceAll(/\d{4}-\d{2}-\d{2}T[\d:.]+Z/g, 'an instant')
    .replaceAll(/eyJ[\w-]+\.[\w-]+\.[\w-]+/g, 'a token')
    .replaceAll(/target \d+/g, 'a target');
}
