import { Body, Controller, Get, HttpCode, Post } from '@nestjs/common';
import { ApiBearerAuth, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { CyclePlanningService } from '../cycles/cycle-planning.service.js';
import { CashFlowResponse, toCashFlowResponse } from '../cycles/dto/cash-flow.dto.js';
import { NextCycleResponse, toNextCycleResponse } from '../cycles/dto/next-cycle.dto.js';
import { PreviewCycleDto, PreviewResponse, toPreviewResponse } from '../cycles/dto/preview.dto.js';
import { PreviewService } from '../cycles/preview.service.js';
import { ApiErrors } from '../platform/errors/api-errors.decorator.js';
import { JsonBody } from '../platform/http/body.interceptor.js';
import { UuidParam } from '../platform/http/uuid.pipe.js';
import { CurrentUser, type AuthenticatedUser } from '../users/current-user.decorator.js';

@ApiTags('Planning')
@ApiBearerAuth()
@Controller('cycles')
export class CyclePlanningController {
  constructor(
    private readonly previews: PreviewService,
    private readonly planning: CyclePlanningService,
  ) {}

  @Post('preview')
  @JsonBody()
  @HttpCode(200)
  @ApiOperation({
    summary: 'Preview a cycle',
    description:
      'What `POST /cycles` with this body would create now: the cycle, its expenses and incomes and its cash flow. ' +
      'Nothing is stored. The `name` may be omitted; a name that another cycle has is a warning. Other warnings are ' +
      'about shared days, days without a cycle, inactive payment methods, exchange rates of other dates, and a ' +
      'negative balance.',
  })
  @ApiErrors('INVALID_CYCLE_DATES', 'CYCLE_GENERATION_ERROR')
  @ApiOkResponse({ type: PreviewResponse })
  async previewCycle(
    @CurrentUser() user: AuthenticatedUser,
    @Body() dto: PreviewCycleDto,
  ): Promise<PreviewResponse> {
    return toPreviewResponse(await this.previews.preview(user, dto));
  }

  @Get('next')
  @ApiOperation({
    summary: 'Propose the next cycle',
    description:
      'The cycle that follows the one with the latest end date: it starts on the day after, has as many days and ' +
      'the same income, and a name that is not used. Without a cycle it starts today (UTC), has 42 days and no ' +
      'income. The response is a valid body of `POST /cycles`.',
  })
  @ApiErrors('INVALID_CYCLE_DATES')
  @ApiOkResponse({ type: NextCycleResponse })
  async proposeNextCycle(@CurrentUser() user: AuthenticatedUser): Promise<NextCycleResponse> {
    return toNextCycleResponse(await this.planning.next(user));
  }

  @Get(':id/cash-flow')
  @ApiOperation({
    summary: 'Get the cash flow of a cycle',
    description:
      'The balance of each day of the cycle. `income_amount` is available on the first day; entries dated before ' +
      'the cycle count on its first day, entries dated after it on its last. Cancelled expenses do not count. The ' +
      'closing balance is the remaining balance of the cycle.',
  })
  @ApiErrors('CYCLE_NOT_FOUND')
  @ApiOkResponse({ type: CashFlowResponse })
  async getCashFlow(
    @CurrentUser() user: AuthenticatedUser,
    @UuidParam('id', 'cycle') id: string,
  ): Promise<CashFlowResponse> {
    return toCashFlowResponse(await this.planning.cashFlow(user, id));
  }
}
