import { Big } from 'big.js';
import { randomUUID } from 'node:crypto';
import { Check, Column, Entity, ForeignKey, Unique } from 'typeorm';
import type { Snapshot } from '../activity/changes.js';
import { AMOUNT } from '../platform/database/columns.js';
import { NameTakenError, ValidationFailedError } from '../platform/errors/domain-error.js';
import { registerUniqueConstraint } from '../platform/errors/unique-violation.js';
import type { Instant } from '../platform/values/instant.js';
import { formatMoney } from '../platform/values/money.js';
import type { UserId } from '../platform/values/user-id.js';
import { NamedRecord } from '../records/stored-record.js';
import { User } from '../users/user.entity.js';

/** Per user, active or not. */
export const MAX_BUDGETS = 50;

/** The fields of a budget that a body sets. */
export type BudgetFields = Pick<Budget, 'name' | 'limit'>;

/** The state that the activity log records. */
type BudgetSnapshot = Readonly<{
  id: string;
  name: string;
  limit: string | null;
  active: boolean;
  created_at: Instant;
  updated_at: Instant;
}>;

const UNIQUE_NAME = 'uq_budgets_user_id_name';

registerUniqueConstraint(UNIQUE_NAME, () => new NameTakenError('budget'), { isReadFirst: true });

/** What expenses are for, such as groceries. */
@Entity('budgets')
@Unique(UNIQUE_NAME, ['userId', 'name', 'householdId'])
@Check('ck_budgets_cycle_limit', 'cycle_limit > 0')
export class Budget extends NamedRecord {
  @ForeignKey(() => User, { name: 'fk_budgets_user_id', onDelete: 'CASCADE' })
  @Column({ name: 'user_id', type: 'uuid' })
  userId!: UserId;

  /** What a new cycle may spend on it, in USD; null: no limit. */
  @Column({ ...AMOUNT, name: 'cycle_limit', nullable: true })
  limit!: Big | null;

  static readonly type = 'budget';

  get type(): typeof Budget.type {
    return Budget.type;
  }

  static create(fields: BudgetFields): Budget {
    const budget = new Budget();
    budget.id = randomUUID();
    budget.createdAt = new Date();
    budget.updatedAt = budget.createdAt;
    budget.name = fields.name;
    budget.limit = fields.limit;
    return budget;
  }

  /** Sets the given fields; undefined: as it is. */
  update(fields: Partial<BudgetFields & Pick<Budget, 'active'>>): void {
    this.name = fields.name ?? this.name;
    if (fields.limit !== undefined) this.limit = fields.limit;
    this.active = fields.active ?? this.active;
  }

  /** Takes recorded values back; the others stay. */
  restore(values: Snapshot): void {
    const { name, limit, active } = values as Partial<BudgetSnapshot>;
    this.update({ name, limit: typeof limit === 'string' ? new Big(limit) : limit, active });
  }

  /**
   * @param path of the field that chooses it
   * @throws ValidationFailedError when it is inactive and a request chooses it
   */
  assertActive(path = 'budget_id'): void {
    if (this.active) return;
    throw new ValidationFailedError({
      [path]: [{ reason: 'inactive', message: `${path} must be the id of an active budget` }],
    });
  }

  /** The state that the activity log records. */
  snapshot(): BudgetSnapshot {
    return {
      id: this.id,
      name: this.name,
      limit: this.limit && formatMoney(this.limit),
      active: this.active,
      created_at: this.createdAt.toISOString(),
      updated_at: this.updatedAt.toISOString(),
    };
  }
}

/** What other records need of their budget. */
export type UsedBudget = Pick<Budget, 'id' | 'name' | 'active'>;

/** What a cycle may spend on a budget, in USD with two decimals. */
export type BudgetLimit = Readonly<{ budget_id: string; limit: string }>;

/** SQL: the reference to a row `b` of `budgets` as JSON; null if the join has none. */
export const BUDGET_REFERENCE_SQL = `CASE WHEN b.id IS NOT NULL THEN
    json_build_object('id', b.id, 'name', b.name) END`;

/** SQL: the same as a {@link UsedBudget}. */
export const USED_BUDGET_SQL = `CASE WHEN b.id IS NOT NULL THEN
    json_build_object('id', b.id, 'name', b.name, 'active', b.active) END`;
