import { Injectable } from '@nestjs/common';
import {
  hasActiveAdmin,
  HouseholdsService,
  type HouseholdWithMembers,
} from '../../households/households.service.js';
import { Database } from '../../platform/database/database.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import type { User, UserRole } from '../../users/user.entity.js';
import { UsersService } from '../../users/users.service.js';
import { listHouseholds, type HouseholdOverview } from './households.queries.js';

/**
 * Operations of the CLI on households and their members. They check no role, because operators may change every
 * household; request handlers must not use them.
 */
@Injectable()
export class HouseholdAdminService {
  constructor(
    private readonly database: Database,
    private readonly households: HouseholdsService,
    private readonly users: UsersService,
  ) {}

  /** All households, in order of creation. */
  list(): Promise<HouseholdOverview[]> {
    return listHouseholds(this.database.manager);
  }

  /**
   * A household and its members.
   *
   * @throws ResourceNotFoundError
   */
  get(id: string): Promise<HouseholdWithMembers> {
    return this.households.read(this.database.manager, id);
  }

  /** @throws ResourceNotFoundError */
  rename(id: string, name: string): Promise<HouseholdWithMembers> {
    return this.database.unownedTransaction(async (manager) => {
      const household = await this.households.lock(manager, id);
      await this.households.assignName(manager, household, name);
      return this.households.read(manager, id);
    });
  }

  /** @throws DomainError RESOURCE_CONFLICT when no active admin would be left */
  assignRole({ id: memberId, householdId }: User, role: UserRole): Promise<User> {
    return this.database.unownedTransaction(async (manager) => {
      await this.households.lock(manager, householdId);
      return this.households.assignRole(manager, { householdId, memberId, role });
    });
  }

  /**
   * Activates or deactivates a user: at once in this process, within three seconds in the others, because
   * they cache active users.
   *
   * @returns whether the state changed
   * @throws DomainError RESOURCE_CONFLICT when active members would have no active admin
   */
  async setActive({ id, householdId }: User, active: boolean): Promise<boolean> {
    const isChanged = await this.database.unownedTransaction(async (manager) => {
      await this.households.lock(manager, householdId);
      const members = await this.users.listHousehold(manager, householdId);
      const member = members.find((other) => other.id === id);
      if (!member || member.active === active) return false;
      await this.users.update(manager, member, { active });
      if (members.some((other) => other.active) && !hasActiveAdmin(members)) {
        throw new DomainError(
          'RESOURCE_CONFLICT',
          'The household would have active members and no active admin; make one of them an admin first',
          { resource: 'household' },
        );
      }
      return true;
    });
    this.users.invalidateCache(id);
    return isChanged;
  }
}
