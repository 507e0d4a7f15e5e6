import { Module } from '@nestjs/common';
import { ActivityModule } from '../activity/activity.module.js';
import { BudgetsController } from './budgets.controller.js';
import { BudgetsRepository } from './budgets.repository.js';
import { BudgetsService } from './budgets.service.js';
import { ChosenBudgets } from './chosen-budgets.js';

@Module({
  imports: [ActivityModule],
  controllers: [BudgetsController],
  providers: [BudgetsService, BudgetsRepository, ChosenBudgets],
  exports: [BudgetsService, ChosenBudgets],
})
export class BudgetsModule {}
