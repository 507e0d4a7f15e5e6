import { Body, Controller, Get, Post, Query } from '@nestjs/common';
import { ApiBearerAuth, ApiTags } from '@nestjs/swagger';
import { ResourceNotFoundError } from '../platform/errors/domain-error.js';
import { concurrencyLimit } from '../platform/rate-limits/concurrency-limit.decorator.js';
import { RateLimited } from '../platform/rate-limits/rate-limited.decorator.js';
import { Computes, Reads } from '../route-decorators.js';
import type { AuthenticatedUser } from '../users/authenticated-user.js';
import { CurrentUser } from '../users/current-user.decorator.js';
import { ForecastQueryDto, WhatIfDto } from './dto/forecast-query.dto.js';
import { ForecastResponse } from './dto/forecast.dto.js';
import { WhatIfResponse } from './dto/what-if.dto.js';
import { ForecastService } from './forecast.service.js';

/** A forecast at its limits takes a second. */
const FORECASTS = concurrencyLimit({
  work: 'forecasts',
  max: 2,
  maxWaiting: 200,
  maxWaitingOfUser: 50,
});

@ApiTags('Planning')
@ApiBearerAuth()
@Controller('forecast')
export class ForecastController {
  constructor(private readonly forecasts: ForecastService) {}

  @Get()
  @FORECASTS
  @Reads(ForecastResponse, {
    summary: 'Forecast what is left until each pay day',
    description:
      'Continues the plan beyond the stored cycles, from what there is now: what payment methods have by their ' +
      'balances, if there are any (`opening`). Open expenses and incomes of draft and active cycles count on ' +
      'their own date, also outside their cycle; those dated before today count today. An `income_amount` counts on ' +
      'the first day of its cycle, unless the balance of the main payment method includes it. Days without a stored cycle belong to cycles that would follow one another, as ' +
      '`GET /cycles/next` proposes them, with the entries that `POST /cycles` would generate, except occurrences ' +
      'that a stored cycle has. Such a cycle ends at the latest on the day before the next stored cycle; if it is ' +
      'shorter for that reason, its `income_amount` is 0.00. Creating such a cycle changes the forecast only where ' +
      '`POST /cycles` repeats an occurrence that a stored cycle has. A pay window begins today and on each day on ' +
      'which money comes in; `free` is what can be spent in it beyond the plan, without incomes that are late. With ' +
      '`set_aside=budgets`, what is left of the budgets of a cycle counts as spent day by day until its last day, so ' +
      'that `free` does not spend it. Nothing is stored. Of a user without templates and cycles it is one window in ' +
      'which everything is 0.00: create templates of expenses and incomes, or a cycle, and state balances.',
    errors: ['CYCLE_GENERATION_ERROR', 'CURRENCY_CONVERSION_ERROR'],
  })
  getForecast(
    @CurrentUser() user: AuthenticatedUser,
    @Query() query: ForecastQueryDto,
  ): Promise<ForecastResponse> {
    return this.forecasts.forecast(user, query);
  }

  @Post()
  @RateLimited('reports')
  @Computes(WhatIfResponse, {
    summary: 'Forecast what would be different',
    description:
      'The forecast as it is, the one with `changes`, and their difference. Nothing is stored. Counts towards the ' +
      'rate limit on reports.',
    errors: [
      'CYCLE_GENERATION_ERROR',
      'CURRENCY_CONVERSION_ERROR',
      new ResourceNotFoundError('payment_method', { index: 0 }),
      new ResourceNotFoundError('template', { index: 0 }),
    ],
    queue: FORECASTS,
  })
  compareForecasts(
    @CurrentUser() user: AuthenticatedUser,
    @Body() dto: WhatIfDto,
  ): Promise<WhatIfResponse> {
    return this.forecasts.compare(user, dto);
  }
}
