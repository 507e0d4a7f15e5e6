import { Big } from 'big.js';
import { randomUUID } from 'node:crypto';
import { Check, Column, Entity, ForeignKey, Index } from 'typeorm';
import type { ActivityAction } from '../../activity/activity-record.entity.js';
import type { Changes, Snapshot } from '../../activity/changes.js';
import type { BudgetLimit } from '../../budgets/budget.entity.js';
import { AMOUNT, BALANCE } from '../../platform/database/columns.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import { registerUniqueConstraint } from '../../platform/errors/unique-violation.js';
import type { CalendarDate } from '../../platform/values/calendar-date.js';
import type { Instant } from '../../platform/values/instant.js';
import { formatMoney } from '../../platform/values/money.js';
import type { UserId } from '../../platform/values/user-id.js';
import { OwnedRecord } from '../../records/stored-record.js';
import { User } from '../../users/user.entity.js';

export const CYCLE_STATUSES = ['draft', 'active', 'completed'] as const;
export type CycleStatus = (typeof CYCLE_STATUSES)[number];

/** Per user; deleted ones do not count. */
export const MAX_CYCLES = 1000;

/** The fields of a cycle that a body sets. */
export type CycleFields = Pick<Cycle, 'name' | 'startDate' | 'endDate' | 'incomeAmount'>;

/** The fields of a cycle that an update sets. */
type ChangedCycleFields = CycleFields & Pick<Cycle, 'status' | 'budgetLimits'>;

/** The state that the activity log records. */
type CycleSnapshot = Readonly<{
  id: string;
  name: string;
  start_date: CalendarDate;
  end_date: CalendarDate;
  income_amount: string;
  status: CycleStatus;
  budget_limits: readonly BudgetLimit[];
  active: boolean;
  created_at: Instant;
  updated_at: Instant;
}>;

const UNIQUE_NAME = 'uq_cycles_user_id_name';

registerUniqueConstraint(
  UNIQUE_NAME,
  () => new DomainError('CYCLE_NAME_EXISTS', 'A cycle with this name already exists'),
);

/** A budgeting period. */
@Entity('cycles')
@Index(UNIQUE_NAME, ['userId', 'name', 'householdId'], {
  unique: true,
  where: 'active',
})
@Index('ix_cycles_user_id_start_date', ['userId', 'startDate'])
@Check('ck_cycles_dates', 'end_date > start_date')
@Check('ck_cycles_income_amount', 'income_amount >= 0')
export class Cycle extends OwnedRecord {
  @ForeignKey(() => User, { name: 'fk_cycles_user_id', onDelete: 'CASCADE' })
  @Column({ name: 'user_id', type: 'uuid' })
  userId!: UserId;

  @Column({ type: 'varchar', length: 100 })
  name!: string;

  @Column({ name: 'start_date', type: 'date' })
  startDate!: CalendarDate;

  /** Inclusive. */
  @Column({ name: 'end_date', type: 'date' })
  endDate!: CalendarDate;

  /** USD. */
  @Column({ ...AMOUNT, name: 'income_amount', default: 0 })
  incomeAmount!: Big;

  /** USD, as `balance.ts` defines it. Derived; only the ledger writes it. */
  @Column({ ...BALANCE, name: 'remaining_balance', default: 0 })
  remainingBalance!: Big;

  @Column({
    type: 'enum',
    enum: CYCLE_STATUSES,
    enumName: 'cycle_status',
    default: 'draft',
  })
  status: CycleStatus = 'draft';

  /** Of different budgets of the owner, in the order of their creation. */
  @Column({ name: 'budget_limits', type: 'jsonb', default: [] })
  budgetLimits!: readonly BudgetLimit[];

  @Column({ type: 'boolean', default: true })
  active = true;

  static readonly type = 'cycle';

  /** A draft without entries. */
  static create(fields: CycleFields, budgetLimits: readonly BudgetLimit[]): Cycle {
    const cycle = new Cycle();
    cycle.id = randomUUID();
    cycle.createdAt = new Date();
    cycle.updatedAt = cycle.createdAt;
    cycle.name = fields.name;
    cycle.startDate = fields.startDate;
    cycle.endDate = fields.endDate;
    cycle.incomeAmount = fields.incomeAmount;
    cycle.remainingBalance = fields.incomeAmount;
    cycle.budgetLimits = budgetLimits;
    return cycle;
  }

  get type(): typeof Cycle.type {
    return Cycle.type;
  }

  /** @throws DomainError CYCLE_ALREADY_COMPLETED */
  assertOpen(): void {
    if (this.status !== 'completed') return;
    throw new DomainError('CYCLE_ALREADY_COMPLETED', 'Cannot modify completed cycle');
  }

  /** Sets the given fields; undefined: as it is. */
  update(fields: Partial<ChangedCycleFields>): void {
    this.name = fields.name ?? this.name;
    this.startDate = fields.startDate ?? this.startDate;
    this.endDate = fields.endDate ?? this.endDate;
    this.incomeAmount = fields.incomeAmount ?? this.incomeAmount;
    this.status = fields.status ?? this.status;
    this.budgetLimits = fields.budgetLimits ?? this.budgetLimits;
  }

  /** Takes recorded values back; the others stay. */
  restore(values: Snapshot): void {
    const recorded = values as Partial<CycleSnapshot>;
    this.update({
      name: recorded.name,
      startDate: recorded.start_date,
      endDate: recorded.end_date,
      incomeAmount:
        recorded.income_amount === undefined ? undefined : new Big(recorded.income_amount),
      status: recorded.status,
      budgetLimits: recorded.budget_limits,
    });
    this.active = recorded.active ?? this.active;
  }

  /** The state that the activity log records: the representation without derived values. */
  snapshot(): CycleSnapshot {
    return {
      id: this.id,
      name: this.name,
      start_date: this.startDate,
      end_date: this.endDate,
      income_amount: formatMoney(this.incomeAmount),
      status: this.status,
      budget_limits: this.budgetLimits,
      active: this.active,
      created_at: this.createdAt.toISOString(),
      updated_at: this.updatedAt.toISOString(),
    };
  }

  actionOf({ status }: Changes): ActivityAction | undefined {
    return status?.to === 'completed' ? 'completed' : undefined;
  }
}

/** SQL: the limits of a row of `cycles`, as rows `l` of a FROM clause. */
export const budgetLimitsSql = (cycle: string): string =>
  `jsonb_to_recordset(${cycle}.budget_limits) AS l(budget_id uuid, "limit" numeric(12, 2))`;
