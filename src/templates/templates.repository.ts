import { Injectable } from '@nestjs/common';
import { In, IsNull, type FindOptionsRelations, type FindOptionsWhere } from 'typeorm';
import { NO_BUDGET } from '../budgets/dto/budget.dto.js';
import type { Scope } from '../platform/database/database.js';
import { insertRows, lockRow } from '../platform/database/repositories.js';
import { withoutUndefined } from '../platform/values/without-undefined.js';
import { updateRows } from '../records/record-updates.js';
import type { BaseTemplate } from './base-template.entity.js';
import type { ListBaseTemplatesQuery } from './dto/base-template.dto.js';
import { ExpenseTemplate } from './expense-template.entity.js';
import { IncomeTemplate } from './income-template.entity.js';

/** The templates of one kind, with the records that they choose. */
abstract class TemplatesRepository<Template extends BaseTemplate> {
  protected abstract readonly kind: new () => Template;

  /** What is loaded with a template. */
  private readonly relations: FindOptionsRelations<BaseTemplate> = {
    paymentMethod: true,
    budget: true,
  };

  /** Newest first. */
  async list(
    { manager, userId, householdId }: Scope,
    filter: FindOptionsWhere<BaseTemplate>,
  ): Promise<Template[]> {
    // TypeORM gets the type of all templates: it cannot derive the columns of one kind from a type
    // parameter.
    const templates = await manager.getRepository<BaseTemplate>(this.kind).find({
      where: { ...filter, userId, householdId },
      relations: this.relations,
      order: { seq: 'DESC' },
    });
    return templates.filter((template): template is Template => template instanceof this.kind);
  }

  /** The templates that match the filters, newest first. */
  listMatching(
    scope: Scope,
    { budget_id: budgetId, ...columns }: ListBaseTemplatesQuery,
  ): Promise<Template[]> {
    // The other filters have the names of the columns.
    const filter = { ...columns, budgetId: budgetId === NO_BUDGET ? IsNull() : budgetId };
    return this.list(scope, withoutUndefined(filter));
  }

  /** Those of the templates that the owner has, newest first. */
  listByIds(scope: Scope, ids: readonly string[]): Promise<Template[]> {
    return this.list(scope, { id: In([...ids]) });
  }

  async find(scope: Scope, id: string): Promise<Template | null> {
    const [template] = await this.list(scope, { id });
    return template ?? null;
  }

  /** The template, locked until the transaction ends. */
  async lock(scope: Scope, id: string): Promise<Template | null> {
    const { manager, userId, householdId } = scope;
    const where = { id, userId, householdId };
    const found = await lockRow(manager.getRepository<BaseTemplate>(this.kind), where, 'update');
    // A single statement that waits for the lock would join what it chooses from before the wait.
    return found && this.find(scope, id);
  }

  /** Active or not. */
  count({ manager, userId, householdId }: Scope): Promise<number> {
    return manager.getRepository<BaseTemplate>(this.kind).countBy({ householdId, userId });
  }

  insert(scope: Scope, template: Template): void {
    template.userId = scope.userId;
    template.householdId = scope.householdId;
    insertRows(scope, this.kind, [template]);
  }

  /** Writes a locked template. */
  update(scope: Scope, template: Template): void {
    updateRows(scope, this.kind, [template]);
  }
}

@Injectable()
export class ExpenseTemplatesRepository extends TemplatesRepository<ExpenseTemplate> {
  protected readonly kind = ExpenseTemplate;
}

@Injectable()
export class IncomeTemplatesRepository extends TemplatesRepository<IncomeTemplate> {
  protected readonly kind = IncomeTemplate;
}
