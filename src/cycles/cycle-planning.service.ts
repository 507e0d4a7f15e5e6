import { Inject, Injectable } from '@nestjs/common';
import { cycleNotFound } from '../ledger/entities/cycle-errors.js';
import { lastDayAfter, unusedName } from '../ledger/periods.js';
import { SETTINGS } from '../platform/config/config.module.js';
import type { Settings } from '../platform/config/settings.js';
import { Database } from '../platform/database/database.js';
import { DomainError } from '../platform/errors/domain-error.js';
import { addDays, isCalendarDate, type CalendarDate } from '../platform/values/calendar-date.js';
import type { AuthenticatedUser } from '../users/authenticated-user.js';
import { findCashFlow, findLatestCycle } from './cycle-planning.queries.js';
import type { CashFlowResponse } from './dto/cash-flow.dto.js';
import type { NextCycleResponse } from './dto/next-cycle.dto.js';

/** The cash flow of a cycle, and the next cycle. */
@Injectable()
export class CyclePlanningService {
  constructor(
    private readonly database: Database,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** @throws DomainError CYCLE_NOT_FOUND */
  async cashFlow(user: AuthenticatedUser, cycleId: string): Promise<CashFlowResponse> {
    const cashFlow = await this.database.read(user, (scope) => findCashFlow(scope, cycleId));
    if (!cashFlow) throw cycleNotFound();
    return cashFlow;
  }

  /**
   * The cycle after the one that ends last, with its income, what is left over of it and an unused
   * name: a calendar month after a month, a half of a month after a half, else as long as that one.
   *
   * @throws DomainError INVALID_CYCLE_DATES if it would end after the last supported date
   */
  async next(user: AuthenticatedUser): Promise<NextCycleResponse> {
    const latest = await this.database.read(user, findLatestCycle);
    const startDate = latest ? addDays(latest.endDate, 1) : user.today;
    const endDate = lastDayAfter(latest, startDate, this.settings.cycleMaxDays);
    if (!isCalendarDate(startDate) || !isCalendarDate(endDate)) throw tooLate(startDate, endDate);
    return {
      start_date: startDate,
      end_date: endDate,
      income_amount: latest?.incomeAmount ?? '0.00',
      name: unusedName({ start: startDate, end: endDate }, new Set(latest?.names)),
      follows: latest ? { cycle_id: latest.id, left_over: latest.leftOver } : null,
    };
  }
}

const tooLate = (startDate: CalendarDate, endDate: CalendarDate): DomainError =>
  new DomainError('INVALID_CYCLE_DATES', 'The next cycle would end after 2999-12-31', {
    start_date: startDate,
    end_date: endDate,
  });
