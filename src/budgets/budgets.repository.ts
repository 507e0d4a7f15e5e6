import { Injectable } from '@nestjs/common';
import { NamedRecordsRepository } from '../records/named-records.js';
import { Budget } from './budget.entity.js';

@Injectable()
export class BudgetsRepository extends NamedRecordsRepository<Budget> {
  protected readonly kind = Budget;
}
