import { Module } from '@nestjs/common';
import { BudgetsModule } from '../budgets/budgets.module.js';
import { ExchangeRatesModule } from '../exchange-rates/exchange-rates.module.js';
import { LedgerModule } from '../ledger/ledger.module.js';
import { PaymentMethodsModule } from '../payment-methods/payment-methods.module.js';
import { IncomeSearchController } from './income-search.controller.js';
import { IncomesController } from './incomes.controller.js';
import { IncomesService } from './incomes.service.js';

@Module({
  imports: [BudgetsModule, ExchangeRatesModule, LedgerModule, PaymentMethodsModule],
  controllers: [IncomesController, IncomeSearchController],
  providers: [IncomesService],
  exports: [IncomesService],
})
export class IncomesModule {}
