import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { formatMoney } from '../common/money.js';
import { SETTINGS } from '../config/config.module.js';
import type { Settings } from '../config/settings.js';
import { Database } from '../database/database.js';
import { Metrics } from '../observability/metrics.js';
import type { AuthenticatedUser } from '../users/current-user.decorator.js';
import { assertCycleDates, cycleNotFound } from './cycle-errors.js';
import type { CreatedCycle } from './cycle-expenses.repository.js';
import { CyclesRepository, type CycleWithSummary } from './cycles.repository.js';
import type { CreateCycleDto, ListCyclesQuery, UpdateCycleDto } from './dto/cycle.dto.js';
import { ExpenseGenerator } from './generation.js';
import { Ledger } from './ledger.js';

/** Cycles of a user (see docs/api.md). */
@Injectable()
export class CyclesService {
  constructor(
    private readonly database: Database,
    private readonly repository: CyclesRepository,
    private readonly ledger: Ledger,
    private readonly generator: ExpenseGenerator,
    private readonly metrics: Metrics,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** A page of cycles, latest start first, and how many there are. */
  list(
    user: AuthenticatedUser,
    { status, page, per_page: limit }: ListCyclesQuery,
  ): Promise<{ cycles: CycleWithSummary[]; total: number }> {
    const offset = (page - 1) * limit;
    return this.repository.pageWithSummary(
      this.database.manager,
      user.id,
      { status },
      { offset, limit },
    );
  }

  /** @throws DomainError CYCLE_NOT_FOUND */
  get(user: AuthenticatedUser, id: string): Promise<CycleWithSummary> {
    return this.getWithSummary(this.database.manager, user, id);
  }

  /**
   * A new draft, with the expenses of the active templates unless the body declines them: all of them
   * or no cycle at all.
   *
   * @throws DomainError INVALID_CYCLE_DATES, CYCLE_NAME_EXISTS, CYCLE_GENERATION_ERROR
   */
  async create(user: AuthenticatedUser, dto: CreateCycleDto): Promise<CycleWithSummary> {
    const values = {
      name: dto.name,
      startDate: dto.start_date,
      endDate: dto.end_date,
      incomeAmount: dto.income_amount,
    };
    assertCycleDates(values, this.settings.cycleMaxDays);
    const created = await this.database.transaction(async (manager) => {
      const isGenerated = dto.generate_from_templates ?? true;
      const planned = isGenerated ? await this.generator.generate(manager, user, values) : [];
      return withSums(await this.ledger.createCycle(manager, user, values, planned));
    });
    this.metrics.generatedExpenses.inc(created.expense_count);
    return created;
  }

  /** @throws DomainError CYCLE_NOT_FOUND, CYCLE_ALREADY_COMPLETED, INVALID_CYCLE_DATES, CYCLE_NAME_EXISTS */
  update(user: AuthenticatedUser, id: string, dto: UpdateCycleDto): Promise<CycleWithSummary> {
    return this.database.transaction(async (manager) => {
      const cycle = await this.ledger.openCycle(manager, user, id);
      const changed = {
        name: dto.name ?? cycle.name,
        startDate: dto.start_date ?? cycle.startDate,
        endDate: dto.end_date ?? cycle.endDate,
        incomeAmount: dto.income_amount ?? cycle.incomeAmount,
        status: dto.status ?? cycle.status,
      };
      if (dto.start_date !== undefined || dto.end_date !== undefined) {
        assertCycleDates(changed, this.settings.cycleMaxDays);
      }
      await this.ledger.changeCycle(manager, user, cycle, changed);
      return this.getWithSummary(manager, user, id);
    });
  }

  /** @throws DomainError CYCLE_NOT_FOUND, CYCLE_ALREADY_COMPLETED */
  async remove(user: AuthenticatedUser, id: string): Promise<void> {
    await this.database.transaction(async (manager) => {
      const cycle = await this.ledger.openCycle(manager, user, id);
      await this.ledger.removeCycle(manager, user, cycle);
    });
  }

  private async getWithSummary(
    manager: EntityManager,
    user: AuthenticatedUser,
    id: string,
  ): Promise<CycleWithSummary> {
    const cycle = await this.repository.findWithSummary(manager, user.id, id);
    if (!cycle) throw cycleNotFound();
    return cycle;
  }
}

/** As reading the new cycle back would give it. */
function withSums({ cycle, sums }: CreatedCycle): CycleWithSummary {
  return {
    id: cycle.id,
    name: cycle.name,
    start_date: cycle.startDate,
    end_date: cycle.endDate,
    income_amount: formatMoney(cycle.incomeAmount),
    remaining_balance: formatMoney(cycle.remainingBalance),
    status: cycle.status,
    created_at: cycle.createdAt.toISOString(),
    updated_at: cycle.updatedAt.toISOString(),
    total_expenses: sums.total_expenses,
    fixed_expenses: sums.fixed_expenses,
    variable_expenses: sums.variable_expenses,
    expense_count: sums.expense_count,
    paid_count: sums.paid_count,
    pending_count: sums.pending_count,
  };
}
