import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { ROW_LOCKS, StoredRepository } from '../platform/database/repositories.js';
import { Household } from '../users/household.entity.js';

@Injectable()
export class HouseholdsRepository extends StoredRepository<Household> {
  protected readonly entity = Household;

  find(manager: EntityManager, id: string): Promise<Household | null> {
    return manager.findOne(Household, { where: { id } });
  }

  lock(manager: EntityManager, id: string): Promise<Household | null> {
    return manager.findOne(Household, { where: { id }, lock: { mode: ROW_LOCKS.update } });
  }

  insert(manager: EntityManager, values: Pick<Household, 'name'>): Promise<Household> {
    return this.insertRow(manager, values);
  }

  update(manager: EntityManager, household: Household, changes: Partial<Household>): Promise<void> {
    return this.updateRow(manager, household, { id: household.id }, changes);
  }
}
