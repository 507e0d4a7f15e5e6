// @ts-check
/**
 * Open load at a fixed rate: a request is sent when it is due, whether or not the earlier ones have
 * responses, and its time counts from when it was due. A slow server gets as many requests.
 */
import { Agent, request } from 'node:http';

/** @typedef {{ milliseconds: number[], statuses: Map<string, number> }} Slice */

const TICK_MS = 5;
/** A server that needs more connections is overloaded. */
const MAX_CONNECTIONS = 256;

/**
 * @param {string} origin
 * @param {{ perSecond: number, next: (turn: number) => import('./operations.js').Request }} load
 */
export function startOpenLoad(origin, { perSecond, next }) {
  const agent = new Agent({ keepAlive: true, maxSockets: MAX_CONNECTIONS });
  const start = performance.now();
  let sent = 0;
  let slice = emptySlice();
  /** @type {Set<Promise<void>>} */
  const waiting = new Set();

  const sendDue = () => {
    for (; start + (sent * 1000) / perSecond <= performance.now(); sent += 1) {
      const due = start + (sent * 1000) / perSecond;
      const completed = send(origin, agent, next(sent)).then((status) => {
        slice.milliseconds.push(performance.now() - due);
        slice.statuses.set(status, (slice.statuses.get(status) ?? 0) + 1);
        waiting.delete(completed);
      });
      waiting.add(completed);
    }
  };
  const timer = setInterval(sendDue, TICK_MS);

  return {
    /** The responses since the last call. */
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
 * @returns {Promise<string>} the status, or the error message
 */
export function send(origin, agent, { method, path, headers, body }) {
  return new Promise((resolve) => {
    const outgoing = request(new URL(path, origin), { method, headers, agent }, (response) => {
      response.resume().once('end', () => resolve(String(response.statusCode)));
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
