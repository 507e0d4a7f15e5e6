// @ts-check
/** Measures targets in turns, so that a slowdown of the machine affects all of them. */
import { setTimeout } from 'node:timers/promises';
import { median } from 'simple-statistics';
import { measure } from './load.js';

/** @typedef {import('./load.js').Measured} Measured */

/**
 * @typedef {object} Outcome
 * @property {string} operation
 * @property {Record<string, Measured>} targets by name: the medians of the rounds
 * @property {Record<string, Measured[]>} rounds by the target's name, in their order
 */

/** A pause, so that unfinished work of one load does not affect the next. */
const PAUSE_MS = 100;

/**
 * @param {import('./processes.js').Target[]} targets
 * @param {import('./operations.js').Operation[]} operations
 * @param {{ rounds: number, seconds: number, connections: number }} options
 * @returns {Promise<Outcome[]>} in the order of the operations
 */
export async function measureInTurns(targets, operations, { rounds, seconds, connections }) {
  const turns = operations.map(() => targets.map(() => 0));
  /** @type {Measured[][][]} */
  const measured = operations.map(() => targets.map(() => []));
  for (let round = 0; round <= rounds; round++) {
    console.log(round === 0 ? 'Warming up ...' : `Round ${round} of ${rounds} ...`);
    for (const [o, operation] of rotate(operations, round / (rounds + 1))) {
      for (const [t, target] of alternate(targets, round)) {
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
  return operations.map(({ name: operation }, o) => {
    const rounds = Object.fromEntries(targets.map(({ name }, t) => [name, measured[o]?.[t] ?? []]));
    return {
      operation,
      targets: Object.fromEntries(
        Object.entries(rounds).map(([name, results]) => [name, medians(results)]),
      ),
      rounds,
    };
  });
}

/**
 * The ratio of two targets in each round. Conditions that change between rounds, such as the speed of the machine,
 * are the same for both.
 *
 * @param {Outcome} outcome
 * @param {string} measuredName
 * @param {string} reference
 * @param {keyof Measured} name
 */
export const ratiosOfRounds = ({ rounds }, measuredName, reference, name) =>
  (rounds[measuredName] ?? []).map(
    (of, round) => of[name] / (rounds[reference]?.[round]?.[name] ?? NaN),
  );

/**
 * Rotates the items by a fraction of their number, so that periodic work, such as the server's vacuum, does not affect
 * the same operation in every round.
 *
 * @template Item
 * @param {Item[]} items
 * @param {number} fraction from 0 to 1
 */
function rotate(items, fraction) {
  const entries = [...items.entries()];
  const first = Math.floor(items.length * fraction);
  return [...entries.slice(first), ...entries.slice(0, first)];
}

/** Reverses the order in every second round. @template Item @param {Item[]} items @param {number} round */
function alternate(items, round) {
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
