import { CycleIncome } from '../ledger/entities/cycle-income.entity.js';
import type { StoredKind } from '../records/record-kind.js';
import { IncomeResponse } from './dto/income.dto.js';
import { IncomesService } from './incomes.service.js';

export const INCOME_KIND: StoredKind<typeof CycleIncome.type> = {
  type: CycleIncome.type,
  entity: CycleIncome,
  representation: IncomeResponse,
  service: IncomesService,
};
