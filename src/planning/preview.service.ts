import { Inject, Injectable } from '@nestjs/common';
import { Big } from 'big.js';
import type { CreateCycleDto } from '../cycles/dto/cycle.dto.js';
import { assertCycleDates } from '../ledger/cycle-errors.js';
import { EntryGenerator } from '../ledger/generation.js';
import { Ledger } from '../ledger/ledger.js';
import { SETTINGS } from '../platform/config/config.module.js';
import type { Settings } from '../platform/config/settings.js';
import { Database } from '../platform/database/database.js';
import type { Money } from '../platform/values/money.js';
import type { AuthenticatedUser } from '../users/current-user.decorator.js';
import { cashFlowOf, type CashFlow } from './cash-flow.js';
import { listRelatedCycles } from './cycles.queries.js';
import { plannedRowsOf, type PlannedRows } from './planned-rows.js';
import { warningsOf, type Warning } from './warnings.js';

/** The fields of a new cycle; the name may be missing. */
export type CyclePlan = Omit<CreateCycleDto, 'name'> & { name?: string | null };

export interface PlannedCycle {
  name: string | null;
  startDate: string;
  endDate: string;
  incomeAmount: Money;
}

export interface Preview extends PlannedRows {
  cycle: PlannedCycle;
  cashFlow: CashFlow;
  warnings: Warning[];
}

const ZERO = new Big(0);

/** What creating a cycle would give; nothing is written or locked (contract, section 17). */
@Injectable()
export class PreviewService {
  constructor(
    private readonly database: Database,
    private readonly ledger: Ledger,
    private readonly generator: EntryGenerator,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** @throws DomainError INVALID_CYCLE_DATES, CYCLE_GENERATION_ERROR */
  async preview(user: AuthenticatedUser, dto: CyclePlan): Promise<Preview> {
    const cycle = {
      name: dto.name ?? null,
      startDate: dto.start_date,
      endDate: dto.end_date,
      incomeAmount: dto.income_amount,
    };
    assertCycleDates(cycle, this.settings.cycleMaxDays);
    const { manager } = this.database;
    const [related, generated] = await Promise.all([
      listRelatedCycles(manager, user, cycle),
      this.generator.generate(manager, user, cycle, dto.generate_from_templates ?? true),
    ]);
    const rows = plannedRowsOf(this.ledger, user, generated);
    const cashFlow = cashFlowOf(cycle, cycle.incomeAmount, [
      ...rows.expenses.map(({ due_date: date, amount_usd }) => ({
        date,
        incomes: ZERO,
        expenses: new Big(amount_usd),
      })),
      ...rows.incomes.map(({ income_date: date, amount_usd }) => ({
        date,
        incomes: new Big(amount_usd),
        expenses: ZERO,
      })),
    ]);
    const warnings = warningsOf({ cycle, related, generated, cashFlow });
    return { cycle, ...rows, cashFlow, warnings };
  }
}
