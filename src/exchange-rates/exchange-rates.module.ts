import { Module } from '@nestjs/common';
import { ExchangeRatesRepository } from './exchange-rates.repository.js';
import { ExchangeRatesService } from './exchange-rates.service.js';

@Module({
  providers: [ExchangeRatesRepository, ExchangeRatesService],
  exports: [ExchangeRatesService],
})
export class ExchangeRatesModule {}
