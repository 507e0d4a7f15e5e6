import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { DomainError, invalidToken } from '../platform/errors/domain-error.js';
import type { TokenSubject } from '../platform/http/token-subject.js';
import type { Instant } from '../platform/values/instant.js';
import type { UserId } from '../platform/values/user-id.js';
import { Database } from '../platform/database/database.js';
import type { AuthenticatedUser } from './current-user.decorator.js';
import type { Person } from './person.js';
import { RecentReads } from './recent-reads.js';
import type { User } from './user.entity.js';
import type { UserResponse } from './user.response.js';
import { UsersRepository, type NewUser } from './users.repository.js';

export type Identity = AuthenticatedUser & { active: boolean; passwordChangedAt: Instant | null };

/** $1 the user, $2 the session or null. The expiry is null if the user has no such session. */
const IDENTIFY = `
  SELECT u.id, u.email, u.household_id AS "householdId", u.active,
    u.password_changed_at AS "passwordChangedAt", s.expires_at AS "sessionExpiresAt"
  FROM users u
  LEFT JOIN sessions s ON s.household_id = u.household_id AND s.user_id = u.id AND s.id = $2
  WHERE u.id = $1`;

/** Users of the service. */
@Injectable()
export class UsersService {
  private readonly activeUserCache = new RecentReads<UserId, Identity>();
  /** When each open session expires, by its id. */
  private readonly openSessionCache = new RecentReads<string, Instant>();

  constructor(
    private readonly database: Database,
    private readonly repository: UsersRepository,
  ) {}

  /**
   * The user of an access token and whether it is active, at most three seconds old; null if the user does not
   * exist, or the session of the token has ended.
   */
  async identify(token: TokenSubject): Promise<Identity | null> {
    const { userId, sessionId } = token;
    const user = this.activeUserCache.get(userId);
    const expiresAt = sessionId === undefined ? null : this.openSessionCache.get(sessionId);
    if (user && expiresAt !== undefined) return isAccepted(token, user, expiresAt) ? user : null;

    const startedAt = performance.now();
    const [row] = await this.database.manager.query<
      (Identity & { sessionExpiresAt: Instant | null })[]
    >(IDENTIFY, [userId, sessionId ?? null]);
    if (!row) return null;
    const { sessionExpiresAt, ...identity } = row;
    if (identity.active) this.activeUserCache.add(userId, identity, startedAt);
    if (sessionId !== undefined && sessionExpiresAt !== null) {
      this.openSessionCache.add(sessionId, sessionExpiresAt, startedAt);
    }
    return isAccepted(token, identity, sessionExpiresAt) ? identity : null;
  }

  /** Removes a user from the cache; to be called after a change of `active` or the password is committed. */
  invalidateCache(id: UserId): void {
    this.activeUserCache.invalidate(id);
  }

  /** Removes sessions from the cache; to be called after their end is committed. */
  invalidateSessions(ids: readonly string[]): void {
    for (const id of ids) this.openSessionCache.invalidate(id);
  }

  findById(id: UserId): Promise<User | null> {
    return this.repository.find(this.database.manager, { id });
  }

  /** The response of `GET /auth/me`; undefined if the user does not exist. */
  async findProfile(id: UserId): Promise<UserResponse | undefined> {
    const [profile] = await this.database.manager.query<UserResponse[]>(
      `SELECT id, email, first_name, last_name, preferred_currency, locale, active, created_at, updated_at
       FROM users WHERE id = $1`,
      [id],
    );
    return profile;
  }

  findByEmail(email: string): Promise<User | null> {
    return this.repository.find(this.database.manager, { email });
  }

  /** All users, in order of registration. */
  list(): Promise<User[]> {
    return this.repository.list(this.database.manager);
  }

  /** @throws DomainError USER_NOT_FOUND */
  async getByEmail(email: string): Promise<User> {
    const user = await this.findByEmail(email);
    if (!user) throw new DomainError('USER_NOT_FOUND', `User ${email} not found`);
    return user;
  }

  /**
   * The user, locked until the transaction ends.
   *
   * @throws DomainError INVALID_TOKEN when the user was deleted after the token was checked
   */
  async lock(manager: EntityManager, id: UserId): Promise<User> {
    const user = await this.repository.lock(manager, id);
    if (!user) throw invalidToken();
    return user;
  }

  /**
   * Keeps other transactions from creating records of the user until the transaction ends; to be called first in it.
   *
   * @throws DomainError INVALID_TOKEN when the user was deleted after the token was checked
   */
  async lockRecords(manager: EntityManager, id: UserId): Promise<void> {
    if (!(await this.repository.lockExclusively(manager, id))) throw invalidToken();
  }

  /** Users by id; deleted ones are missing. */
  async findPeople(
    manager: EntityManager,
    ids: readonly UserId[],
  ): Promise<ReadonlyMap<UserId, Person>> {
    if (ids.length === 0) return new Map();
    const people = await this.repository.listPeople(manager, ids);
    return new Map(people.map((person) => [person.id, person]));
  }

  /** The members of a household, in order of joining. */
  listHousehold(manager: EntityManager, householdId: string): Promise<User[]> {
    return this.repository.listHousehold(manager, householdId);
  }

  create(manager: EntityManager, values: NewUser): Promise<User> {
    return this.repository.insert(manager, values);
  }

  update(manager: EntityManager, user: User, changes: Partial<User>): Promise<void> {
    return this.repository.update(manager, user, changes);
  }
}

/** Whether the session of a token is open. A token without one is accepted until the password is changed. */
function isAccepted(
  { sessionId, issuedAt }: TokenSubject,
  { passwordChangedAt }: Identity,
  sessionExpiresAt: Instant | null,
): boolean {
  if (sessionId !== undefined) {
    return sessionExpiresAt !== null && Date.parse(sessionExpiresAt) > Date.now();
  }
  return passwordChangedAt === null || issuedAt >= Date.parse(passwordChangedAt);
}
