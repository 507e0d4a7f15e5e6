import { Injectable } from '@nestjs/common';
import type { Scope } from '../platform/database/database.js';
import { insertRows, lockRow } from '../platform/database/repositories.js';
import { updateRows } from '../records/record-updates.js';
import { Balance } from './balance.entity.js';

@Injectable()
export class BalancesRepository {
  /** A balance that is not deleted, locked until the transaction ends. */
  lock({ manager, userId, householdId }: Scope, id: string): Promise<Balance | null> {
    const where = { id, householdId, userId, active: true };
    return lockRow(manager.getRepository(Balance), where, 'update');
  }

  /** A balance, also a deleted one, locked until the transaction ends. */
  lockWithDeleted({ manager, userId, householdId }: Scope, id: string): Promise<Balance | null> {
    return lockRow(manager.getRepository(Balance), { id, householdId, userId }, 'update');
  }

  /** Those that are not deleted. */
  count({ manager, userId, householdId }: Scope): Promise<number> {
    return manager.getRepository(Balance).countBy({ householdId, userId, active: true });
  }

  /** @param balances 1 to `MAX_ROWS` */
  insert(scope: Scope, balances: readonly Balance[]): void {
    for (const balance of balances) {
      balance.userId = scope.userId;
      balance.householdId = scope.householdId;
    }
    insertRows(scope, Balance, balances);
  }

  /** Writes a locked balance. */
  update(scope: Scope, balance: Balance): void {
    updateRows(scope, Balance, [balance]);
  }
}
