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

/**
 * Passes the items to a function one after another, with pauses as in {@link withPauses}; for tens
 * of thousands of short calls, between which no promise is made.
 */
export async function forEachWithPauses<Item>(
  items: Iterable<Item>,
  work: (item: Item) => void,
): Promise<void> {
  let resumedAt = performance.now();
  for (const item of items) {
    if (performance.now() - resumedAt > MAX_HOLD_MS) {
      await setImmediate();
      resumedAt = performance.now();
    }
    work(item);
  }
}
