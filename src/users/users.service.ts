import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { In, type EntityManager } from 'typeorm';
import { DomainError } from '../common/errors/domain-error.js';
import { invalidToken } from '../common/errors/invalid-token.js';
import type { UserId } from '../common/user-id.js';
import { Database } from '../database/database.js';
import { insertRecord, readRecord, updateRecord } from '../database/records.js';
import type { AuthenticatedUser } from './current-user.decorator.js';
import type { Person } from './person.js';
import { User } from './user.entity.js';
import type { UserResponse } from './user.response.js';

/** A user is taken for active for so long without being read anew. */
const RELIED_ON_MS = 3000;
const MOST_RELIED_ON = 10_000;

export type Identity = AuthenticatedUser & { active: boolean };

export type NewUser = Pick<User, 'email' | 'passwordHash' | 'householdId' | 'role'> &
  Partial<Pick<User, 'firstName' | 'lastName' | 'preferredCurrency' | 'locale'>>;

/** The people of the service and the households they form. */
@Injectable()
export class UsersService {
  /** Active users who were read lately; null for those who must be read anew for a while. */
  private readonly reliedOn = new LRUCache<UserId, { identity: Identity | null }>({
    max: MOST_RELIED_ON,
    ttl: RELIED_ON_MS,
    // The clock is asked each time, and no timer set to ask it once a millisecond.
    ttlResolution: 0,
  });

  constructor(private readonly database: Database) {}

  /** Who the user is, and whether active now or, as this process knows, within the last three seconds. */
  async identify(id: UserId): Promise<Identity | null> {
    const known = this.reliedOn.get(id);
    if (known?.identity) return known.identity;
    const [identity = null] = await this.database.manager.query<Identity[]>(
      'SELECT id, email, household_id AS "householdId", active FROM users WHERE id = $1',
      [id],
    );
    if (!known && identity?.active) this.reliedOn.set(id, { identity });
    return identity;
  }

  /**
   * To be called when a change of `active` is committed. A read that began before it and ends after it
   * does not bring the old state back.
   */
  forget(id: UserId): void {
    this.reliedOn.set(id, { identity: null });
  }

  findById(id: UserId): Promise<User | null> {
    return readRecord(this.database.manager, User, { where: { id } });
  }

  /** The account as its owner sees it. */
  async findProfile(id: UserId): Promise<UserResponse | undefined> {
    const [profile] = await this.database.manager.query<UserResponse[]>(
      `SELECT id, email, first_name, last_name, preferred_currency, locale, active, created_at, updated_at
       FROM users WHERE id = $1`,
      [id],
    );
    return profile;
  }

  findByEmail(email: string): Promise<User | null> {
    return readRecord(this.database.manager, User, { where: { email } });
  }

  /** Everyone, in the order they registered. */
  list(): Promise<User[]> {
    return this.database.manager.find(User, { order: { seq: 'ASC' } });
  }

  /** @throws DomainError USER_NOT_FOUND */
  async getByEmail(email: string): Promise<User> {
    const user = await this.findByEmail(email);
    if (!user) throw new DomainError('USER_NOT_FOUND', `No user has the e-mail ${email}`);
    return user;
  }

  /**
   * The user, locked until the transaction ends.
   *
   * @throws DomainError INVALID_TOKEN when the account has been removed since the token was checked
   */
  async lock(manager: EntityManager, id: UserId): Promise<User> {
    const user = await readRecord(manager, User, { where: { id }, lock: 'update' });
    if (!user) throw invalidToken();
    return user;
  }

  /** Who they are, by id; those whose account is gone are missing. */
  async findPeople(
    manager: EntityManager,
    ids: readonly UserId[],
  ): Promise<ReadonlyMap<UserId, Person>> {
    if (ids.length === 0) return new Map();
    const people = await manager.find(User, {
      select: { id: true, email: true, firstName: true, lastName: true },
      where: { id: In([...new Set(ids)]) },
    });
    return new Map(people.map((person) => [person.id, person]));
  }

  /** A household's people, in the order they joined. */
  listHousehold(manager: EntityManager, householdId: string): Promise<User[]> {
    return manager.find(User, { where: { householdId }, order: { seq: 'ASC' } });
  }

  async create(manager: EntityManager, values: NewUser): Promise<User> {
    const user = Object.assign(new User(), values);
    await insertRecord(manager, User, user);
    return user;
  }

  update(manager: EntityManager, user: User, changes: Partial<User>): Promise<void> {
    return updateRecord(manager, User, user, changes);
  }
}
