import { Module } from '@nestjs/common';
import { ActivityModule } from '../activity/activity.module.js';
import { CardsModule } from '../cards/cards.module.js';
import { ExchangeRatesModule } from '../exchange-rates/exchange-rates.module.js';
import { ExpensesModule } from '../expenses/expenses.module.js';
import { IncomesModule } from '../incomes/incomes.module.js';
import { PaymentMethodsModule } from '../payment-methods/payment-methods.module.js';
import { BalancesController } from './balances.controller.js';
import { BalancesRepository } from './balances.repository.js';
import { BalancesService } from './balances.service.js';
import { HoldingsService } from './holdings.service.js';

@Module({
  imports: [
    ActivityModule,
    CardsModule,
    ExchangeRatesModule,
    ExpensesModule,
    IncomesModule,
    PaymentMethodsModule,
  ],
  controllers: [BalancesController],
  providers: [BalancesService, BalancesRepository, HoldingsService],
  exports: [BalancesService, HoldingsService],
})
export class BalancesModule {}
