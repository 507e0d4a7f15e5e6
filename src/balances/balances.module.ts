import { Module } from '@nestjs/common';
import { ExchangeRatesModule } from '../exchange-rates/exchange-rates.module.js';
import { CurrentBalancesController } from './current-balances.controller.js';
import { HoldingsService } from './holdings.service.js';

@Module({
  imports: [ExchangeRatesModule],
  controllers: [CurrentBalancesController],
  providers: [HoldingsService],
  exports: [HoldingsService],
})
export class BalancesModule {}
