import { LRUCache } from 'lru-cache';
import type { UserId } from '../platform/values/user-id.js';
import type { Identity } from '../users/users.queries.js';

/** Counted from the start of the read, so that an identity is never older. */
const TTL_MS = 3000;
const MAX_TOKENS = 10_000;

/** The users of access tokens that were read from the database in the last three seconds (docs/decisions/0008). */
export class IdentityCache {
  private readonly identities = new LRUCache<string, Identity>({
    max: MAX_TOKENS,
    ttl: TTL_MS,
    // Reads the clock on every access instead of with a timer.
    ttlResolution: 0,
  });
  private invalidations = 0;

  get(accessToken: string): Identity | undefined {
    const identity = this.identities.get(accessToken);
    return identity && identity.expiresAt > Date.now() ? identity : undefined;
  }

  /** Reads an identity and caches it, unless one was invalidated meanwhile: the value that was read may be older. */
  async read(accessToken: string, read: () => Promise<Identity | null>): Promise<Identity | null> {
    const start = performance.now();
    const { invalidations } = this;
    const identity = await read();
    if (identity?.active && invalidations === this.invalidations) {
      this.identities.set(accessToken, identity, { start });
    }
    return identity;
  }

  /** Removes the identities of a user. */
  invalidate(userId: UserId): void {
    this.invalidations += 1;
    for (const [accessToken, { id }] of this.identities.entries()) {
      if (id === userId) this.identities.delete(accessToken);
    }
  }
}
