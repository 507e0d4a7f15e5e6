import { setTimeout } from 'node:timers/promises';

/** Long enough to start a process on a busy machine. */
const TIMEOUT_MS = 60_000;
const POLL_INTERVAL_MS = 50;

/**
 * Polls until `poll` returns a value other than `undefined` and `false`; throws after the timeout.
 */
export async function eventually<T>(
  description: string,
  poll: () => T | undefined | false | Promise<T | undefined | false>,
  timeoutMs = TIMEOUT_MS,
): Promise<T> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const result = await poll();
    if (result !== undefined && result !== false) return result;
    if (Date.now() > deadline) throw new Error(`Timeout after ${timeoutMs} ms: ${description}`);
    await setTimeout(POLL_INTERVAL_MS);
  }
}
