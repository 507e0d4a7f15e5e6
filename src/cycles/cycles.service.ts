import { Inject, Injectable } from '@nestjs/common';
import { SETTINGS } from '../platform/config/config.module.js';
import type { Settings } from '../platform/config/settings.js';
import { Database, type Scope } from '../platform/database/database.js';
import { Metrics } from '../platform/metrics/metrics.js';
import { NO_PRECONDITION, type Precondition } from '../platform/values/precondition.js';
import { rangeOf } from '../platform/dto/page.js';
import type { AuthenticatedUser } from '../users/current-user.decorator.js';
import { assertCycleDates, assertOpen, cycleNotFound } from '../ledger/cycle-errors.js';
import { findCycle, listCycles, listCyclesByIds, type CycleRow } from './cycles.queries.js';
import {
  toCycleResponse,
  type CreateCycleDto,
  type ListCyclesQuery,
  type UpdateCycleDto,
} from './dto/cycle.dto.js';
import { EntryGenerator } from '../ledger/generation.js';
import { Ledger } from '../ledger/ledger.js';

/** Cycles of a user (see docs/api.md). */
@Injectable()
export class CyclesService {
  constructor(
    private readonly database: Database,
    private readonly ledger: Ledger,
    private readonly generator: EntryGenerator,
    private readonly metrics: Metrics,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** A page of cycles, latest start date first, and the total number of cycles. */
  list(
    user: AuthenticatedUser,
    query: ListCyclesQuery,
  ): Promise<{ cycles: CycleRow[]; total: number }> {
    const { status } = query;
    return listCycles(this.database.read(user), { status }, rangeOf(query));
  }

  /** The user's cycles with these ids, in any order; other ids are ignored. */
  listByIds(user: AuthenticatedUser, ids: readonly string[]): Promise<CycleRow[]> {
    return listCyclesByIds(this.database.read(user), ids);
  }

  /**
   * A cycle with its totals in USD.
   *
   * @throws DomainError CYCLE_NOT_FOUND
   */
  get(user: AuthenticatedUser, id: string): Promise<CycleRow> {
    return this.read(this.database.read(user), id);
  }

  /**
   * Creates a draft and generates its expenses and incomes from the active templates, unless
   * `generate_from_templates` is false. If one of them cannot be generated, no cycle is created.
   *
   * @throws DomainError INVALID_CYCLE_DATES, CYCLE_NAME_EXISTS, RESOURCE_CONFLICT at the limit, CYCLE_GENERATION_ERROR
   */
  async create(user: AuthenticatedUser, dto: CreateCycleDto): Promise<CycleRow> {
    const values = {
      name: dto.name,
      startDate: dto.start_date,
      endDate: dto.end_date,
      incomeAmount: dto.income_amount,
    };
    assertCycleDates(values, this.settings.cycleMaxDays);
    const created = await this.database.transaction(user, async (scope) => {
      const cycle = await this.ledger.insertCycle(scope, values);
      const isGenerated = dto.generate_from_templates ?? true;
      const generated = await this.generator.generate(scope, values, isGenerated);
      await this.ledger.addGenerated(scope, cycle, generated);
      return this.read(scope, cycle.id);
    });
    this.metrics.generatedExpenses.inc(created.expense_count);
    return created;
  }

  /**
   * Updates a cycle; its expenses and incomes do not change.
   *
   * @throws DomainError INVALID_CYCLE_DATES, CYCLE_NOT_FOUND, CYCLE_ALREADY_COMPLETED, CYCLE_NAME_EXISTS
   */
  async update(
    user: AuthenticatedUser,
    id: string,
    dto: UpdateCycleDto,
    precondition: Precondition = NO_PRECONDITION,
  ): Promise<CycleRow> {
    const { start_date: startDate, end_date: endDate } = dto;
    if (startDate !== undefined && endDate !== undefined) {
      assertCycleDates({ startDate, endDate }, this.settings.cycleMaxDays);
    }
    return this.database.transaction(user, async (scope) => {
      const cycle = await this.ledger.lockCycle(scope, id);
      await this.assertUnchanged(scope, id, precondition);
      assertOpen(cycle);
      const changed = {
        name: dto.name ?? cycle.name,
        startDate: startDate ?? cycle.startDate,
        endDate: endDate ?? cycle.endDate,
        incomeAmount: dto.income_amount ?? cycle.incomeAmount,
        status: dto.status ?? cycle.status,
      };
      if (startDate !== undefined || endDate !== undefined) {
        const sentDate = endDate === undefined ? 'start_date' : 'end_date';
        assertCycleDates(changed, this.settings.cycleMaxDays, sentDate);
      }
      await this.ledger.updateCycle(scope, cycle, changed);
      return this.read(scope, id);
    });
  }

  /**
   * A soft deletion of the cycle, its expenses and its incomes.
   *
   * @throws DomainError CYCLE_NOT_FOUND, CYCLE_ALREADY_COMPLETED
   */
  async remove(user: AuthenticatedUser, id: string, precondition = NO_PRECONDITION): Promise<void> {
    await this.database.transaction(user, async (scope) => {
      const cycle = await this.ledger.lockCycle(scope, id);
      await this.assertUnchanged(scope, id, precondition);
      await this.ledger.removeCycle(scope, cycle);
    });
  }

  private assertUnchanged(scope: Scope, id: string, precondition: Precondition): Promise<void> {
    return precondition.assert(async () => toCycleResponse(await this.read(scope, id)));
  }

  private async read(scope: Scope, id: string): Promise<CycleRow> {
    const cycle = await findCycle(scope, id);
    if (!cycle) throw cycleNotFound();
    return cycle;
  }
}
