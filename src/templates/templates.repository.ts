import { Injectable } from '@nestjs/common';
import { In, type FindManyOptions, type FindOptionsWhere } from 'typeorm';
import type { Scope } from '../platform/database/database.js';
import { insertRows, ROW_LOCKS, updateRows } from '../platform/database/repositories.js';
import type { BaseTemplate } from './base-template.entity.js';
import { ExpenseTemplate } from './expense-template.entity.js';
import { IncomeTemplate } from './income-template.entity.js';

/** The templates of one kind, with their payment methods. */
abstract class TemplatesRepository<Template extends BaseTemplate> {
  protected abstract readonly kind: new () => Template;

  /** Newest first. */
  list(scope: Scope, filter: FindOptionsWhere<BaseTemplate>): Promise<Template[]> {
    const { userId, householdId } = scope;
    return this.find(scope, {
      where: { ...filter, userId, householdId },
      relations: { paymentMethod: true },
      order: { seq: 'DESC' },
    });
  }

  /** Those of the templates that the owner has, newest first. */
  listByIds(scope: Scope, ids: readonly string[]): Promise<Template[]> {
    return this.list(scope, { id: In([...ids]) });
  }

  async get(scope: Scope, id: string): Promise<Template | undefined> {
    const [template] = await this.list(scope, { id });
    return template;
  }

  /** The template, locked until the transaction ends. */
  async lock(scope: Scope, id: string): Promise<Template | undefined> {
    const { userId, householdId } = scope;
    const [found] = await this.find(scope, {
      where: { id, userId, householdId },
      lock: { mode: ROW_LOCKS.update },
    });
    // A single statement that waits for the lock would join the payment method from before the
    // wait.
    return found && this.get(scope, id);
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

  /**
   * TypeORM gets the type of all templates: it cannot derive the columns of one kind from a type
   * parameter.
   */
  private async find(
    { manager }: Scope,
    options: FindManyOptions<BaseTemplate>,
  ): Promise<Template[]> {
    const templates = await manager.getRepository<BaseTemplate>(this.kind).find(options);
    return templates.filter((template): template is Template => template instanceof this.kind);
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
