// @ts-check
/** Measures targets in turns, so that a slowdown of the machine affects all of them. */
import { setTimeout } from 'node:timers/promises';
import { median } from 'simple-statistics';
import { measure } from './load.js';
import { stopAll } from './processes.js';

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
 * The servers are started anew for each third of the rounds: what makes a process slow may last for
 * its whole life.
 */
export const STARTS = 3;

/**
 * @param {() => Promise<import('./processes.js').Target[]>} start the same targets each time, by
 *   name and order
 * @param {import('./operations.js').Operation[]} operations
 * @param {{ rounds: number, seconds: number, connections: number }} options
 * @returns {Promise<Outcome[]>} in the order of the operations
 */
export async function measureInTurns(start, operations, { rounds, seconds, connections }) {
  const turns = operations.map(() => /** @type {number[]} */ ([]));
  /** @type {Record<string, Measured[]>[]} */
  const measured = operations.map(() => ({}));

  /**
   * @param {import('./processes.js').Target[]} targets @param {number} round @param {boolean}
   *   warmUp
   */
  const measureRound = async (targets, round, warmUp) => {
    for (const [o, operation] of rotate(operations, round / (rounds + 1))) {
      for (const [t, target] of alternate(targets, round)) {
        const result = await measure(target, {
          connections,
          seconds,
          next: () => operation.request(count(turns[o] ?? [], t), t),
        });
        if (!warmUp) {
          const results = (measured[o] ??= {});
          (results[target.name] ??= []).push(result);
        }
        await setTimeout(PAUSE_MS);
      }
    }
  };

  const starts = operations.length === 0 ? 0 : Math.min(STARTS, rounds);
  for (let part = 0; part < starts; part++) {
    const first = Math.ceil((part * rounds) / starts) + 1;
    const last = Math.ceil(((part + 1) * rounds) / starts);
    const targets = await start();
    try {
      console.log('Warming up ...');
      await measureRound(targets, first - 1, true);
      for (let round = first; round <= last; round++) {
        console.log(`Round ${round} of ${rounds} ...`);
        await measureRound(targets, round, false);
      }
    } finally {
      await stopAll(targets);
    }
  }
  return operations.map(({ name: operation }, o) => {
    const results = Object.entries(measured[o] ?? {});
    return {
      operation,
      targets: Object.fromEntries(results.map(([name, all]) => [name, medians(all)])),
      rounds: Object.fromEntries(results),
    };
  });
}

/**
 * The ratio of two targets in each round. Conditions that change between rounds, such as the speed
 * of the machine, are the same for both.
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
 * Rotates the items by a fraction of their number, so that periodic work, such as the server's
 * vacuum, does not affect the same operation in every round.
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

/**
 * Reverses the order in every second round. @template Item @param {Item[]} items @param {number}
 * round
 */
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
