import { Injectable } from '@nestjs/common';
import { Big } from 'big.js';
import { cycleNotFound } from '../ledger/cycle-errors.js';
import { Database } from '../platform/database/database.js';
import { divideMoney, formatMoney, sumMoney } from '../platform/values/money.js';
import type { AuthenticatedUser } from '../users/authenticated-user.js';
import { toCycleSummaryResponse, type CycleSummaryResponse } from './dto/cycle-summary.dto.js';
import type { CompareCyclesQuery, CyclesComparisonResponse } from './dto/cycles-comparison.dto.js';
import { compareCycles, summarizeCycle } from './reports.queries.js';
import { trendOf } from './trend.js';

/** Reports on cycles in USD, without cancelled expenses. */
@Injectable()
export class ReportsService {
  constructor(private readonly database: Database) {}

  /**
   * The totals of a cycle in USD, by payment method, currency and status.
   *
   * @throws DomainError CYCLE_NOT_FOUND
   */
  async summarize(user: AuthenticatedUser, cycleId: string): Promise<CycleSummaryResponse> {
    const summary = await this.database.read(user, (scope) => summarizeCycle(scope, cycleId));
    if (!summary) throw cycleNotFound();
    return toCycleSummaryResponse(summary);
  }

  /**
   * Compares cycles; amounts in USD.
   *
   * @throws DomainError CYCLE_NOT_FOUND when a cycle does not exist
   */
  async compare(
    user: AuthenticatedUser,
    { cycle_ids: ids, metrics }: CompareCyclesQuery,
  ): Promise<CyclesComparisonResponse> {
    const found = await this.database.read(user, (scope) => compareCycles(scope, ids, metrics));
    const byId = new Map(found.map((cycle) => [cycle.id, cycle]));
    const cycles = ids.map((id) => {
      const cycle = byId.get(id);
      if (!cycle) throw cycleNotFound();
      return {
        cycle: { id, name: cycle.name },
        metrics: Object.fromEntries(metrics.map((metric) => [metric, cycle[metric]])),
      };
    });
    const totals = found.map(({ total_expenses }) => new Big(total_expenses));
    const [earliest = new Big(0)] = totals;
    return {
      cycles,
      comparison: {
        average_total: formatMoney(divideMoney(sumMoney(totals), new Big(totals.length))),
        trends: { expenses: trendOf({ earliest, latest: totals.at(-1) ?? earliest }) },
      },
    };
  }
}
