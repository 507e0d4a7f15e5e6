import { Module } from '@nestjs/common';
import { ActivityModule } from '../activity/activity.module.js';
import { BudgetsModule } from '../budgets/budgets.module.js';
import { PaymentMethodsModule } from '../payment-methods/payment-methods.module.js';
import { ExpenseTemplatesController } from './expense-templates.controller.js';
import { ExpenseTemplatesService } from './expense-templates.service.js';
import { IncomeTemplatesController } from './income-templates.controller.js';
import { IncomeTemplatesService } from './income-templates.service.js';
import { OccurrencesController } from './occurrences.controller.js';
import { OccurrencesService } from './occurrences.service.js';
import { ExpenseTemplatesRepository, IncomeTemplatesRepository } from './templates.repository.js';

@Module({
  imports: [ActivityModule, BudgetsModule, PaymentMethodsModule],
  controllers: [ExpenseTemplatesController, IncomeTemplatesController, OccurrencesController],
  providers: [
    ExpenseTemplatesRepository,
    ExpenseTemplatesService,
    IncomeTemplatesRepository,
    IncomeTemplatesService,
    OccurrencesService,
  ],
  exports: [ExpenseTemplatesService, IncomeTemplatesService],
})
export class TemplatesModule {}
