import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { insertRows, lockRow, sendUpdate } from '../platform/database/repositories.js';
import { nextUpdatedAt } from '../records/record-updates.js';
import { Household } from '../users/household.entity.js';

@Injectable()
export class HouseholdsRepository {
  find(manager: EntityManager, id: string): Promise<Household | null> {
    return manager.getRepository(Household).findOne({ where: { id } });
  }

  lock(manager: EntityManager, id: string): Promise<Household | null> {
    return lockRow(manager.getRepository(Household), { id }, 'update');
  }

  insert(manager: EntityManager, household: Household): void {
    insertRows({ manager }, Household, [household]);
  }

  /** Renames a locked household. */
  rename(manager: EntityManager, household: Household, name: string): void {
    const values = { name, updatedAt: nextUpdatedAt(household) };
    sendUpdate(manager, Household, { id: household.id }, values);
    Object.assign(household, values);
  }
}
