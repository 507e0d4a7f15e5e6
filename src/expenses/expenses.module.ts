import { Module } from '@nestjs/common';
import { BudgetsModule } from '../budgets/budgets.module.js';
import { ExchangeRatesModule } from '../exchange-rates/exchange-rates.module.js';
import { LedgerModule } from '../ledger/ledger.module.js';
import { PaymentMethodsModule } from '../payment-methods/payment-methods.module.js';
import { ExpenseCsvController } from './expense-csv.controller.js';
import { ExpenseImportService } from './expense-import.service.js';
import { ExpenseSearchController } from './expense-search.controller.js';
import { ExpensesController } from './expenses.controller.js';
import { ExpensesService } from './expenses.service.js';

@Module({
  imports: [BudgetsModule, ExchangeRatesModule, LedgerModule, PaymentMethodsModule],
  controllers: [ExpensesController, ExpenseCsvController, ExpenseSearchController],
  providers: [ExpensesService, ExpenseImportService],
  exports: [ExpensesService],
})
export class ExpensesModule {}
