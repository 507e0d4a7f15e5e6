import { Injectable } from '@nestjs/common';
import { ActivityService } from '../activity/activity.service.js';
import { changeOf, creationOf, type Change } from '../activity/mutation.js';
import { recordNotFound, type Undo } from '../activity/undo.js';
import { Database, type Scope } from '../platform/database/database.js';
import {
  assertWithinLimit,
  NameTakenError,
  ResourceNotFoundError,
} from '../platform/errors/domain-error.js';
import type { Precondition } from '../platform/values/precondition.js';
import { fieldsIn } from '../records/record-fields.js';
import type { AuthenticatedUser } from '../users/authenticated-user.js';
import { Budget, MAX_BUDGETS } from './budget.entity.js';
import { listBudgets, listLimitedBudgets, type LimitedBudget } from './budgets.queries.js';
import { BudgetsRepository } from './budgets.repository.js';
import {
  toBudgetResponse,
  type BudgetResponse,
  type CreateBudgetDto,
  type ListBudgetsQuery,
  type UpdateBudgetDto,
} from './dto/budget.dto.js';

/**
 * Budgets of a user. A deleted one is inactive: what has it keeps it, and its name stays taken. A
 * change of its limit reaches new cycles only.
 */
@Injectable()
export class BudgetsService {
  constructor(
    private readonly database: Database,
    private readonly repository: BudgetsRepository,
    private readonly activity: ActivityService,
  ) {}

  /** The user's budgets, newest first; active and inactive ones unless filtered. */
  list(user: AuthenticatedUser, query: ListBudgetsQuery): Promise<BudgetResponse[]> {
    return this.database.read(user, (scope) => listBudgets(scope, query));
  }

  /** The user's budgets with these ids, in any order; other ids are ignored. */
  async listByIds(scope: Scope, ids: readonly string[]): Promise<BudgetResponse[]> {
    const budgets = await this.repository.listByIds(scope, ids);
    return budgets.map(toBudgetResponse);
  }

  /** The limits that a new cycle has: those of all active budgets, in the order of creation. */
  listLimited(scope: Scope): Promise<LimitedBudget[]> {
    return listLimitedBudgets(scope);
  }

  /** @throws ResourceNotFoundError */
  async get(user: AuthenticatedUser, id: string): Promise<BudgetResponse> {
    const budget = await this.database.read(user, (scope) => this.repository.find(scope, { id }));
    if (!budget) throw new ResourceNotFoundError(Budget.type);
    return toBudgetResponse(budget);
  }

  /**
   * @throws DomainError RESOURCE_CONFLICT when the name exists, also on an inactive one, or at the
   *   limit
   */
  create(user: AuthenticatedUser, dto: CreateBudgetDto): Promise<BudgetResponse> {
    return this.database.transaction(user, async (scope) => {
      const stored = await this.repository.count(scope);
      const { currency = 'USD' } = dto;
      const budget = Budget.create({ ...fieldsIn(Budget.fields, dto), currency });
      const existing = await this.repository.insertOrFindByName(scope, budget);
      if (existing) throw new NameTakenError(Budget.type, existing); // 409
      assertWithinLimit('budget', { stored, limit: MAX_BUDGETS }); // 409
      this.activity.record(scope, [creationOf(budget)]);
      return toBudgetResponse(budget);
    });
  }

  /** @throws ResourceNotFoundError, DomainError RESOURCE_CONFLICT when the new name exists */
  update(
    user: AuthenticatedUser,
    id: string,
    dto: UpdateBudgetDto,
    precondition: Precondition,
  ): Promise<BudgetResponse> {
    return this.database.transaction(user, async (scope) => {
      const { found: budget, namesake } = await this.repository.lockToChange(scope, id, dto.name);
      if (!budget) throw new ResourceNotFoundError(Budget.type); // 404
      await precondition.assert(() => toBudgetResponse(budget)); // 412
      const before = budget.copy();
      budget.update(fieldsIn(Budget.fields, dto));
      if (namesake) throw new NameTakenError(Budget.type, namesake); // 409
      this.save(scope, { before, after: budget });
      return toBudgetResponse(budget);
    });
  }

  /**
   * A soft deletion: it can still be read, and its name remains reserved.
   *
   * @throws ResourceNotFoundError
   */
  async remove(user: AuthenticatedUser, id: string, precondition: Precondition): Promise<void> {
    await this.update(user, id, { active: false }, precondition);
  }

  /**
   * Takes back what a record of the activity log says of a budget; one whose creation is undone is
   * inactive.
   *
   * @throws ResourceNotFoundError; DomainError RESOURCE_CONFLICT when it has changed since, or the
   *   name of before exists
   */
  async undo(scope: Scope, undo: Undo): Promise<void> {
    const { entityId, values } = undo;
    const name = values.name as string | undefined;
    const { found: budget, namesake } = await this.repository.lockToChange(scope, entityId, name);
    if (!budget) recordNotFound(); // 404
    undo.assertPossible(budget); // 409
    const before = budget.copy();
    budget.restore(values);
    if (namesake) throw new NameTakenError(Budget.type, namesake); // 409
    this.save(scope, { before, after: budget, undo });
  }

  /** Stores a changed budget that is locked; if nothing changed, nothing. */
  private save(scope: Scope, change: Change<Budget>): void {
    const record = changeOf(change);
    if (!record) return;
    this.repository.update(scope, change.after);
    this.activity.record(scope, [record]);
  }
}
