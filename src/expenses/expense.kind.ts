import type { StoredKind } from '../activity/record-kind.js';
import { CycleExpense } from '../ledger/entities/cycle-expense.entity.js';
import { ExpenseResponse } from './dto/expense.dto.js';
import { ExpensesService } from './expenses.service.js';

export const EXPENSE_KIND: StoredKind<typeof CycleExpense.type> = {
  type: CycleExpense.type,
  entity: CycleExpense,
  representation: ExpenseResponse,
  service: ExpensesService,
};
