import { Controller, Get, Query } from '@nestjs/common';
import { ApiBearerAuth, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { RateLimited } from '../common/http/rate-limited.decorator.js';
import { UuidParam } from '../common/http/uuid.pipe.js';
import { ApiErrors } from '../common/errors/api-errors.decorator.js';
import { CurrentUser, type AuthenticatedUser } from '../users/current-user.decorator.js';
import { CompareCyclesQuery, CyclesComparison, CycleSummaryReport } from './dto/report.dto.js';
import { ReportsService } from './reports.service.js';

@ApiTags('Reports')
@ApiBearerAuth()
@RateLimited('reports')
@Controller()
export class ReportsController {
  constructor(private readonly reports: ReportsService) {}

  @Get('cycles/:cycle_id/summary')
  @ApiOperation({
    summary: 'Sum a cycle up, whole and by payment method, currency and status',
    description:
      'In USD, except `total_amount` in `by_currency`, which is native. Cancelled expenses ' +
      'are in no sum; `status_breakdown` counts them. "Pending" in amounts means not paid. ' +
      'Counts towards the limit on reports too.',
  })
  @ApiErrors('CYCLE_NOT_FOUND')
  @ApiOkResponse({ type: CycleSummaryReport })
  summarize(
    @CurrentUser() user: AuthenticatedUser,
    @UuidParam('cycle_id', 'cycle') cycleId: string,
  ): Promise<CycleSummaryReport> {
    return this.reports.summarize(user, cycleId);
  }

  @Get('reports/cycles-comparison')
  @ApiOperation({
    summary: 'Compare up to 50 cycles',
    description:
      'Answered in the order asked for, duplicates once. `average_total` is the mean of the ' +
      'total expenses, rounded half up. `trends.expenses` compares the cycle that starts ' +
      'last with the one that starts first: `increasing` or `decreasing` beyond 5 %, else ' +
      '`stable`. Counts towards the limit on reports too.',
  })
  @ApiErrors('CYCLE_NOT_FOUND')
  @ApiOkResponse({ type: CyclesComparison })
  compare(
    @CurrentUser() user: AuthenticatedUser,
    @Query() query: CompareCyclesQuery,
  ): Promise<CyclesComparison> {
    return this.reports.compare(user, query);
  }
}
