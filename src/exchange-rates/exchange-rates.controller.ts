import { Controller, Get, Query } from '@nestjs/common';
import { ApiBearerAuth, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import {
  ExchangeRateList,
  ListExchangeRatesQuery,
  toExchangeRateList,
} from './dto/exchange-rate.dto.js';
import { ExchangeRatesService } from './exchange-rates.service.js';

@ApiTags('System')
@ApiBearerAuth()
@Controller('exchange-rates')
export class ExchangeRatesController {
  constructor(private readonly exchangeRates: ExchangeRatesService) {}

  @Get()
  @ApiOperation({
    summary: 'List stored exchange rates, newest first',
    description:
      'Without `date` every stored rate. With `date` one rate of each pair: the one in ' +
      'force on that day, which is the latest on or before it.',
  })
  @ApiOkResponse({ type: ExchangeRateList })
  async list(@Query() query: ListExchangeRatesQuery): Promise<ExchangeRateList> {
    return toExchangeRateList(await this.exchangeRates.list(query));
  }
}
