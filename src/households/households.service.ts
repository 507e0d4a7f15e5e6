import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Database } from '../platform/database/database.js';
import { DomainError, ResourceNotFoundError } from '../platform/errors/domain-error.js';
import type { AuthenticatedUser } from '../users/authenticated-user.js';
import { Household } from '../users/household.entity.js';
import type { User, UserRole } from '../users/user.entity.js';
import { UsersService } from '../users/users.service.js';
import {
  toHouseholdResponse,
  toMemberResponse,
  type HouseholdResponse,
  type MemberResponse,
  type UpdateHouseholdDto,
} from './dto/household.dto.js';
import { HouseholdsRepository } from './households.repository.js';

export interface HouseholdWithMembers {
  household: Household;
  /** The members in the order in which they joined. */
  members: User[];
}

/**
 * Households and their members: every user belongs to one, which has an active admin while it has
 * active members.
 */
@Injectable()
export class HouseholdsService {
  constructor(
    private readonly database: Database,
    private readonly repository: HouseholdsRepository,
    private readonly users: UsersService,
  ) {}

  /** Creates a household named after its first member. */
  create(manager: EntityManager, firstMember: { firstName: string | null }): Household {
    const household = Household.create(defaultName(firstMember));
    this.repository.insert(manager, household);
    return household;
  }

  /** The household of the user and its members. */
  async getCurrent(user: AuthenticatedUser): Promise<HouseholdResponse> {
    return toHouseholdResponse(
      await this.database.systemQuery((manager) => this.read(manager, user.householdId), user.id),
    );
  }

  /**
   * Updates the name.
   *
   * @throws DomainError FORBIDDEN unless the user is an admin
   */
  rename(user: AuthenticatedUser, { name }: UpdateHouseholdDto): Promise<HouseholdResponse> {
    return this.database.transaction(user, async (scope) => {
      const household = await this.lock(scope.manager, user.householdId);
      await this.users.requireAdmin(scope);
      if (name !== undefined) this.assignName(scope.manager, household, name);
      return toHouseholdResponse(await this.read(scope.manager, user.householdId));
    });
  }

  /**
   * Changes the role of a member.
   *
   * @throws DomainError FORBIDDEN unless the user is an admin, USER_NOT_FOUND when the household
   *   has no such member, RESOURCE_CONFLICT when no active admin would be left
   */
  changeRole(user: AuthenticatedUser, memberId: string, role?: UserRole): Promise<MemberResponse> {
    return this.database.transaction(user, async (scope) => {
      // Serializes concurrent role changes, so that two admins cannot both become members.
      await this.lock(scope.manager, user.householdId);
      await this.users.requireAdmin(scope);
      const { householdId } = user;
      return toMemberResponse(
        await this.assignRole(scope.manager, { householdId, memberId, role }),
      );
    });
  }

  /** Renames a household that the caller has locked. */
  assignName(manager: EntityManager, household: Household, name: string): void {
    if (name !== household.name) this.repository.rename(manager, household, name);
  }

  /**
   * Changes the role of a member without checking permissions; the caller has locked the household.
   */
  async assignRole(
    manager: EntityManager,
    { householdId, memberId, role }: { householdId: string; memberId: string; role?: UserRole },
  ): Promise<User> {
    const members = await this.users.listHousehold(manager, householdId);
    const member = members.find(({ id }) => id === memberId);
    if (!member) throw new DomainError('USER_NOT_FOUND', 'Household member not found');
    if (role === undefined || role === member.role) return member;
    if (role !== 'admin' && !hasActiveAdmin(members.filter((other) => other !== member))) {
      throw lastAdmin();
    }
    this.users.update(manager, member, { role });
    return member;
  }

  /**
   * Activates or deactivates a member without checking permissions, in the caller's transaction.
   *
   * @returns whether the state changed
   * @throws DomainError RESOURCE_CONFLICT when active members would have no active admin
   */
  async assignActive(
    manager: EntityManager,
    { id, householdId }: User,
    active: boolean,
  ): Promise<boolean> {
    await this.lock(manager, householdId);
    const members = await this.users.listHousehold(manager, householdId);
    const member = members.find((other) => other.id === id);
    if (!member || member.active === active) return false;
    this.users.update(manager, member, { active });
    if (members.some((other) => other.active) && !hasActiveAdmin(members)) {
      throw new DomainError(
        'RESOURCE_CONFLICT',
        'The household would have active members and no active admin; make one of them an admin first',
        { resource: 'household' },
      );
    }
    return true;
  }

  /** The household, locked until the transaction ends; every change of members takes this lock. */
  async lock(manager: EntityManager, id: string): Promise<Household> {
    const household = await this.repository.lock(manager, id);
    if (!household) throw new ResourceNotFoundError('household');
    return household;
  }

  /** @throws ResourceNotFoundError */
  async read(manager: EntityManager, id: string): Promise<HouseholdWithMembers> {
    const household = await this.repository.find(manager, id);
    if (!household) throw new ResourceNotFoundError('household');
    return { household, members: await this.users.listHousehold(manager, id) };
  }
}

/** Whether a household with these members has an active admin. */
function hasActiveAdmin(members: readonly User[]): boolean {
  return members.some(({ active, role }) => active && role === 'admin');
}

function defaultName({ firstName }: { firstName: string | null }): string {
  // Truncated to the maximum length of a name: a first name may have 100 characters itself.
  return firstName ? Array.from(`${firstName}'s household`).slice(0, 100).join('') : 'My household';
}

export const lastAdmin = (): DomainError =>
  new DomainError('RESOURCE_CONFLICT', 'A household must have at least one active admin', {
    resource: 'household',
  });
