import { setTimeout } from 'node:timers/promises';

/** Long enough for a busy machine to start a process; what must be quick says so. */
const WITHIN_MS = 60_000;
const PAUSE_MS = 50;

/** What `look` gives as soon as it gives something; the test fails when that takes too long. */
export async function eventually<T>(
  what: string,
  look: () => T | undefined | false | Promise<T | undefined | false>,
  withinMs = WITHIN_MS,
): Promise<T> {
  const deadline = Date.now() + withinMs;
  for (;;) {
    const seen = await look();
    if (seen !== undefined && seen !== false) return seen;
    if (Date.now() > deadline) throw new Error(`Not within ${withinMs} ms: ${what}`);
    await setTimeout(PAUSE_MS);
  }
}
