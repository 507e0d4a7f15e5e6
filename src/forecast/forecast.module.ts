import { Module } from '@nestjs/common';
import { BalancesModule } from '../balances/balances.module.js';
import { BudgetsModule } from '../budgets/budgets.module.js';
import { CardsModule } from '../cards/cards.module.js';
import { ExchangeRatesModule } from '../exchange-rates/exchange-rates.module.js';
import { LedgerModule } from '../ledger/ledger.module.js';
import { PaymentMethodsModule } from '../payment-methods/payment-methods.module.js';
import { TemplatesModule } from '../templates/templates.module.js';
import { ForecastController } from './forecast.controller.js';
import { ForecastService } from './forecast.service.js';

@Module({
  imports: [
    BalancesModule,
    BudgetsModule,
    CardsModule,
    ExchangeRatesModule,
    LedgerModule,
    PaymentMethodsModule,
    TemplatesModule,
  ],
  controllers: [ForecastController],
  providers: [ForecastService],
  exports: [ForecastService],
})
export class ForecastModule {}
