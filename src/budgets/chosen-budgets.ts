import { Injectable } from '@nestjs/common';
import { ChosenRecords } from '../records/chosen-records.js';
import { Budget } from './budget.entity.js';
import { BudgetsRepository } from './budgets.repository.js';

@Injectable()
export class ChosenBudgets extends ChosenRecords<Budget> {
  constructor(repository: BudgetsRepository) {
    super(repository, Budget.type, 'budget_id');
  }
}
