import { Injectable } from '@nestjs/common';
import { Big } from 'big.js';
import { sendTogether } from '#postgres';
import { cycleNotFound } from '../ledger/entities/cycle-errors.js';
import { Database, type Scope } from '../platform/database/database.js';
import { divideMoney, formatMoney, sumMoney } from '../platform/values/money.js';
import type { AuthenticatedUser } from '../users/authenticated-user.js';
import { listSpentOnBudgets } from './budgets.queries.js';
import { meanDaysLateOf } from './days-late.js';
import {
  toBudgetSummaries,
  type BudgetsReportQuery,
  type BudgetsReportResponse,
} from './dto/budget-summary.dto.js';
import { toCycleSummaryResponse, type CycleSummaryResponse } from './dto/cycle-summary.dto.js';
import type { CompareCyclesQuery, CyclesComparisonResponse } from './dto/cycles-comparison.dto.js';
import {
  DEFAULT_LATEST_CYCLES,
  toTemplateVariance,
  type VarianceCycle,
  type VarianceQuery,
  type VarianceResponse,
} from './dto/variance.dto.js';
import { compareCycles, summarizeCycle } from './reports.queries.js';
import { trendOf } from './trend.js';
import {
  listChosenCycles,
  listLatestCycles,
  listTemplateTotals,
  sumUnplanned,
} from './variance.queries.js';

/** Reports on cycles, without cancelled expenses. */
@Injectable()
export class ReportsService {
  constructor(private readonly database: Database) {}

  /**
   * The totals of a cycle in USD, by payment method, budget, currency and status.
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

  /**
   * What cycles may spend on budgets and what their expenses take of it, in USD.
   *
   * @throws DomainError CYCLE_NOT_FOUND when a cycle does not exist
   */
  async compareWithBudgets(
    user: AuthenticatedUser,
    { cycle_ids: ids }: BudgetsReportQuery,
  ): Promise<BudgetsReportResponse> {
    const found = await this.database.read(user, (scope) => listSpentOnBudgets(scope, ids));
    const byId = new Map(found.map((cycle) => [cycle.id, cycle]));
    const cycles = ids.map((id) => {
      const cycle = byId.get(id);
      if (!cycle) throw cycleNotFound();
      return {
        cycle: { id, name: cycle.name },
        by_budget: toBudgetSummaries(cycle, cycle.spent),
      };
    });
    return { cycles };
  }

  /**
   * How the entries of cycles differ from what their templates planned, in the currency of each
   * template; manual entries in USD.
   *
   * @throws DomainError CYCLE_NOT_FOUND when a cycle does not exist
   */
  async compareWithPlan(user: AuthenticatedUser, query: VarianceQuery): Promise<VarianceResponse> {
    const { cycles, templates, unplanned } = await this.database.snapshot(user, async (scope) => {
      const found = await cyclesOf(scope, query); // 404
      const ids = found.map(({ id }) => id);
      const [totals, manual] = await sendTogether([
        listTemplateTotals(scope, ids),
        sumUnplanned(scope, ids),
      ]);
      return { cycles: found, templates: totals, unplanned: manual };
    });
    const daysLate = await meanDaysLateOf(templates, user.timeZone);
    return {
      cycles,
      templates: templates.map((totals) =>
        toTemplateVariance(totals, {
          today: user.today,
          meanDaysLate: daysLate.get(totals.id) ?? null,
        }),
      ),
      unplanned,
    };
  }
}

/** @throws DomainError CYCLE_NOT_FOUND when a cycle of the query does not exist */
async function cyclesOf(
  scope: Scope,
  { cycle_ids: ids, last = DEFAULT_LATEST_CYCLES }: VarianceQuery,
): Promise<VarianceCycle[]> {
  if (!ids) return listLatestCycles(scope, last);
  const cycles = await listChosenCycles(scope, ids);
  if (cycles.length < ids.length) throw cycleNotFound();
  return cycles;
}
