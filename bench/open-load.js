// @ts-check
/**
 * Load at a fixed rate: the next request is sent when it is due, whether or not those before it are
 * answered, and its time counts from when it was due. A server that is slow is asked no less.
 */
import { Agent, request } from 'node:http';

/** @typedef {{ milliseconds: number[], statuses: Map<string, number> }} Slice */

const TICK_MS = 5;
/** More than that at a time is a server that does not keep up. */
const MOST_CONNECTIONS = 256;

/**
 * @param {string} origin
 * @param {{ perSecond: number, next: (turn: number) => import('./operations.js').Request }} load
 */
export function startOpenLoad(origin, { perSecond, next }) {
  const agent = new Agent({ keepAlive: true, maxSockets: MOST_CONNECTIONS });
  const start = performance.now();
  let sent = 0;
  let slice = emptySlice();
  /** @type {Set<Promise<void>>} */
  const waiting = new Set();

  const sendDue = () => {
    for (; start + (sent * 1000) / perSecond <= performance.now(); sent += 1) {
      const due = start + (sent * 1000) / perSecond;
      const answered = send(origin, agent, next(sent)).then((status) => {
        slice.milliseconds.push(performance.now() - due);
        slice.statuses.set(status, (slice.statuses.get(status) ?? 0) + 1);
        waiting.delete(answered);
      });
      waiting.add(answered);
    }
  };
  const timer = setInterval(sendDue, TICK_MS);

  return {
    /** What was answered since the last time. */
    take: () => {
      const taken = slice;
      slice = emptySlice();
      return taken;
    },
    stop: async () => {
      clearInterval(timer);
      await Promise.all(waiting);
      agent.destroy();
    },
  };
}

/** @returns {Slice} */
const emptySlice = () => ({ milliseconds: [], statuses: new Map() });

/**
 * @param {string} origin
 * @param {Agent | undefined} agent
 * @param {import('./operations.js').Request} call
 * @returns {Promise<string>} the status, or what kept the answer away
 */
export function send(origin, agent, { method, path, headers, body }) {
  return new Promise((resolve) => {
    const outgoing = request(new URL(path, origin), { method, headers, agent }, (answer) => {
      answer.resume().once('end', () => resolve(String(answer.statusCode)));
    });
    outgoing.once('error', ({ message }) => resolve(message));
    outgoing.end(body);
  });
}

/** @param {Slice} slice */
export function failuresOf({ statuses }) {
  return [...statuses]
    .filter(([status]) => !status.startsWith('2'))
    .map(([status, count]) => `${count} x ${status}`);
}

/** @param {readonly number[]} values @param {number} part 0.5 for the median */
export function percentile(values, part) {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) * part)] ?? NaN;
}
