// @ts-check
/** Verifies before the measurement that the baseline and the service respond and write the same. */
import assert from 'node:assert/strict';
import { parseJson } from './json.js';

/** @typedef {import('./processes.js').Target} Target */
/** @typedef {import('./operations.js').Operation} Operation */
/** @typedef {import('./operations.js').Request} Request */

const READS_COMPARED = 25;
/** A request number that the measured load does not reach. */
const UNUSED_TURN = 1_000_000_000;
const MAX_FEED_LENGTH = 200;

/**
 * @param {{ service: Target, baseline: Target }} targets
 * @param {{ reads: Operation[], writes: Operation[] }} operations
 * @throws Error on the first difference
 */
export async function assertSameResponses({ service, baseline }, { reads, writes }) {
  for (const { name, request } of reads) {
    for (let turn = 0; turn < READS_COMPARED; turn++) {
      const call = request(turn, 0);
      const expected = await send(service, call);
      assert.deepEqual(await send(baseline, call), expected, `${name}: the bytes differ`);
    }
  }
  for (const operation of writes) {
    const expected = await write({ through: service, number: 0, reader: service }, operation);
    const actual = await write({ through: baseline, number: 1, reader: service }, operation);
    assert.deepEqual(actual, expected, `${operation.name}: the effects differ`);
  }
}

/**
 * Executes a write and returns its responses and activity records without generated values. Checks
 * the balance of the cycle.
 *
 * @param {{ through: Target, number: number, reader: Target }} targets
 * @param {Operation} operation
 */
async function write({ through, number, reader }, { request, undo }) {
  const call = undo ? request(0, 0) : request(UNUSED_TURN, number);
  const steps = undo ? [call, undo(call)] : [call];
  const responses = [];
  for (const step of steps) responses.push(await send(through, step));
  if (!call.path.includes('/cycles')) return { responses: withoutGeneratedValues(responses) };

  const [, cycleInPath] = /\/cycles\/([^/]+)/.exec(call.path) ?? [];
  const created = /** @type {{ id: string }} */ (parseJson(responses[0]?.body ?? ''));
  const cycleId = cycleInPath ?? created.id;
  const limit = cycleInPath === undefined ? MAX_FEED_LENGTH : steps.length;
  const get = (/** @type {string} */ path) =>
    send(reader, { method: 'GET', path: `/api/v1${path}`, headers: call.headers });
  const activity = await get(`/activity?cycle_id=${cycleId}&limit=${limit}`);
  assertBalance((await get(`/cycles/${cycleId}`)).body);
  return withoutGeneratedValues({ responses, activity });
}

/** @param {string} body of a cycle */
function assertBalance(body) {
  const { income_amount, remaining_balance, summary } =
    /** @type {{ income_amount: string, remaining_balance: string, summary: { total_expenses: string, total_incomes: string } }} */ (
      parseJson(body)
    );
  const cents = (/** @type {string} */ amount) => Number(amount.replace('.', ''));
  const expected =
    cents(income_amount) + cents(summary.total_incomes) - cents(summary.total_expenses);
  assert.equal(cents(remaining_balance), expected, 'The balance is wrong');
}

/** @param {Target} target @param {Request} request */
async function send({ name, url }, { path, ...init }) {
  const response = await fetch(`${url}${path}`, init);
  const result = { status: response.status, body: await response.text() };
  assert.ok(response.ok, `${name}: ${init.method} ${path}: ${JSON.stringify(result)}`);
  return result;
}

/**
 * Replaces ids by their order of appearance, and instants, tokens and target numbers by constants.
 * @param {unknown} value
 */
function withoutGeneratedValues(value) {
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
