import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { UserId } from '../common/user-id.js';
import { Database } from '../database/database.js';
import { insertRecords, updateRecord } from '../database/records.js';
import { Household } from './household.entity.js';
import { User } from './user.entity.js';

export type NewUser = Pick<User, 'email' | 'passwordHash'> &
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

  /** The user, locked until the transaction ends. */
  lock(manager: EntityManager, id: UserId): Promise<User> {
    return manager.findOneOrFail(User, { where: { id }, lock: { mode: 'pessimistic_write' } });
  }

  /** Stores a user as the admin of a household of their own. */
  async createWithHousehold(manager: EntityManager, values: NewUser): Promise<User> {
    const household = Object.assign(new Household(), { name: householdName(values) });
    await insertRecords(manager, Household, [household]);
    const user = Object.assign(new User(), values, { householdId: household.id, role: 'admin' });
    await insertRecords(manager, User, [user]);
    return user;
  }

  update(manager: EntityManager, user: User, changes: Partial<User>): Promise<void> {
    return updateRecord(manager, User, user, changes);
  }
}

function householdName({ firstName }: NewUser): string {
  // Cut to what a household's name may hold: a first name may be as long by itself.
  return firstName ? [...`${firstName}'s household`].slice(0, 100).join('') : 'My household';
}
