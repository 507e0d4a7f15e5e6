import { jest } from '@jest/globals';
import { setTimeout } from 'node:timers/promises';
import type { Client } from './client.js';

/**
 * Sets the time of this process, which stands still until `jest.useRealTimers()`; timers run as
 * before.
 */
export function setTime(now: string): void {
  jest.useFakeTimers({
    now: new Date(now),
    doNotFake: [
      ...(['hrtime', 'nextTick', 'performance', 'queueMicrotask', 'setTimeout'] as const),
      ...(['clearTimeout', 'setInterval', 'clearInterval'] as const),
      ...(['setImmediate', 'clearImmediate'] as const),
    ],
  });
}

/** Sets the time, at which earlier tokens may have expired: the user signs in again. */
export async function travel(user: Client, now: string): Promise<void> {
  setTime(now);
  user.token = (await user.signInAgain()).token;
}

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

/**
 * Waits until after midnight UTC if that is less than two minutes away, for tests that read the
 * day before the service does.
 */
export async function passMidnight(): Promise<void> {
  const left = DAY_MS - (Date.now() % DAY_MS);
  if (left < 2 * MINUTE_MS) await setTimeout(left);
}
