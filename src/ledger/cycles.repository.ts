import { Injectable } from '@nestjs/common';
import type { Scope } from '../platform/database/database.js';
import { insertRows, ROW_LOCKS, updateRows } from '../platform/database/repositories.js';
import { balanceSql } from './balance.js';
import { Cycle } from './cycle.entity.js';

/** $1: owner, $2: household, $3: cycle. */
const REFRESH_BALANCE = `
  UPDATE cycles SET remaining_balance = ${balanceSql('cycles', '$2')}
  WHERE household_id = $2 AND user_id = $1 AND id = $3`;

/** $1: owner, $2: household. */
const REFRESH_BALANCES = `
  UPDATE cycles SET remaining_balance = ${balanceSql('cycles', '$2')}
  WHERE household_id = $2 AND user_id = $1 AND active`;

/** Cycles that are not deleted. */
@Injectable()
export class CyclesRepository {
  find({ manager, userId, householdId }: Scope, id: string): Promise<Cycle | null> {
    const where = { id, householdId, userId, active: true };
    return manager.getRepository(Cycle).findOne({ where });
  }

  /** The cycle, locked until the transaction ends. */
  lock({ manager, userId, householdId }: Scope, id: string): Promise<Cycle | null> {
    const where = { id, householdId, userId, active: true };
    return manager.getRepository(Cycle).findOne({ where, lock: { mode: ROW_LOCKS.update } });
  }

  count({ manager, userId, householdId }: Scope): Promise<number> {
    return manager.getRepository(Cycle).countBy({ householdId, userId, active: true });
  }

  insert(scope: Scope, cycle: Cycle): Promise<void> {
    cycle.userId = scope.userId;
    cycle.householdId = scope.householdId;
    return insertRows(scope, Cycle, [cycle]);
  }

  /** Writes a locked cycle. */
  update(scope: Scope, cycle: Cycle): Promise<void> {
    return updateRows(scope, Cycle, [cycle]);
  }

  /** Recomputes the balance of a locked cycle, without a change of `updated_at`. */
  async refreshBalance({ manager, userId, householdId }: Scope, id: string): Promise<void> {
    await manager.query(REFRESH_BALANCE, [userId, householdId, id]);
  }

  /** Recomputes the balances of all cycles of the user. */
  async refreshBalances({ manager, userId, householdId }: Scope): Promise<void> {
    await manager.query(REFRESH_BALANCES, [userId, householdId]);
  }
}
