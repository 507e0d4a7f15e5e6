import { Injectable } from '@nestjs/common';
import argon2 from 'argon2';
import { availableParallelism } from 'node:os';
import pLimit from 'p-limit';
import { DomainError } from '../platform/errors/domain-error.js';

/** OWASP's recommendation for Argon2id: 19 MiB, two iterations, one lane. */
const PARAMETERS = { type: argon2.argon2id, memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Default size of the libuv thread pool, which also serves file access and DNS lookups. */
const THREAD_POOL_SIZE = 4;
/**
 * One hash per core at most, because hashing is CPU-bound, and one thread remains for other work.
 */
const MAX_CONCURRENT_HASHES = Math.min(THREAD_POOL_SIZE - 1, availableParallelism());
/** A few seconds of work; further requests get 503 instead of a long wait. */
const MAX_QUEUED_HASHES = 100;

/** Hashes passwords with limited concurrency, so that many logins do not delay other requests. */
@Injectable()
export class PasswordHasher {
  private readonly limit = pLimit(MAX_CONCURRENT_HASHES);
  private readonly dummyHash = this.hash('placeholder for unknown users');

  /**
   * Hashes a password in Unicode NFC, so that it is the same from every keyboard.
   *
   * @throws DomainError SERVICE_UNAVAILABLE when the queue is full
   */
  hash(password: string): Promise<string> {
    return this.enqueue(() => argon2.hash(password.normalize('NFC'), PARAMETERS));
  }

  /**
   * Whether the password matches in Unicode NFC, or else as typed, as versions before 1.2 hashed
   * it. Takes the same time for an unknown user (no hash) as for a wrong password.
   *
   * @throws DomainError SERVICE_UNAVAILABLE when the queue is full
   */
  async verify(hash: string | undefined, password: string): Promise<boolean> {
    const comparedHash = hash ?? (await this.dummyHash);
    const forms = new Set([password.normalize('NFC'), password]);
    // Both in one turn: a second one could be refused, and would let others wait twice.
    const matches = await this.enqueue(() => matchesAny(comparedHash, forms));
    return matches && hash !== undefined;
  }

  private enqueue<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.limit.pendingCount < MAX_QUEUED_HASHES) return this.limit(work);
    throw new DomainError('SERVICE_UNAVAILABLE', 'Too many concurrent sign-ins; try again');
  }
}

async function matchesAny(hash: string, passwords: Iterable<string>): Promise<boolean> {
  for (const password of passwords) if (await argon2.verify(hash, password)) return true;
  return false;
}
