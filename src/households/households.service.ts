import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { DomainError, ResourceNotFoundError } from '../common/errors/domain-error.js';
import { Database } from '../database/database.js';
import { insertRecord, readRecord, updateRecord } from '../database/records.js';
import type { AuthenticatedUser } from '../users/current-user.decorator.js';
import { Household } from '../users/household.entity.js';
import type { User, UserRole } from '../users/user.entity.js';
import { UsersService } from '../users/users.service.js';
import type { UpdateHouseholdDto } from './dto/household.dto.js';

export interface HouseholdWithMembers {
  household: Household;
  /** In the order they joined. */
  members: User[];
}

/** Households and their members (see docs/api.md). */
@Injectable()
export class HouseholdsService {
  constructor(
    private readonly database: Database,
    private readonly users: UsersService,
  ) {}

  /** A new household, for a user who is about to become its admin. */
  async found(manager: EntityManager, founder: { firstName: string | null }): Promise<Household> {
    const household = Object.assign(new Household(), { name: nameFor(founder) });
    await insertRecord(manager, Household, household);
    return household;
  }

  getCurrent(user: AuthenticatedUser): Promise<HouseholdWithMembers> {
    return this.read(this.database.manager, user.householdId);
  }

  /** @throws DomainError FORBIDDEN unless the user is an admin */
  rename(user: AuthenticatedUser, { name }: UpdateHouseholdDto): Promise<HouseholdWithMembers> {
    return this.database.transaction(async (manager) => {
      const household = await this.lock(manager, user.householdId);
      await this.requireAdmin(manager, user);
      if (name !== undefined && name !== household.name) {
        await updateRecord(manager, Household, household, { name });
      }
      return this.read(manager, user.householdId);
    });
  }

  /**
   * Gives a member another role.
   *
   * @throws DomainError FORBIDDEN unless the user is an admin, USER_NOT_FOUND when the household has no
   *   such member, RESOURCE_CONFLICT when no active admin would be left
   */
  changeRole(user: AuthenticatedUser, memberId: string, role?: UserRole): Promise<User> {
    return this.database.transaction(async (manager) => {
      // Two admins who step down at once take turns here: the second one is the last.
      await this.lock(manager, user.householdId);
      await this.requireAdmin(manager, user);
      return this.assignRole(manager, { householdId: user.householdId, memberId, role });
    });
  }

  /** The same within a household that the caller has locked, whoever asks for it. */
  async assignRole(
    manager: EntityManager,
    { householdId, memberId, role }: { householdId: string; memberId: string; role?: UserRole },
  ): Promise<User> {
    const members = await this.users.listHousehold(manager, householdId);
    const member = members.find(({ id }) => id === memberId);
    if (!member) throw new DomainError('USER_NOT_FOUND', 'The household has no such member');
    if (role === undefined || role === member.role) return member;
    const admins = members.filter((other) => other.active && other.role === 'admin');
    if (role !== 'admin' && !admins.some((admin) => admin !== member)) {
      throw new DomainError('RESOURCE_CONFLICT', 'A household keeps at least one active admin', {
        resource: 'household',
      });
    }
    await this.users.update(manager, member, { role });
    return member;
  }

  /**
   * The role is read anew: it may have changed since the token was checked.
   *
   * @throws DomainError FORBIDDEN
   */
  async requireAdmin(manager: EntityManager, user: AuthenticatedUser): Promise<void> {
    const { role } = await this.users.lock(manager, user.id);
    if (role !== 'admin') {
      throw new DomainError('FORBIDDEN', 'Only an admin of the household may do this');
    }
  }

  /** The household, locked until the transaction ends: whoever changes its members holds it. */
  async lock(manager: EntityManager, id: string): Promise<Household> {
    const household = await readRecord(manager, Household, { where: { id }, lock: 'update' });
    if (!household) throw new ResourceNotFoundError('household');
    return household;
  }

  /** @throws ResourceNotFoundError */
  async read(manager: EntityManager, id: string): Promise<HouseholdWithMembers> {
    const household = await manager.findOneBy(Household, { id });
    if (!household) throw new ResourceNotFoundError('household');
    return { household, members: await this.users.listHousehold(manager, id) };
  }
}

function nameFor({ firstName }: { firstName: string | null }): string {
  // Cut to what a household's name may hold: a first name may be as long by itself.
  return firstName ? Array.from(`${firstName}'s household`).slice(0, 100).join('') : 'My household';
}
