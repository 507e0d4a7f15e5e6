import { Controller, Get, Query } from '@nestjs/common';
import { ApiBearerAuth, ApiTags } from '@nestjs/swagger';
import { Reads } from '../route-decorators.js';
import type { AuthenticatedUser } from '../users/authenticated-user.js';
import { CurrentUser } from '../users/current-user.decorator.js';
import { ExchangeRateListResponse, ListExchangeRatesQuery } from './dto/exchange-rate.dto.js';
import { ExchangeRatesService } from './exchange-rates.service.js';

@ApiTags('System')
@ApiBearerAuth()
@Controller('exchange-rates')
export class ExchangeRatesController {
  constructor(private readonly exchangeRates: ExchangeRatesService) {}

  @Get()
  @Reads(ExchangeRateListResponse, {
    summary: 'List exchange rates',
    description:
      'Without `date`, every stored rate, newest first. With `date`, the rate of each pair in ' +
      'force on that date: the latest one on or before it. Amounts are converted by the later of the rates of a ' +
      'pair and of the reversed pair; of the same date, by that of the pair itself.',
  })
  listExchangeRates(
    @CurrentUser() user: AuthenticatedUser,
    @Query() query: ListExchangeRatesQuery,
  ): Promise<ExchangeRateListResponse> {
    return this.exchangeRates.list(query, user.id);
  }
}
