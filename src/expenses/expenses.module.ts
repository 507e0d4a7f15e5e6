import { Module } from '@nestjs/common';
import { LedgerModule } from '../ledger/ledger.module.js';
import { ExpenseSearchController } from './expense-search.controller.js';
import { ExpensesController } from './expenses.controller.js';
import { ExpensesService } from './expenses.service.js';

@Module({
  imports: [LedgerModule],
  controllers: [ExpensesController, ExpenseSearchController],
  providers: [ExpensesService],
  exports: [ExpensesService],
})
export class ExpensesModule {}
