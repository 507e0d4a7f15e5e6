import { Injectable } from '@nestjs/common';
import { sendTogether } from '#postgres';
import { balanceAfter } from '../ledger/entities/balance.js';
import { MAX_ENTRIES } from '../ledger/entities/cycle-entry.entity.js';
import { CycleExpense } from '../ledger/entities/cycle-expense.entity.js';
import { Ledger } from '../ledger/ledger.js';
import { Database } from '../platform/database/database.js';
import { assertWithinLimit, ValidationFailedError } from '../platform/errors/domain-error.js';
import type { AuthenticatedUser } from '../users/authenticated-user.js';
import {
  toCarryOverResponse,
  type CarryOverDto,
  type CarryOverResponse,
} from './dto/carry-over.dto.js';

/**
 * Moves what was not paid to another cycle: each expense is removed from its cycle, and the other
 * one gets it.
 */
@Injectable()
export class CarryOverService {
  constructor(
    private readonly database: Database,
    private readonly ledger: Ledger,
  ) {}

  /**
   * Deletes expenses in their cycle and creates them in another one; without ids, all that are
   * neither paid nor cancelled.
   *
   * @throws DomainError CYCLE_NOT_FOUND, CYCLE_ALREADY_COMPLETED; ResourceNotFoundError for an
   *   expense; LimitReachedError; ValidationFailedError when both cycles are the same, or an
   *   expense is paid or cancelled
   */
  async carryOver(
    user: AuthenticatedUser,
    cycleId: string,
    { to_cycle_id: toCycleId, expense_ids: ids }: CarryOverDto,
  ): Promise<CarryOverResponse> {
    if (toCycleId === cycleId) throw sameCycle(); // 422
    return this.database.transaction(user, async (scope) => {
      const { from, to } = await this.ledger.lockTwoCycles(scope, { from: cycleId, to: toCycleId }); // 404
      const [found, stored] = await sendTogether([
        this.ledger.lockAll(scope, CycleExpense, from, ids ?? undefined), // 404
        this.ledger.count(scope, CycleExpense, to.id),
      ]);
      from.assertOpen(); // 409
      to.assertOpen(); // 409
      const removed = ids ? found : found.filter(({ after }) => after.isOpen()).sort(byDueDate);
      assertWithinLimit('cycle_expense', { stored, added: removed.length, limit: MAX_ENTRIES }); // 409
      const settled = removed.findIndex(({ before }) => !before.isOpen());
      if (settled !== -1) throw settledExpense(settled); // 422
      const moved = removed.map(({ after }) => ({ from: after, to: after.carriedOver() }));
      const added = moved.map((expense) => ({ before: null, after: expense.to }));
      for (const { after } of removed) after.active = false;
      await this.ledger.saveAll(scope, from, removed);
      await this.ledger.saveAll(scope, to, added);
      return toCarryOverResponse(
        moved,
        {
          from: balanceAfter(from, removed),
          to: balanceAfter(to, added),
        },
        scope.today,
      );
    });
  }
}

/** Stable, so that the order of creation remains. */
const byDueDate = (a: { after: CycleExpense }, b: { after: CycleExpense }): number =>
  a.after.dueDate.localeCompare(b.after.dueDate);

const sameCycle = (): ValidationFailedError =>
  new ValidationFailedError({
    to_cycle_id: [{ reason: 'contradiction', message: 'to_cycle_id must be another cycle' }],
  });

function settledExpense(index: number): ValidationFailedError {
  const message = 'expense_ids must be expenses that are neither paid nor cancelled';
  return new ValidationFailedError({ expense_ids: [{ reason: 'contradiction', message }] }, index);
}
