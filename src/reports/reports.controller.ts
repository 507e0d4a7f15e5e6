import { Controller, Get, Query } from '@nestjs/common';
import { ApiBearerAuth, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { ApiErrors } from '../platform/errors/api-errors.decorator.js';
import { UuidParam } from '../platform/http/uuid.pipe.js';
import { RateLimited } from '../platform/rate-limits/rate-limited.decorator.js';
import type { AuthenticatedUser } from '../users/authenticated-user.js';
import { CurrentUser } from '../users/current-user.decorator.js';
import { CycleSummaryReport, toCycleSummaryReport } from './dto/cycle-summary.dto.js';
import {
  CompareCyclesQuery,
  CyclesComparison,
  toCyclesComparison,
} from './dto/cycles-comparison.dto.js';
import { ReportsService } from './reports.service.js';

@ApiTags('Reports')
@ApiBearerAuth()
@RateLimited('reports')
@Controller()
export class ReportsController {
  constructor(private readonly reports: ReportsService) {}

  @Get('cycles/:cycle_id/summary')
  @ApiOperation({
    summary: 'Get the summary report of a cycle',
    description:
      'Totals of the cycle, by payment method, by currency and by status. Amounts are in USD, ' +
      'except `total_amount` in `by_currency`, which is in that currency. Amounts exclude ' +
      'cancelled expenses; `status_breakdown` includes them. Pending amounts are the unpaid ' +
      'ones. Counts towards the rate limit on reports.',
  })
  @ApiErrors('CYCLE_NOT_FOUND')
  @ApiOkResponse({ type: CycleSummaryReport })
  async getCycleSummary(
    @CurrentUser() user: AuthenticatedUser,
    @UuidParam('cycle_id', 'cycle') cycleId: string,
  ): Promise<CycleSummaryReport> {
    return toCycleSummaryReport(await this.reports.summarize(user, cycleId));
  }

  @Get('reports/cycles-comparison')
  @ApiOperation({
    summary: 'Compare cycles',
    description:
      'Compares up to 50 cycles, in the requested order without duplicates. `average_total` ' +
      'is the mean of the total expenses, rounded half up. `trends.expenses` compares the ' +
      'cycle with the latest start date to the one with the earliest: `increasing` or ' +
      '`decreasing` by more than 5 %, else `stable`. Counts towards the rate limit on reports.',
  })
  @ApiErrors('CYCLE_NOT_FOUND')
  @ApiOkResponse({ type: CyclesComparison })
  async compareCycles(
    @CurrentUser() user: AuthenticatedUser,
    @Query() query: CompareCyclesQuery,
  ): Promise<CyclesComparison> {
    return toCyclesComparison(query, await this.reports.compare(user, query));
  }
}
