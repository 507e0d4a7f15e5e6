import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { ROW_LOCKS, StoredRepository } from '../platform/database/repositories.js';
import type { UserId } from '../platform/values/user-id.js';
import { User, type Person } from './user.entity.js';

export type NewUser = Pick<User, 'email' | 'passwordHash' | 'householdId' | 'role'> &
  Partial<Pick<User, 'firstName' | 'lastName' | 'preferredCurrency' | 'locale'>>;

@Injectable()
export class UsersRepository extends StoredRepository<User> {
  protected readonly entity = User;

  find(manager: EntityManager, where: { id: UserId } | { email: string }): Promise<User | null> {
    return manager.findOne(User, { where });
  }

  lock(manager: EntityManager, id: UserId): Promise<User | null> {
    return manager.findOne(User, { where: { id }, lock: { mode: ROW_LOCKS.update } });
  }

  /**
   * Like {@link lock}, and keeps other transactions from creating records of the user, whose foreign keys wait for this
   * lock. To be taken before any other.
   */
  lockExclusively(manager: EntityManager, id: UserId): Promise<User | null> {
    return manager.findOne(User, { where: { id }, lock: { mode: 'pessimistic_write' } });
  }

  /** All users, in order of registration. */
  list(manager: EntityManager): Promise<User[]> {
    return manager.find(User, { order: { seq: 'ASC' } });
  }

  /** The users of a household, in order of joining. */
  listHousehold(manager: EntityManager, householdId: string): Promise<User[]> {
    return manager.find(User, { where: { householdId }, order: { seq: 'ASC' } });
  }

  countMembers(manager: EntityManager, householdId: string): Promise<number> {
    return manager.count(User, { where: { householdId } });
  }

  /** A user with only the columns that other members see. */
  findPerson(manager: EntityManager, id: UserId): Promise<Person | null> {
    return manager.findOne(User, {
      select: { id: true, email: true, firstName: true, lastName: true },
      where: { id },
    });
  }

  insert(manager: EntityManager, values: NewUser): Promise<User> {
    return this.insertRow(manager, values);
  }

  update(manager: EntityManager, user: User, changes: Partial<User>): Promise<void> {
    return this.updateRow(manager, user, { id: user.id }, changes);
  }
}
