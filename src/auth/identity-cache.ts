import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { EntityManager } from 'typeorm';
import { Database } from '../platform/database/database.js';
import type { UserId } from '../platform/values/user-id.js';
import { findIdentity, type Identity, type TokenSubject } from './identity.queries.js';

/** Counted from the start of the read, so that an identity is never older. */
const TTL_MS = 3000;
const MAX_TOKENS = 10_000;

/**
 * The users of access tokens that were read from the database in the last three seconds
 * (docs/decisions/0008).
 */
@Injectable()
export class IdentityCache {
  private readonly identities = new LRUCache<string, Identity>({
    max: MAX_TOKENS,
    ttl: TTL_MS,
    // Reads the clock on every access instead of with a timer.
    ttlResolution: 0,
  });
  private invalidations = 0;

  constructor(private readonly database: Database) {}

  /** The user of an access token, if {@link read} has read it in the last three seconds. */
  get(accessToken: string): Identity | undefined {
    const identity = this.identities.get(accessToken);
    return identity && identity.expiresAt > Date.now() ? identity : undefined;
  }

  /**
   * The user of an access token with these claims and whether it is active; null if the user does
   * not exist or has no open session of the token. Caches it, unless one was invalidated meanwhile:
   * the value that was read may be older.
   *
   * @param time when the session must not have expired, in milliseconds since 1970
   */
  async read(
    accessToken: string,
    claims: TokenSubject,
    time = Date.now(),
  ): Promise<Identity | null> {
    const start = performance.now();
    const { invalidations } = this;
    const identity = await this.database.systemQuery((manager) =>
      findIdentity(manager, claims, time),
    );
    if (identity?.active && invalidations === this.invalidations) {
      this.identities.set(accessToken, identity, { start });
    }
    return identity;
  }

  /**
   * The user of an access token that was accepted at an earlier time, like {@link read}: null if
   * the session or the user has ended since. That they have expired does not count.
   */
  async readAgain(
    accessToken: string,
    { id: userId, ...claims }: Identity,
    acceptedAt: number,
  ): Promise<Identity | null> {
    const cached = this.identities.get(accessToken);
    return cached ?? this.read(accessToken, { userId, ...claims }, acceptedAt);
  }

  /**
   * Removes the identities of a user when the transaction is committed; to be called with a change
   * of the user or the end of a session.
   */
  invalidateAfterCommit(manager: EntityManager, userId: UserId): void {
    this.database.afterCommit(manager, () => {
      this.invalidate(userId);
    });
  }

  /** Removes the identities of a user, whose change is committed. */
  invalidate(userId: UserId): void {
    this.invalidations += 1;
    for (const [accessToken, { id }] of this.identities.entries()) {
      if (id === userId) this.identities.delete(accessToken);
    }
  }

  /** Removes all identities, after a change of the database that names no users. */
  invalidateAll(): void {
    this.invalidations += 1;
    this.identities.clear();
  }
}
