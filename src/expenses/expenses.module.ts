import { Module } from '@nestjs/common';
import { CyclesModule } from '../cycles/cycles.module.js';
import { ExchangeRatesModule } from '../exchange-rates/exchange-rates.module.js';
import { PaymentMethodsModule } from '../payment-methods/payment-methods.module.js';
import { ExpensesController } from './expenses.controller.js';
import { ExpensesRepository } from './expenses.repository.js';
import { ExpensesService } from './expenses.service.js';

@Module({
  imports: [CyclesModule, ExchangeRatesModule, PaymentMethodsModule],
  controllers: [ExpensesController],
  providers: [ExpensesService, ExpensesRepository],
  exports: [ExpensesService],
})
export class ExpensesModule {}
