import type { Scope } from '../platform/database/database.js';
import { Injectable } from '@nestjs/common';
import { OwnedRepository } from '../platform/database/repositories.js';
import { balanceSql } from './balance.js';
import { cycleNotFound } from './cycle-errors.js';
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
export class CyclesRepository extends OwnedRepository<Cycle> {
  protected readonly entity = Cycle;
  protected override readonly baseConditions = { active: true };

  /**
   * The cycle, locked until the transaction ends.
   *
   * @throws DomainError CYCLE_NOT_FOUND
   */
  async lockOrThrow(scope: Scope, id: string): Promise<Cycle> {
    const cycle = await this.lock(scope, { id });
    if (!cycle) throw cycleNotFound();
    return cycle;
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
