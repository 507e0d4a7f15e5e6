import type { StoredKind } from '../records/record-kind.js';
import { Budget } from './budget.entity.js';
import { BudgetsService } from './budgets.service.js';
import { BudgetResponse } from './dto/budget.dto.js';

export const BUDGET_KIND: StoredKind<typeof Budget.type> = {
  type: Budget.type,
  entity: Budget,
  representation: BudgetResponse,
  service: BudgetsService,
};
