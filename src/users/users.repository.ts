import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { insertRows, lockRow, sendUpdate } from '../platform/database/repositories.js';
import type { UserId } from '../platform/values/user-id.js';
import { nextUpdatedAt } from '../records/record-updates.js';
import { User, type Person } from './user.entity.js';

/** The properties of what was sent to a user, which no response shows. */
export type InternalProperty =
  'reminderLinks' | 'reminderLinksSince' | 'remindedOn' | 'remindedBelowZero';

@Injectable()
export class UsersRepository {
  find(manager: EntityManager, where: { id: UserId } | { email: string }): Promise<User | null> {
    return manager.getRepository(User).findOne({ where });
  }

  lock(manager: EntityManager, id: UserId): Promise<User | null> {
    return lockRow(manager.getRepository(User), { id }, 'update');
  }

  /**
   * Locks the user, and keeps other transactions from creating records of the user, whose foreign
   * keys wait for this lock. It must be taken before any other.
   */
  lockExclusively(manager: EntityManager, id: UserId): Promise<User | null> {
    return manager
      .getRepository(User)
      .findOne({ where: { id }, lock: { mode: 'pessimistic_write' } });
  }

  /** All users, in order of registration. */
  list(manager: EntityManager): Promise<User[]> {
    return manager.getRepository(User).find({ order: { seq: 'ASC' } });
  }

  /** The users of a household, in order of joining. */
  listHousehold(manager: EntityManager, householdId: string): Promise<User[]> {
    return manager.getRepository(User).find({ where: { householdId }, order: { seq: 'ASC' } });
  }

  countMembers(manager: EntityManager, householdId: string): Promise<number> {
    return manager.getRepository(User).count({ where: { householdId } });
  }

  /** A user with only the columns that other members see. */
  findPerson(manager: EntityManager, id: UserId): Promise<Person | null> {
    return manager.getRepository(User).findOne({
      select: { id: true, email: true, firstName: true, lastName: true },
      where: { id },
    });
  }

  insert(manager: EntityManager, user: User): void {
    insertRows({ manager }, User, [user]);
  }

  /** Updates a locked user, and the object. */
  update(manager: EntityManager, user: User, changes: Partial<User>): void {
    const values = { ...changes, updatedAt: nextUpdatedAt(user) };
    sendUpdate(manager, User, { id: user.id }, values);
    Object.assign(user, values);
  }

  /** Updates what is no part of the profile of a locked user, and the object. */
  updateInternal(
    manager: EntityManager,
    user: User,
    changes: Partial<Pick<User, InternalProperty>>,
  ): void {
    // Without this value TypeORM sets the time of the update.
    sendUpdate(manager, User, { id: user.id }, { ...changes, updatedAt: user.updatedAt });
    Object.assign(user, changes);
  }
}
