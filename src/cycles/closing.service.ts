import { Injectable } from '@nestjs/common';
import { CardsService } from '../cards/cards.service.js';
import { cycleCompleted, cycleNotFound } from '../ledger/entities/cycle-errors.js';
import { Ledger } from '../ledger/ledger.js';
import { Database } from '../platform/database/database.js';
import type { AuthenticatedUser } from '../users/authenticated-user.js';
import { assertAnotherCycle, CarryOverService } from './carry-over.service.js';
import { findClosing } from './closing.queries.js';
import { CyclesService } from './cycles.service.js';
import {
  openEntriesRemain,
  toClosedCycleResponse,
  toClosingResponse,
  type CloseCycleDto,
  type ClosedCycleResponse,
  type ClosingResponse,
} from './dto/closing.dto.js';

/** The end of a cycle: what is open in it moves to another cycle or stays, and it is completed. */
@Injectable()
export class ClosingService {
  constructor(
    private readonly database: Database,
    private readonly ledger: Ledger,
    private readonly cycles: CyclesService,
    private readonly carryOvers: CarryOverService,
    private readonly cards: CardsService,
  ) {}

  /**
   * What is open in a cycle and left over of it, in USD.
   *
   * @throws DomainError CYCLE_NOT_FOUND, CYCLE_ALREADY_COMPLETED, CURRENCY_CONVERSION_ERROR for
   *   statements of cards without a stored rate
   */
  async preview(user: AuthenticatedUser, cycleId: string): Promise<ClosingResponse> {
    const found = await this.database.read(user, async (scope) =>
      findClosing(scope, cycleId, await this.cards.settlementsInUsd(scope)),
    );
    if (!found) throw cycleNotFound();
    if (found.status === 'completed') throw cycleCompleted();
    return toClosingResponse(found);
  }

  /**
   * Carries over what is open in a cycle, unless it is to stay, and completes the cycle, which
   * cannot be undone.
   *
   * @throws DomainError CYCLE_NOT_FOUND, CYCLE_ALREADY_COMPLETED, RESOURCE_CONFLICT when it is not
   *   said what happens to open entries; LimitReachedError; ValidationFailedError when both cycles
   *   are the same
   */
  async close(
    user: AuthenticatedUser,
    cycleId: string,
    { to_cycle_id: toCycleId, leave_open: leavesOpen }: CloseCycleDto,
  ): Promise<ClosedCycleResponse> {
    if (toCycleId) assertAnotherCycle({ from: cycleId, to: toCycleId }); // 422
    return this.database.transaction(user, async (scope) => {
      const { from: cycle, to } = toCycleId
        ? await this.ledger.lockTwoCycles(scope, { from: cycleId, to: toCycleId }) // 404
        : { from: await this.ledger.lockCycle(scope, cycleId), to: null }; // 404
      cycle.assertOpen(); // 409
      const settlements = await this.cards.settlementsInUsd(scope);
      const closing = await findClosing(scope, cycleId, settlements);
      if (!closing) throw cycleNotFound();
      const hasOpen = closing.open_expense_count + closing.open_income_count > 0;
      if (hasOpen && !to && !leavesOpen) throw openEntriesRemain(closing); // 409
      const moved =
        to && (await this.carryOvers.moveOpen(scope, { from: cycle, to }, settlements.days)); // 409
      const before = cycle.copy();
      cycle.update({ status: 'completed' });
      this.ledger.saveCycle(scope, { before, after: cycle });
      const completed = await this.cycles.read(scope, cycleId);
      return toClosedCycleResponse(completed, moved, closing, scope.today);
    });
  }
}
