import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { hashOfToken, newToken } from '../platform/values/secret-token.js';
import type { Owner, UserId } from '../platform/values/user-id.js';
import { PasswordResetTokensRepository } from './password-reset-tokens.repository.js';

const TOKEN_BYTES = 32;
const HOUR_MS = 3_600_000;
const VALIDITY_MS = { user: HOUR_MS, operator: 24 * HOUR_MS };

/** The limits of tokens that a user has requested: valid ones, and ones made in an hour. */
const MAX_VALID = 3;
const MAX_PER_HOUR = 5;

export interface NewResetToken {
  token: string;
  expiresAt: Date;
}

/** Tokens that set a new password, in the caller's transaction. */
@Injectable()
export class PasswordResetTokensService {
  constructor(private readonly repository: PasswordResetTokensRepository) {}

  /**
   * A token that a locked user has requested; the oldest one ends if the user would have more than
   * {@link MAX_VALID}.
   *
   * @returns null if the user has requested {@link MAX_PER_HOUR} in the last hour
   */
  async createForUser(manager: EntityManager, user: Owner): Promise<NewResetToken | null> {
    const hourAgo = new Date(Date.now() - HOUR_MS);
    const requested = await this.repository.listRequested(manager, user, hourAgo);
    if (requested.length >= MAX_PER_HOUR) return null;
    const valid = requested.filter(({ endedAt }) => endedAt === null);
    const oldest = valid.slice(0, Math.max(0, valid.length - (MAX_VALID - 1)));
    // Tokens end before the insertion: Citus locks the whole table for an update, and concurrent
    // transactions that have inserted a row would deadlock.
    if (oldest.length > 0) this.repository.end(manager, user, oldest);
    return this.create(manager, user, 'user');
  }

  /** A token for an operator, who gives it to the user. It counts in no limit. */
  createForOperator(manager: EntityManager, user: Owner): NewResetToken {
    return this.create(manager, user, 'operator');
  }

  /** The user of a valid token. */
  findUserId(manager: EntityManager, token: string): Promise<UserId | undefined> {
    return this.repository.findUserId(manager, hashOfToken(token));
  }

  /** Ends all tokens of the user, those of operators included. */
  endAll(manager: EntityManager, user: Owner): void {
    this.repository.endAll(manager, user);
  }

  private create(
    manager: EntityManager,
    user: Owner,
    maker: keyof typeof VALIDITY_MS,
  ): NewResetToken {
    const token = newToken(TOKEN_BYTES);
    const createdAt = new Date();
    const expiresAt = new Date(createdAt.getTime() + VALIDITY_MS[maker]);
    this.repository.insert(manager, user, {
      tokenHash: hashOfToken(token),
      byOperator: maker === 'operator',
      createdAt,
      expiresAt,
    });
    return { token, expiresAt };
  }
}
