import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { SETTINGS } from '../platform/config/config.module.js';
import type { Settings } from '../platform/config/settings.js';
import { Database, type Scope } from '../platform/database/database.js';
import { normalizeEmail } from '../platform/dto/fields.js';
import { DomainError } from '../platform/errors/domain-error.js';
import type { UserId } from '../platform/values/user-id.js';
import { withToday, type UserResponse } from './dto/user.dto.js';
import { invalidToken } from './user-errors.js';
import { User, type NewUser, type Person } from './user.entity.js';
import { findProfile } from './users.queries.js';
import { UsersRepository, type InternalProperty } from './users.repository.js';

@Injectable()
export class UsersService {
  constructor(
    private readonly database: Database,
    private readonly repository: UsersRepository,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  findById(id: UserId): Promise<User | null> {
    return this.database.systemQuery((manager) => this.repository.find(manager, { id }), id);
  }

  /** Undefined if the user does not exist. */
  async findProfile(id: UserId): Promise<UserResponse | undefined> {
    const profile = await this.database.systemQuery((manager) => findProfile(manager, id), id);
    return profile && withToday(profile, this.settings.todayIn);
  }

  /** @param email in any form */
  findByEmail(email: string): Promise<User | null> {
    return this.findByStoredEmail(normalizeEmail(email));
  }

  /** @param email as stored: an earlier version may have stored it in another form than NFC */
  findByStoredEmail(email: string): Promise<User | null> {
    return this.database.systemQuery((manager) => this.repository.find(manager, { email }));
  }

  /** All users, in order of registration. */
  list(): Promise<User[]> {
    return this.database.systemQuery((manager) => this.repository.list(manager));
  }

  /**
   * @param email the address in any form
   * @throws DomainError USER_NOT_FOUND
   */
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
   * Keeps other transactions from creating records of the user until the transaction ends; to be
   * called first in it.
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

  create(manager: EntityManager, fields: NewUser): User {
    const user = User.create(fields);
    this.repository.insert(manager, user);
    return user;
  }

  update(manager: EntityManager, user: User, changes: Partial<User>): void {
    this.repository.update(manager, user, changes);
  }

  /** Updates what is no part of the profile of a locked user: `updatedAt` stays. */
  updateInternal(
    manager: EntityManager,
    user: User,
    changes: Partial<Pick<User, InternalProperty>>,
  ): void {
    this.repository.updateInternal(manager, user, changes);
  }

  /**
   * Changes the e-mail, to which reminders are no longer confirmed; to be called first in the
   * transaction.
   *
   * @throws DomainError USER_ALREADY_EXISTS
   */
  async changeEmail(manager: EntityManager, id: UserId, email: string): Promise<void> {
    // An update of a unique column needs this lock, and could deadlock if it waited for it later.
    const user = await this.repository.lockExclusively(manager, id);
    if (user) this.repository.update(manager, user, { email, remindersConfirmed: false });
  }
}
