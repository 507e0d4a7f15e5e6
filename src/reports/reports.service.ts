import { Injectable } from '@nestjs/common';
import { Big } from 'big.js';
import { cycleNotFound } from '../ledger/cycle-errors.js';
import { Database } from '../platform/database/database.js';
import { divideMoney, sumMoney, type Money } from '../platform/values/money.js';
import type { AuthenticatedUser } from '../users/authenticated-user.js';
import type { CompareCyclesQuery } from './dto/cycles-comparison.dto.js';
import {
  compareCycles,
  summarizeCycle,
  type ComparedCycle,
  type CycleSummary,
} from './reports.queries.js';
import { trendOf, type Trend } from './trend.js';

export interface ComparedCycles {
  /** In the requested order. */
  cycles: ComparedCycle[];
  /** The mean of the total expenses in USD. */
  averageTotal: Money;
  expensesTrend: Trend;
}

/** Reports on cycles in USD, without cancelled expenses (see docs/api.md). */
@Injectable()
export class ReportsService {
  constructor(private readonly database: Database) {}

  /**
   * The totals of a cycle in USD, by payment method, currency and status.
   *
   * @throws DomainError CYCLE_NOT_FOUND
   */
  async summarize(user: AuthenticatedUser, cycleId: string): Promise<CycleSummary> {
    const summary = await this.database.read(user, (scope) => summarizeCycle(scope, cycleId));
    if (!summary) throw cycleNotFound();
    return summary;
  }

  /**
   * Compares cycles; amounts in USD.
   *
   * @throws DomainError CYCLE_NOT_FOUND when a cycle does not exist
   */
  async compare(
    user: AuthenticatedUser,
    { cycle_ids: ids, metrics }: CompareCyclesQuery,
  ): Promise<ComparedCycles> {
    const found = await this.database.read(user, (scope) => compareCycles(scope, ids, metrics));
    const byId = new Map(found.map((cycle) => [cycle.id, cycle]));
    const cycles = ids.map((id) => {
      const cycle = byId.get(id);
      if (!cycle) throw cycleNotFound();
      return cycle;
    });
    const totals = found.map(({ total_expenses }) => new Big(total_expenses));
    const [earliest = new Big(0)] = totals;
    return {
      cycles,
      averageTotal: divideMoney(sumMoney(totals), new Big(totals.length)),
      expensesTrend: trendOf({ earliest, latest: totals.at(-1) ?? earliest }),
    };
  }
}
