import { LRUCache } from 'lru-cache';

/** Counted from the start of the read, so that a value is never older. */
const TTL_MS = 3000;
const MAX_ENTRIES = 10_000;

/** A cache of values that were read from the database in the last three seconds. */
export class ReadCache<Key extends string, Value extends string | object> {
  /** Null while a value must not be cached. */
  private readonly cache = new LRUCache<Key, { value: Value | null }>({
    max: MAX_ENTRIES,
    ttl: TTL_MS,
    // Reads the clock on every access instead of with a timer.
    ttlResolution: 0,
  });

  get(key: Key): Value | undefined {
    return this.cache.get(key)?.value ?? undefined;
  }

  /** @param startedAt `performance.now()` before the read */
  add(key: Key, value: Value, startedAt: number): void {
    if (!this.cache.has(key)) this.cache.set(key, { value }, { start: startedAt });
  }

  /**
   * Removes a value after its change is committed. A concurrent read that began before the commit does not
   * cache the old value.
   */
  invalidate(key: Key): void {
    this.cache.set(key, { value: null });
  }
}
