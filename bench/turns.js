// @ts-check
/** Measures targets turn by turn, so that what slows the machine down slows all of them down. */
import { setTimeout } from 'node:timers/promises';
import { measure } from './load.js';

/** @typedef {import('./load.js').Measured} Measured */
/** @typedef {{ operation: string, targets: Record<string, Measured> }} Outcome medians of the rounds */

/** What is still under way when a load ends does not disturb the next one. */
const PAUSE_MS = 100;

/**
 * @param {import('./processes.js').Target[]} targets
 * @param {import('./operations.js').Operation[]} operations
 * @param {{ rounds: number, seconds: number, connections: number }} options
 * @returns {Promise<Outcome[]>} in the order of the operations
 */
export async function takeTurns(targets, operations, { rounds, seconds, connections }) {
  const turns = operations.map(() => targets.map(() => 0));
  /** @type {Measured[][][]} */
  const measured = operations.map(() => targets.map(() => []));
  for (let round = 0; round <= rounds; round++) {
    console.log(round === 0 ? 'Warming up ...' : `Round ${round} of ${rounds} ...`);
    for (const [o, operation] of beginningAt(operations, round / (rounds + 1))) {
      for (const [t, target] of inOrder(targets, round)) {
        const result = await measure(target, {
          connections,
          seconds,
          next: () => operation.request(count(turns[o] ?? [], t), t),
        });
        if (round > 0) measured[o]?.[t]?.push(result);
        await setTimeout(PAUSE_MS);
      }
    }
  }
  return operations.map(({ name }, o) => ({
    operation: name,
    targets: Object.fromEntries(
      targets.map((target, t) => [target.name, medians(measured[o]?.[t] ?? [])]),
    ),
  }));
}

/**
 * In turn, the first of them as far from the beginning as a part of all: what comes by the clock, such as the
 * server's vacuum, does not meet the same operation in every round.
 *
 * @template Item
 * @param {Item[]} items
 * @param {number} part from 0 to 1
 */
function beginningAt(items, part) {
  const entries = [...items.entries()];
  const first = Math.floor(items.length * part);
  return [...entries.slice(first), ...entries.slice(0, first)];
}

/** Who begins changes from round to round. @template Item @param {Item[]} items @param {number} round */
function inOrder(items, round) {
  const entries = [...items.entries()];
  return round % 2 === 0 ? entries : entries.reverse();
}

/** @param {number[]} counts @param {number} at */
function count(counts, at) {
  const turn = counts[at] ?? 0;
  counts[at] = turn + 1;
  return turn;
}

/** @param {Measured[]} results @returns {Measured} */
function medians(results) {
  const of = (/** @type {keyof Measured} */ name) => median(results.map((result) => result[name]));
  return {
    requests_per_second: of('requests_per_second'),
    p50_ms: of('p50_ms'),
    p99_ms: of('p99_ms'),
    cpu_ms: of('cpu_ms'),
    rss_mb: of('rss_mb'),
  };
}

/** @param {number[]} values */
function median(values) {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  const [low, high] = [sorted[Math.ceil(middle) - 1], sorted[Math.floor(middle)]];
  return ((low ?? NaN) + (high ?? NaN)) / 2;
}
