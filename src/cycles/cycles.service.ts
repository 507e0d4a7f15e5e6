import { Inject, Injectable } from '@nestjs/common';
import type { Undo } from '../activity/undo.js';
import { BudgetsService } from '../budgets/budgets.service.js';
import { ChosenBudgets } from '../budgets/chosen-budgets.js';
import { assertCycleDates, cycleNotFound } from '../ledger/entities/cycle-errors.js';
import { Cycle } from '../ledger/entities/cycle.entity.js';
import { EntryGenerator, NO_ENTRIES } from '../ledger/generation/entry-generator.js';
import { Ledger } from '../ledger/ledger.js';
import { LedgerUndo } from '../ledger/undo/ledger-undo.js';
import { SETTINGS } from '../platform/config/config.module.js';
import type { Settings } from '../platform/config/settings.js';
import { Database, type Scope } from '../platform/database/database.js';
import { rangeOf } from '../platform/dto/page.js';
import type { Precondition } from '../platform/values/precondition.js';
import { fieldsIn } from '../records/record-fields.js';
import type { AuthenticatedUser } from '../users/authenticated-user.js';
import { chosenLimits, toBudgetLimit } from './budget-limits.js';
import { findCycle, listCycles, listCyclesByIds } from './cycles.queries.js';
import {
  isGenerated,
  toCyclePage,
  toCycleResponse,
  type CreateCycleDto,
  type CyclePageResponse,
  type CycleResponse,
  type ListCyclesQuery,
  type UpdateCycleDto,
} from './dto/cycle.dto.js';

/** Cycles of a user, generated from templates. A completed cycle does not change. */
@Injectable()
export class CyclesService {
  constructor(
    private readonly database: Database,
    private readonly ledger: Ledger,
    private readonly ledgerUndo: LedgerUndo,
    private readonly generator: EntryGenerator,
    private readonly budgets: BudgetsService,
    private readonly chosenBudgets: ChosenBudgets,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** A page of cycles, latest start date first. */
  async list(user: AuthenticatedUser, query: ListCyclesQuery): Promise<CyclePageResponse> {
    return toCyclePage(
      query,
      await this.database.read(user, (scope) => listCycles(scope, query, rangeOf(query))),
    );
  }

  /** The user's cycles with these ids, in any order; other ids are ignored. */
  async listByIds(scope: Scope, ids: readonly string[]): Promise<CycleResponse[]> {
    return (await listCyclesByIds(scope, ids)).map(toCycleResponse);
  }

  /** @throws DomainError CYCLE_NOT_FOUND */
  get(user: AuthenticatedUser, id: string): Promise<CycleResponse> {
    return this.database.read(user, (scope) => this.read(scope, id));
  }

  /**
   * Creates a draft with the limits of the active budgets, and generates its expenses and incomes
   * from the active templates, unless `generate_from_templates` is false, as it is by default of a
   * `side` cycle. If one of them cannot be generated, no cycle is created.
   *
   * @throws DomainError INVALID_CYCLE_DATES, CYCLE_NAME_EXISTS, RESOURCE_CONFLICT at the limit,
   *   CYCLE_GENERATION_ERROR
   */
  async create(user: AuthenticatedUser, dto: CreateCycleDto): Promise<CycleResponse> {
    const fields = { ...fieldsIn(Cycle.fields, dto), side: dto.side ?? false };
    assertCycleDates(fields, this.settings.cycleMaxDays); // 422
    return this.database.transaction(user, async (scope) => {
      const limits = await this.budgets.listLimited(scope);
      const cycle = Cycle.create(fields, limits.map(toBudgetLimit));
      await this.ledger.insertCycle(scope, cycle); // 409: a taken name, the limit
      const { expenses, incomes } = isGenerated(dto)
        ? await this.generator.generate(scope, cycle) // 422
        : NO_ENTRIES;
      this.generator.countStored(scope, expenses);
      await this.ledger.insertFirstEntries(scope, cycle, [...expenses, ...incomes]);
      return this.read(scope, cycle.id);
    });
  }

  /**
   * Updates a cycle; its expenses and incomes do not change.
   *
   * @throws DomainError INVALID_CYCLE_DATES, CYCLE_NOT_FOUND, CYCLE_ALREADY_COMPLETED,
   *   CYCLE_NAME_EXISTS; ResourceNotFoundError or ValidationFailedError for a budget
   */
  async update(
    user: AuthenticatedUser,
    id: string,
    dto: UpdateCycleDto,
    precondition: Precondition,
  ): Promise<CycleResponse> {
    const { start_date: startDate, end_date: endDate, budget_limits: limits } = dto;
    if (startDate !== undefined && endDate !== undefined) {
      assertCycleDates({ startDate, endDate }, this.settings.cycleMaxDays); // 422
    }
    return this.database.transaction(user, async (scope) => {
      const cycle = await this.ledger.lockCycle(scope, id); // 404
      const budgetIds = limits?.map(({ budget_id: budgetId }) => budgetId) ?? [];
      const budgets = await this.chosenBudgets.lockAll(scope, budgetIds); // 404
      await precondition.assert(() => this.read(scope, id)); // 412
      cycle.assertOpen(); // 409
      const before = cycle.copy();
      cycle.update({
        ...fieldsIn(Cycle.fields, dto),
        budgetLimits: limits && chosenLimits(cycle, limits, budgets), // 422: an inactive budget
      });
      if (startDate !== undefined || endDate !== undefined) {
        const sentDate = endDate === undefined ? 'start_date' : 'end_date';
        assertCycleDates(cycle, this.settings.cycleMaxDays, sentDate); // 422
      }
      this.ledger.saveCycle(scope, { before, after: cycle }); // 409: the name
      return this.read(scope, id);
    });
  }

  /**
   * A soft deletion of the cycle, its expenses and its incomes.
   *
   * @throws DomainError CYCLE_NOT_FOUND, CYCLE_ALREADY_COMPLETED
   */
  async remove(user: AuthenticatedUser, id: string, precondition: Precondition): Promise<void> {
    await this.database.transaction(user, async (scope) => {
      const cycle = await this.ledger.lockCycle(scope, id); // 404
      await precondition.assert(() => this.read(scope, id)); // 412
      await this.ledger.removeCycle(scope, cycle); // 409
    });
  }

  /** See {@link LedgerUndo}. */
  undo(scope: Scope, undo: Undo): Promise<void> {
    return this.ledgerUndo.undoCycle(scope, undo);
  }

  /**
   * A cycle with its totals in USD.
   *
   * @throws DomainError CYCLE_NOT_FOUND
   */
  async read(scope: Scope, id: string): Promise<CycleResponse> {
    const cycle = await findCycle(scope, id);
    if (!cycle) throw cycleNotFound();
    return toCycleResponse(cycle);
  }
}
