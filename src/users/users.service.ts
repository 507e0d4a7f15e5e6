import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { IdentityCache } from '../auth/identity-cache.js';
import { Database, type Scope } from '../platform/database/database.js';
import { DomainError, invalidToken } from '../platform/errors/domain-error.js';
import type { UserId } from '../platform/values/user-id.js';
import type { Person, User } from './user.entity.js';
import {
  findIdentity,
  findProfile,
  type Identity,
  type ProfileRow,
  type TokenSubject,
} from './users.queries.js';
import { UsersRepository, type NewUser } from './users.repository.js';

@Injectable()
export class UsersService {
  private readonly identities = new IdentityCache();

  constructor(
    private readonly database: Database,
    private readonly repository: UsersRepository,
  ) {}

  /** The user of an access token, if {@link identify} has read it in the last three seconds. */
  cachedIdentity(accessToken: string): Identity | undefined {
    return this.identities.get(accessToken);
  }

  /**
   * The user of an access token with these claims and whether it is active; null if the user does not exist or has no
   * open session of the token.
   */
  identify(accessToken: string, claims: TokenSubject): Promise<Identity | null> {
    return this.identities.read(accessToken, () => findIdentity(claims, this.database.manager));
  }

  /**
   * Removes a user from the cache; to be called after a change of `active` or the password, or the end of a session, is
   * committed.
   */
  invalidateCache(id: UserId): void {
    this.identities.invalidate(id);
  }

  findById(id: UserId): Promise<User | null> {
    return this.repository.find(this.database.manager, { id });
  }

  /** Undefined if the user does not exist. */
  findProfile(id: UserId): Promise<ProfileRow | undefined> {
    return findProfile(id, this.database.manager);
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
   * Reads the role and locks the user, because the role may change concurrently.
   *
   * @throws DomainError FORBIDDEN
   */
  async requireAdmin(
    { manager, userId }: Scope,
    refusal = 'This action requires the admin role',
  ): Promise<void> {
    const { role } = await this.lock(manager, userId);
    if (role !== 'admin') throw new DomainError('FORBIDDEN', refusal);
  }

  /**
   * Keeps other transactions from creating records of the user until the transaction ends; to be called first in it.
   *
   * @throws DomainError INVALID_TOKEN when the user was deleted after the token was checked
   */
  async lockRecords({ manager, userId }: Scope): Promise<void> {
    if (!(await this.repository.lockExclusively(manager, userId))) throw invalidToken();
  }

  /** Null if the user was deleted. */
  findPerson({ manager }: Scope, id: UserId): Promise<Person | null> {
    return this.repository.findPerson(manager, id);
  }

  /** The members of a household, in order of joining. */
  listHousehold(manager: EntityManager, householdId: string): Promise<User[]> {
    return this.repository.listHousehold(manager, householdId);
  }

  countMembers(manager: EntityManager, householdId: string): Promise<number> {
    return this.repository.countMembers(manager, householdId);
  }

  create(manager: EntityManager, values: NewUser): Promise<User> {
    return this.repository.insert(manager, values);
  }

  update(manager: EntityManager, user: User, changes: Partial<User>): Promise<void> {
    return this.repository.update(manager, user, changes);
  }
}
