import { Injectable } from '@nestjs/common';
import argon2 from 'argon2';
import { availableParallelism } from 'node:os';
import pLimit from 'p-limit';
import { DomainError } from '../common/errors/domain-error.js';

/** OWASP's recommendation for Argon2id: 19 MiB, two passes, one lane. */
const PARAMETERS = { type: argon2.argon2id, memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Of the process, for files and the names of hosts as well. */
const THREADS = 4;
/**
 * A hash keeps a core busy and a thread; more at once than cores would only last longer each, and a thread is
 * left to everything else.
 */
const AT_ONCE = Math.min(THREADS - 1, availableParallelism());
/** A few seconds of work; who comes then is answered sooner by being sent away. */
const LONGEST_QUEUE = 100;

/** Hashes passwords, a few at a time: a crowd that signs in must not keep everyone else waiting. */
@Injectable()
export class PasswordHasher {
  private readonly limit = pLimit(AT_ONCE);
  private readonly decoy = this.hash('a password that nobody has');

  /** @throws DomainError SERVICE_UNAVAILABLE when too many wait for theirs */
  hash(password: string): Promise<string> {
    return this.inTurn(() => argon2.hash(password, PARAMETERS));
  }

  /**
   * Takes as long for an unknown user (no hash) as for a wrong password.
   *
   * @throws DomainError SERVICE_UNAVAILABLE when too many wait for theirs
   */
  async verify(hash: string | undefined, password: string): Promise<boolean> {
    const known = hash ?? (await this.decoy);
    const matches = await this.inTurn(() => argon2.verify(known, password));
    return matches && hash !== undefined;
  }

  private inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.limit.pendingCount < LONGEST_QUEUE) return this.limit(work);
    throw new DomainError('SERVICE_UNAVAILABLE', 'Too many are signing in just now; try again');
  }
}
