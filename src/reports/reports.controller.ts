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
  @ApiOperation({ summary: 'Sum a cycle up, whole and by payment method, currency and status' })
  @ApiOkResponse({ type: CycleSummaryReport })
  summarize(
    @CurrentUser() user: AuthenticatedUser,
    @UuidParam('cycle_id') cycleId: string,
  ): Promise<CycleSummaryReport> {
    return this.reports.summarize(user, cycleId);
  }

  @Get('reports/cycles-comparison')
  @ApiOperation({ summary: 'Compare up to 50 cycles' })
  @ApiErrors('CYCLE_NOT_FOUND')
  @ApiOkResponse({ type: CyclesComparison })
  compare(
    @CurrentUser() user: AuthenticatedUser,
    @Query() query: CompareCyclesQuery,
  ): Promise<CyclesComparison> {
    return this.reports.compare(user, query);
  }
}
