import { Controller, Get, Query } from '@nestjs/common';
import { ApiBearerAuth, ApiTags } from '@nestjs/swagger';
import { RateLimited } from '../platform/rate-limits/rate-limited.decorator.js';
import { UuidParam } from '../records/record-ids.js';
import { Reads } from '../route-decorators.js';
import type { AuthenticatedUser } from '../users/authenticated-user.js';
import { CurrentUser } from '../users/current-user.decorator.js';
import { BudgetsReportQuery, BudgetsReportResponse } from './dto/budget-summary.dto.js';
import { CycleSummaryResponse } from './dto/cycle-summary.dto.js';
import { CompareCyclesQuery, CyclesComparisonResponse } from './dto/cycles-comparison.dto.js';
import { VarianceQuery, VarianceResponse } from './dto/variance.dto.js';
import { ReportsService } from './reports.service.js';

@ApiTags('Reports')
@ApiBearerAuth()
@RateLimited('reports')
@Controller()
export class ReportsController {
  constructor(private readonly reports: ReportsService) {}

  @Get('cycles/:cycle_id/summary')
  @Reads(CycleSummaryResponse, {
    summary: 'Get the summary report of a cycle',
    description:
      'Totals of the cycle, by payment method, by budget, by currency and by status. Amounts are in USD, except ' +
      '`total_amount` in `by_currency`, which is in that currency, and those of budgets in MXN. `usa` and `mexico` are the expenses in USD and ' +
      'in MXN. `net_balance` is `income_amount` plus `total_incomes_usd` minus `total_expenses_usd`. Amounts ' +
      'exclude cancelled expenses; `status_breakdown` includes them. Pending amounts are the unpaid ones. Counts ' +
      'towards the rate limit on reports.',
    errors: ['CYCLE_NOT_FOUND', 'CURRENCY_CONVERSION_ERROR'],
  })
  getCycleSummary(
    @CurrentUser() user: AuthenticatedUser,
    @UuidParam('cycle_id', 'cycle') cycleId: string,
  ): Promise<CycleSummaryResponse> {
    return this.reports.summarize(user, cycleId);
  }

  @Get('reports/cycles-comparison')
  @Reads(CyclesComparisonResponse, {
    summary: 'Compare cycles',
    description:
      'Compares up to 50 cycles, in the requested order without duplicates. `metrics` are any of `total_expenses`, ' +
      '`fixed_expenses`, `variable_expenses` (these three by default), `income_amount`, `net_balance`, ' +
      '`paid_expenses`, `pending_expenses` and `total_incomes`. `average_total` is the mean of the total expenses, ' +
      'rounded half up. `trends.expenses` compares the cycle with the latest start date to the one with the ' +
      'earliest: `increasing` or `decreasing` by more than 5 %, else `stable`. Counts towards the rate limit on ' +
      'reports.',
    errors: ['CYCLE_NOT_FOUND'],
  })
  compareCycles(
    @CurrentUser() user: AuthenticatedUser,
    @Query() query: CompareCyclesQuery,
  ): Promise<CyclesComparisonResponse> {
    return this.reports.compare(user, query);
  }

  @Get('reports/budgets')
  @Reads(BudgetsReportResponse, {
    summary: 'Compare the expenses of cycles with their budgets',
    description:
      '`by_budget` of the summary of up to 50 cycles, in the requested order without duplicates. Amounts are in the ' +
      'currency of the budget, without cancelled expenses. Counts towards the rate limit on reports.',
    errors: ['CYCLE_NOT_FOUND', 'CURRENCY_CONVERSION_ERROR'],
  })
  getBudgetsReport(
    @CurrentUser() user: AuthenticatedUser,
    @Query() query: BudgetsReportQuery,
  ): Promise<BudgetsReportResponse> {
    return this.reports.compareWithBudgets(user, query);
  }

  @Get('reports/variance')
  @Reads(VarianceResponse, {
    summary: 'Compare entries with their plan',
    description:
      'Compares what was paid and received with what the templates planned, in up to 50 cycles: those of `cycle_ids`, ' +
      'or the `last` ones that have begun. `planned`, `actual` and `difference` are over settled entries in the ' +
      'currency of their template whose `planned_amount` is not null. `suggestion.amount` is the median of the amounts ' +
      'of the latest 12 settled entries in that currency, of an even number the mean of the middle two, rounded half ' +
      'up; give it to the template and synchronize a cycle to apply it. Counts towards the rate ' +
      'limit on reports.',
    errors: ['CYCLE_NOT_FOUND'],
  })
  getVariance(
    @CurrentUser() user: AuthenticatedUser,
    @Query() query: VarianceQuery,
  ): Promise<VarianceResponse> {
    return this.reports.compareWithPlan(user, query);
  }
}
