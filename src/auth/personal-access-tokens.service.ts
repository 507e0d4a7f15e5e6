import { Injectable, Logger } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import type { EntityManager } from 'typeorm';
import { Database } from '../platform/database/database.js';
import { assertWithinLimit, ResourceNotFoundError } from '../platform/errors/domain-error.js';
import type { Requester } from '../platform/values/requester.js';
import { hashOfToken, newToken } from '../platform/values/secret-token.js';
import type { Owner } from '../platform/values/user-id.js';
import type { AuthenticatedUser } from '../users/authenticated-user.js';
import { inactiveUser } from '../users/user-errors.js';
import { UsersService } from '../users/users.service.js';
import type {
  CreatePersonalAccessTokenDto,
  CreatedPersonalAccessTokenResponse,
  PersonalAccessTokenResponse,
} from './dto/personal-access-token.dto.js';
import { MAX_PERSONAL_ACCESS_TOKENS } from './personal-access-token.entity.js';
import { findToken, listTokens, type IdentifiedToken } from './personal-access-tokens.queries.js';
import { PersonalAccessTokensRepository } from './personal-access-tokens.repository.js';
import { SessionsService } from './sessions.service.js';

/** Personal access tokens begin with it; those of sessions, which are JWTs, do not. */
const PREFIX = 'pat_';
const TOKEN_BYTES = 32;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const DEFAULT_DAYS = 90;

export const isPersonalAccessToken = (token: string): boolean => token.startsWith(PREFIX);

/**
 * Tokens with which scripts act for a user, with read or write access; the database has only their
 * hashes.
 */
@Injectable()
export class PersonalAccessTokensService {
  private readonly logger = new Logger('PersonalAccessTokens');

  constructor(
    private readonly database: Database,
    private readonly repository: PersonalAccessTokensRepository,
    private readonly users: UsersService,
    private readonly sessions: SessionsService,
  ) {}

  /**
   * Creates a token; only the result contains it. The user is locked, so that none is created after
   * a change of the password or a deactivation has ended all.
   *
   * @throws DomainError INVALID_TOKEN, INACTIVE_USER; RESOURCE_CONFLICT at the limit
   */
  create(
    user: AuthenticatedUser,
    dto: CreatePersonalAccessTokenDto,
  ): Promise<CreatedPersonalAccessTokenResponse> {
    const token = `${PREFIX}${newToken(TOKEN_BYTES)}`;
    return this.database.transaction(user, async (scope) => {
      const { active } = await this.users.lock(scope.manager, user.id); // 401
      if (!active) throw inactiveUser(); // 403
      await this.sessions.assertOpen(scope, user.sessionId); // 401
      const stored = await this.repository.count(scope);
      const limit = MAX_PERSONAL_ACCESS_TOKENS;
      assertWithinLimit('personal_access_token', { stored, limit }); // 409
      const createdAt = new Date();
      const days = dto.expires_in_days ?? DEFAULT_DAYS;
      const row = {
        id: randomUUID(),
        name: dto.name,
        access: dto.access ?? 'read',
        tokenHash: hashOfToken(token),
        createdAt,
        expiresAt: new Date(createdAt.getTime() + days * DAY_MS),
        lastUsedAt: null,
      };
      this.repository.insert(scope, row);
      return {
        id: row.id,
        name: row.name,
        access: row.access,
        created_at: createdAt.toISOString(),
        expires_at: row.expiresAt.toISOString(),
        last_used_at: null,
        token,
      };
    });
  }

  /** The user's unexpired tokens, newest first. */
  list(user: Requester): Promise<PersonalAccessTokenResponse[]> {
    return this.database.read(user, listTokens);
  }

  /** @throws ResourceNotFoundError when the user has no such token, or it has expired */
  async end(user: Requester, id: string): Promise<void> {
    await this.database.transaction(user, async (scope) => {
      const isEnded = await this.repository.remove(scope, id);
      if (!isEnded) throw new ResourceNotFoundError('personal_access_token');
    });
  }

  /** Ends all tokens of a user in the caller's transaction. */
  endAll(manager: EntityManager, user: Owner): void {
    this.repository.expireAll(manager, user);
  }

  /**
   * Ends all tokens of a user, for operators.
   *
   * @returns how many there were
   */
  revokeAll(user: Requester): Promise<number> {
    return this.database.transaction(user, async (scope) => {
      const count = await this.repository.count(scope);
      this.repository.expireAll(scope.manager, user);
      return count;
    });
  }

  /**
   * The token that a request has, read from the database each time, so that an ended one is refused
   * at once by every process. Undefined if it is unknown or has expired; that of a deactivated user
   * is found as long as its row exists.
   */
  find(token: string): Promise<IdentifiedToken | undefined> {
    return this.findAt(token, Date.now());
  }

  /**
   * A token that was found before; undefined if it has ended since. That it has expired does not
   * count: a token that ends has an earlier expiry than before.
   */
  findAgain(token: string, { expiresAt }: IdentifiedToken): Promise<IdentifiedToken | undefined> {
    return this.findAt(token, Math.min(Date.now(), Date.parse(expiresAt) - 1));
  }

  private findAt(token: string, time: number): Promise<IdentifiedToken | undefined> {
    return this.database.systemQuery((manager) =>
      findToken(manager, hashOfToken(token), new Date(time)),
    );
  }

  /**
   * Records the use of a token, at most once an hour. A failure fails no request: the database may
   * be read-only.
   */
  async recordUse({ id, lastUsedAt, user }: IdentifiedToken): Promise<void> {
    if (lastUsedAt !== null && Date.now() - Date.parse(lastUsedAt) < HOUR_MS) return;
    try {
      await this.database.systemQuery((manager) => this.repository.setLastUse(manager, user, id));
    } catch (error) {
      this.logger.warn(`The use of a token is not recorded: ${String(error)}`);
    }
  }
}
