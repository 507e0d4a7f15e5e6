import type { Big } from 'big.js';
import sql, { raw } from 'sql-template-tag';
import { Check, Column, Entity, ForeignKey, Unique } from 'typeorm';
import { AMOUNT } from '../platform/database/columns.js';
import { ValidationFailedError } from '../platform/errors/domain-error.js';
import { CURRENCY_CODES, type CurrencyCode } from '../platform/values/currency.js';
import type { UserId } from '../platform/values/user-id.js';
import {
  editable,
  money,
  recordFields,
  type Editable,
  type NewFields,
  setFields,
  type RecordFields,
} from '../records/record-fields.js';
import { NamedRecord, TIME_FIELDS } from '../records/stored-record.js';
import { User } from '../users/user.entity.js';

/** Per user, active or not. */
export const MAX_BUDGETS = 50;

/** What expenses are for, such as groceries; incomes may give back what was spent on it. */
@Entity('budgets')
@Unique('uq_budgets_user_id_name', ['userId', 'name', 'householdId'])
@Check('ck_budgets_cycle_limit', 'cycle_limit > 0')
export class Budget extends NamedRecord {
  @ForeignKey(() => User, { name: 'fk_budgets_user_id', onDelete: 'CASCADE' })
  @Column({ name: 'user_id', type: 'uuid' })
  userId!: UserId;

  /** The currency of its limits; it never changes. */
  @Column({ type: 'enum', enum: CURRENCY_CODES, enumName: 'currency_code', default: 'USD' })
  currency: CurrencyCode = 'USD';

  /** What a new cycle may spend on it, in `currency`; null: no limit. */
  @Column({ ...AMOUNT, name: 'cycle_limit', nullable: true })
  limit: Big | null = null;

  static readonly type = 'budget';

  static readonly fields = recordFields<Budget>()(
    {
      id: 'id',
      name: editable('name'),
      currency: editable('currency'),
      limit: editable({ ...money('limit'), sql: (row: string) => raw(`${row}.cycle_limit`) }),
      active: editable('active'),
      ...TIME_FIELDS,
    },
    ['userId'],
  );

  get type(): typeof Budget.type {
    return Budget.type;
  }

  get fields(): RecordFields {
    return Budget.fields;
  }

  static create(fields: NewFields<BudgetFields>): Budget {
    const budget = new Budget();
    budget.begin();
    setFields(budget, fields);
    return budget;
  }

  /** Sets the given fields; undefined: as it is. */
  update(fields: Partial<BudgetFields>): void {
    setFields<BudgetFields>(this, fields);
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
}

/** The fields of a budget that a body sets. */
export type BudgetFields = Editable<Budget, typeof Budget.fields>;

/** What other records need of their budget. */
export type UsedBudget = Pick<Budget, 'id' | 'name' | 'active'>;

/** What a cycle may spend on a budget, in its currency with two decimals. */
export type BudgetLimit = Readonly<{ budget_id: string; limit: string }>;

/** SQL: the reference to a row `b` of `budgets` as JSON; null if the join has none. */
export const BUDGET_REFERENCE_SQL = sql`CASE WHEN b.id IS NOT NULL THEN
    json_build_object('id', b.id, 'name', b.name) END`;

/** SQL: the same as a {@link UsedBudget}. */
export const USED_BUDGET_SQL = sql`CASE WHEN b.id IS NOT NULL THEN
    json_build_object('id', b.id, 'name', b.name, 'active', b.active) END`;
