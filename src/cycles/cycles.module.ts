import { Module } from '@nestjs/common';
import { ActivityModule } from '../activity/activity.module.js';
import { ExchangeRatesModule } from '../exchange-rates/exchange-rates.module.js';
import { TemplatesModule } from '../templates/templates.module.js';
import { CycleExpensesRepository } from './cycle-expenses.repository.js';
import { CyclesController } from './cycles.controller.js';
import { CyclesRepository } from './cycles.repository.js';
import { CyclesService } from './cycles.service.js';
import { ExpenseGenerator } from './generation.js';
import { Ledger } from './ledger.js';

@Module({
  imports: [ActivityModule, ExchangeRatesModule, TemplatesModule],
  controllers: [CyclesController],
  providers: [CyclesService, CyclesRepository, CycleExpensesRepository, Ledger, ExpenseGenerator],
  exports: [CyclesService, Ledger],
})
export class CyclesModule {}
