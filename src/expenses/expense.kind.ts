import { CycleExpense } from '../ledger/entities/cycle-expense.entity.js';
import type { StoredKind } from '../records/record-kind.js';
import { ExpenseResponse } from './dto/expense.dto.js';
import { ExpensesService } from './expenses.service.js';

export const EXPENSE_KIND: StoredKind<typeof CycleExpense.type> = {
  type: CycleExpense.type,
  entity: CycleExpense,
  representation: ExpenseResponse,
  service: ExpensesService,
};
