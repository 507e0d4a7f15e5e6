import { Injectable } from '@nestjs/common';
import sql from 'sql-template-tag';
import { Any } from 'typeorm';
import type { Scope } from '../platform/database/database.js';
import { insertRows, lockRow, ROW_LOCKS } from '../platform/database/repositories.js';
import { send } from '../platform/database/send.js';
import { formatMoney, type Money } from '../platform/values/money.js';
import { updateRows } from '../records/record-updates.js';
import { balanceSql } from './entities/balance.js';
import { Cycle } from './entities/cycle.entity.js';

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
    return lockRow(manager.getRepository(Cycle), where, 'update');
  }

  /** Like {@link lock}, also a deleted cycle. */
  lockWithDeleted({ manager, userId, householdId }: Scope, id: string): Promise<Cycle | null> {
    return lockRow(manager.getRepository(Cycle), { id, householdId, userId }, 'update');
  }

  /**
   * Those of the cycles that exist, locked in the order of their ids until the transaction ends.
   */
  lockAll({ manager, userId, householdId }: Scope, ids: readonly string[]): Promise<Cycle[]> {
    return manager.getRepository(Cycle).find({
      where: { id: Any(ids), householdId, userId, active: true },
      order: { id: 'ASC' },
      lock: { mode: ROW_LOCKS.update },
    });
  }

  count({ manager, userId, householdId }: Scope): Promise<number> {
    return manager.getRepository(Cycle).countBy({ householdId, userId, active: true });
  }

  insert(scope: Scope, cycle: Cycle): void {
    cycle.userId = scope.userId;
    cycle.householdId = scope.householdId;
    insertRows(scope, Cycle, [cycle]);
  }

  /** Writes a locked cycle. */
  update(scope: Scope, cycle: Cycle): void {
    updateRows(scope, Cycle, [cycle]);
  }

  /** Recomputes the balance of a locked cycle, without a change of `updated_at`. */
  refreshBalance({ manager, userId, householdId }: Scope, id: string): void {
    send(
      manager,
      sql`
        UPDATE cycles c SET remaining_balance = ${balanceSql(householdId)}
        WHERE c.household_id = ${householdId} AND c.user_id = ${userId} AND c.id = ${id}`,
    );
  }

  /**
   * Changes the balance of a locked cycle by an amount in USD, without a change of `updated_at`.
   */
  addToBalance({ manager, userId, householdId }: Scope, id: string, difference: Money): void {
    send(
      manager,
      sql`
        UPDATE cycles SET remaining_balance = remaining_balance + ${formatMoney(difference)}
        WHERE household_id = ${householdId} AND user_id = ${userId} AND id = ${id}`,
    );
  }

  /** Recomputes the balances of all cycles of the user. */
  refreshBalances({ manager, userId, householdId }: Scope): void {
    send(
      manager,
      sql`
        UPDATE cycles c SET remaining_balance = ${balanceSql(householdId)}
        WHERE c.household_id = ${householdId} AND c.user_id = ${userId} AND c.active`,
    );
  }
}
