import { Inject, Injectable } from '@nestjs/common';
import { Big } from 'big.js';
import { sendTogether } from '#postgres';
import type { BudgetLimit } from '../budgets/budget.entity.js';
import { BudgetsService } from '../budgets/budgets.service.js';
import { ExchangeRatesService } from '../exchange-rates/exchange-rates.service.js';
import type { CycleEntry } from '../ledger/entities/cycle-entry.entity.js';
import { assertCycleDates } from '../ledger/entities/cycle-errors.js';
import {
  EntryGenerator,
  NO_ENTRIES,
  type GeneratedEntries,
} from '../ledger/generation/entry-generator.js';
import { SETTINGS } from '../platform/config/config.module.js';
import type { Settings } from '../platform/config/settings.js';
import { Database } from '../platform/database/database.js';
import { sumMoney, type Money } from '../platform/values/money.js';
import type { AuthenticatedUser } from '../users/authenticated-user.js';
import { toBudgetLimit } from './budget-limits.js';
import { cashFlowOf, type Movement } from './cash-flow.js';
import { listRelatedCycles } from './cycle-planning.queries.js';
import type { CashFlowResponse } from './dto/cash-flow.dto.js';
import { isGenerated, type CreateCycleDto } from './dto/cycle.dto.js';
import { toPreviewResponse, type PreviewResponse } from './dto/preview.dto.js';
import { datesOfBudgetsInPesos, warningsOf, type Warning } from './warnings.js';

/** The fields of a new cycle, whose name may be missing, and what there is before it, in USD. */
type CyclePlan = Omit<CreateCycleDto, 'name'> & {
  name?: string | null;
  opening_balance?: Money | null;
};

interface PlannedCycle {
  name: string | null;
  startDate: string;
  endDate: string;
  incomeAmount: Money;
  side: boolean;
}

/** The totals of a planned cycle, in USD. */
interface PlannedTotals {
  expenses: Money;
  fixedExpenses: Money;
  variableExpenses: Money;
  incomes: Money;
}

export interface Preview extends GeneratedEntries {
  cycle: PlannedCycle;
  limits: BudgetLimit[];
  totals: PlannedTotals;
  cashFlow: CashFlowResponse;
  warnings: Warning[];
}

const ZERO = new Big(0);

/** What creating a cycle would give; nothing is written or locked. */
@Injectable()
export class PreviewService {
  constructor(
    private readonly database: Database,
    private readonly generator: EntryGenerator,
    private readonly budgets: BudgetsService,
    private readonly exchangeRates: ExchangeRatesService,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /**
   * @throws DomainError INVALID_CYCLE_DATES, CYCLE_GENERATION_ERROR; CURRENCY_CONVERSION_ERROR
   *   without a stored rate
   */
  async preview(user: AuthenticatedUser, dto: CyclePlan): Promise<PreviewResponse> {
    const cycle = {
      name: dto.name ?? null,
      startDate: dto.start_date,
      endDate: dto.end_date,
      incomeAmount: dto.income_amount,
      side: dto.side ?? false,
    };
    assertCycleDates(cycle, this.settings.cycleMaxDays);
    const read = await this.database.read(user, async (scope) => {
      const [related, limited, generated] = await sendTogether([
        listRelatedCycles(scope, cycle),
        this.budgets.listLimited(scope),
        isGenerated(dto) ? this.generator.generate(scope, cycle) : NO_ENTRIES,
      ]);
      const dates = datesOfBudgetsInPesos(limited, generated);
      const converter = await this.exchangeRates.usdConverter(scope, [], dates);
      return { related, limited, generated, converter };
    });
    const { limited, generated } = read;
    const opening = cycle.incomeAmount.plus(dto.opening_balance ?? ZERO);
    const cashFlow = cashFlowOf(cycle, opening, movementsOf(generated));
    const warnings = warningsOf({ ...read, cycle, cashFlow });
    return toPreviewResponse({
      cycle,
      limits: limited.map(toBudgetLimit),
      totals: totalsOf(generated),
      ...generated,
      cashFlow,
      warnings,
    });
  }
}

/** All of them count: generated expenses are pending. */
const movementsOf = ({ expenses, incomes }: GeneratedEntries): Movement[] => [
  ...expenses.map(({ dueDate: date, amountUsd }) => ({ date, incomes: ZERO, expenses: amountUsd })),
  ...incomes.map(({ incomeDate: date, amountUsd }) => ({
    date,
    incomes: amountUsd,
    expenses: ZERO,
  })),
];

function totalsOf({ expenses, incomes }: GeneratedEntries): PlannedTotals {
  return {
    expenses: sumUsd(expenses),
    fixedExpenses: sumUsd(expenses.filter(({ category }) => category === 'fixed')),
    variableExpenses: sumUsd(expenses.filter(({ category }) => category === 'variable')),
    incomes: sumUsd(incomes),
  };
}

const sumUsd = (entries: readonly CycleEntry[]): Money =>
  sumMoney(entries.map(({ amountUsd }) => amountUsd));
