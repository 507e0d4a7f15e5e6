import { Module } from '@nestjs/common';
import { ExchangeRatesModule } from '../exchange-rates/exchange-rates.module.js';
import { LedgerModule } from '../ledger/ledger.module.js';
import { RateUpdatesService } from './rate-updates.service.js';

@Module({
  imports: [ExchangeRatesModule, LedgerModule],
  providers: [RateUpdatesService],
  exports: [RateUpdatesService],
})
export class RateUpdatesModule {}
