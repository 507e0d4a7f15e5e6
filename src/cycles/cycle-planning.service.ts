import { Inject, Injectable } from '@nestjs/common';
import { Big } from 'big.js';
import { CardsService } from '../cards/cards.service.js';
import { cycleNotFound } from '../ledger/entities/cycle-errors.js';
import {
  firstPeriod,
  periodAfter,
  storedPeriod,
  unusedName,
  type CyclePeriod,
} from '../ledger/periods.js';
import { SETTINGS } from '../platform/config/config.module.js';
import type { Settings } from '../platform/config/settings.js';
import { Database } from '../platform/database/database.js';
import { DomainError } from '../platform/errors/domain-error.js';
import { isCalendarDate } from '../platform/values/calendar-date.js';
import type { AuthenticatedUser } from '../users/authenticated-user.js';
import { findBeforeNextCycle, findCashFlow } from './cycle-planning.queries.js';
import type { CashFlowQuery, CashFlowResponse } from './dto/cash-flow.dto.js';
import type { NextCycleResponse } from './dto/next-cycle.dto.js';

/** The cash flow of a cycle, and the next cycle. */
@Injectable()
export class CyclePlanningService {
  constructor(
    private readonly database: Database,
    private readonly cards: CardsService,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /**
   * The balance of a cycle by day, in USD, with what there is before it.
   *
   * @throws DomainError CYCLE_NOT_FOUND
   */
  async cashFlow(
    user: AuthenticatedUser,
    cycleId: string,
    { opening_balance: openingBalance = new Big(0) }: CashFlowQuery,
  ): Promise<CashFlowResponse> {
    const cashFlow = await this.database.read(user, (scope) =>
      findCashFlow(scope, cycleId, openingBalance),
    );
    if (!cashFlow) throw cycleNotFound();
    return cashFlow;
  }

  /**
   * The cycle after the one that ends last of those without `side`, with what is left over of that
   * one, its income, if the user wants it so, and an unused name: a month from the same day after a
   * month, a half of a month after a half, else as long as that one.
   *
   * @throws DomainError INVALID_CYCLE_DATES if it would end after the last supported date;
   *   CURRENCY_CONVERSION_ERROR for statements of cards without a stored rate
   */
  async next(user: AuthenticatedUser): Promise<NextCycleResponse> {
    const { cycleMaxDays: maxDays } = this.settings;
    const found = await this.database.read(user, async (scope) =>
      findBeforeNextCycle(scope, await this.cards.settlementsInUsd(scope)),
    );
    const followed = found && found.id !== null ? { ...found, id: found.id } : undefined;
    const period = followed
      ? periodAfter(storedPeriod(followed, followed.dayBefore ?? undefined), maxDays)
      : firstPeriod(user.today, maxDays);
    if (!isCalendarDate(period.start) || !isCalendarDate(period.end)) throw tooLate(period);
    const isSame = user.nextIncomeAmount === 'same';
    return {
      start_date: period.start,
      end_date: period.end,
      income_amount: followed && isSame ? followed.incomeAmount : '0.00',
      name: unusedName(period, new Set(found?.names)),
      follows: followed ? { cycle_id: followed.id, left_over: followed.leftOver } : null,
    };
  }
}

const tooLate = ({ start, end }: CyclePeriod): DomainError =>
  new DomainError('INVALID_CYCLE_DATES', 'The next cycle would end after 2999-12-31', {
    start_date: start,
    end_date: end,
  });
