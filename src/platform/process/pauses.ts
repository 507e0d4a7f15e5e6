import { setImmediate } from 'node:timers/promises';

/** How long a loop over many items holds the event loop at a time. */
const MAX_HOLD_MS = 20;

/** The items one after another, with pauses in which other requests are processed. */
export async function* withPauses<Item>(items: Iterable<Item>): AsyncGenerator<Item, void> {
  let resumedAt = performance.now();
  for (const item of items) {
    if (performance.now() - resumedAt > MAX_HOLD_MS) {
      await setImmediate();
      resumedAt = performance.now();
    }
    yield item;
  }
}
