import { Injectable } from '@nestjs/common';
import { In, type EntityManager } from 'typeorm';
import { DomainError } from '../common/errors/domain-error.js';
import type { UserId } from '../common/user-id.js';
import { Database } from '../database/database.js';
import { insertRecord, updateRecord } from '../database/records.js';
import type { Person } from './person.js';
import { User } from './user.entity.js';

export type NewUser = Pick<User, 'email' | 'passwordHash' | 'householdId' | 'role'> &
  Partial<Pick<User, 'firstName' | 'lastName' | 'preferredCurrency' | 'locale'>>;

/** The people of the service and the households they form. */
@Injectable()
export class UsersService {
  constructor(private readonly database: Database) {}

  findById(id: UserId): Promise<User | null> {
    return this.database.manager.findOneBy(User, { id });
  }

  findByEmail(email: string): Promise<User | null> {
    return this.database.manager.findOneBy(User, { email });
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

  /** The user, locked until the transaction ends. */
  lock(manager: EntityManager, id: UserId): Promise<User> {
    return manager.findOneOrFail(User, { where: { id }, lock: { mode: 'pessimistic_write' } });
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
