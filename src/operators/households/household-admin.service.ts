import { Injectable } from '@nestjs/common';
import {
  HouseholdsService,
  type HouseholdWithMembers,
} from '../../households/households.service.js';
import { Database } from '../../platform/database/database.js';
import type { User, UserRole } from '../../users/user.entity.js';
import { listHouseholds, type HouseholdOverview } from './households.queries.js';

/**
 * Operations of the CLI on households and their members. They check no role, because operators may
 * change every household; request handlers must not use them.
 */
@Injectable()
export class HouseholdAdminService {
  constructor(
    private readonly database: Database,
    private readonly households: HouseholdsService,
  ) {}

  /** All households, in order of creation. */
  list(): Promise<HouseholdOverview[]> {
    return this.database.systemQuery(listHouseholds);
  }

  /**
   * A household and its members.
   *
   * @throws ResourceNotFoundError
   */
  get(id: string): Promise<HouseholdWithMembers> {
    return this.database.systemQuery((manager) => this.households.read(manager, id));
  }

  /** @throws ResourceNotFoundError */
  rename(id: string, name: string): Promise<HouseholdWithMembers> {
    return this.database.systemTransaction(async (manager) => {
      const household = await this.households.lock(manager, id);
      this.households.assignName(manager, household, name);
      return this.households.read(manager, id);
    });
  }

  /** @throws DomainError RESOURCE_CONFLICT when no active admin would be left */
  assignRole({ id: memberId, householdId }: User, role: UserRole): Promise<User> {
    return this.database.systemTransaction(async (manager) => {
      await this.households.lock(manager, householdId);
      return this.households.assignRole(manager, { householdId, memberId, role });
    });
  }
}
