import { setTimeout } from 'node:timers/promises';

/**
 * Whether work completes within a time, after which it goes on. Rejects if it fails within that
 * time.
 */
export async function completesWithin(
  work: Promise<unknown>,
  milliseconds: number,
): Promise<boolean> {
  const timer = new AbortController();
  const timeout = setTimeout(milliseconds, false, { signal: timer.signal }).catch(() => false);
  try {
    return await Promise.race([work.then(() => true), timeout]);
  } finally {
    timer.abort();
  }
}
