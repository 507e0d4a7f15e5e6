import type { Big } from 'big.js';
import sql from 'sql-template-tag';
import { Check, Column, Entity, ForeignKey, Index } from 'typeorm';
import type { ActivityAction } from '../../activity/activity-record.entity.js';
import type { Changes } from '../../activity/changes.js';
import type { BudgetLimit } from '../../budgets/budget.entity.js';
import { AMOUNT, BALANCE } from '../../platform/database/columns.js';
import type { CalendarDate } from '../../platform/values/calendar-date.js';
import type { UserId } from '../../platform/values/user-id.js';
import {
  editable,
  money,
  recordFields,
  setFields,
  type Editable,
  type RecordFields,
} from '../../records/record-fields.js';
import { OwnedRecord, TIME_FIELDS } from '../../records/stored-record.js';
import { User } from '../../users/user.entity.js';
import { cycleCompleted } from './cycle-errors.js';

export const CYCLE_STATUSES = ['draft', 'active', 'completed'] as const;
export type CycleStatus = (typeof CYCLE_STATUSES)[number];

/** Per user; deleted ones do not count. */
export const MAX_CYCLES = 1000;

/** A budgeting period. */
@Entity('cycles')
@Index('uq_cycles_user_id_name', ['userId', 'name', 'householdId'], {
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

  /** The limits of different budgets of the owner, in the order of their creation. */
  @Column({ name: 'budget_limits', type: 'jsonb', default: [] })
  budgetLimits!: readonly BudgetLimit[];

  /** Beside the others, such as a trip: next and following cycles are found without it. */
  @Column({ type: 'boolean', default: false })
  side!: boolean;

  @Column({ type: 'boolean', default: true })
  active = true;

  static readonly type = 'cycle';

  static readonly fields = recordFields<Cycle>()(
    {
      id: 'id',
      name: editable('name'),
      start_date: editable('startDate'),
      end_date: editable('endDate'),
      income_amount: editable(money('incomeAmount')),
      status: editable('status'),
      budget_limits: 'budgetLimits',
      side: editable('side'),
      active: 'active',
      ...TIME_FIELDS,
    },
    ['userId', 'remainingBalance'],
  );

  /** A draft without entries. */
  static create(fields: Omit<CycleFields, 'status'>, budgetLimits: readonly BudgetLimit[]): Cycle {
    const cycle = new Cycle();
    cycle.begin();
    setFields(cycle, fields);
    cycle.remainingBalance = fields.incomeAmount;
    cycle.budgetLimits = budgetLimits;
    return cycle;
  }

  get type(): typeof Cycle.type {
    return Cycle.type;
  }

  /** @throws DomainError CYCLE_ALREADY_COMPLETED */
  assertOpen(): void {
    if (this.status === 'completed') throw cycleCompleted();
  }

  get fields(): RecordFields {
    return Cycle.fields;
  }

  /** Sets the given fields; undefined: as it is. */
  update(fields: Partial<CycleFields & Pick<Cycle, 'budgetLimits'>>): void {
    setFields<Cycle>(this, fields);
  }

  actionOf({ status }: Changes): ActivityAction | undefined {
    return status?.to === 'completed' ? 'completed' : undefined;
  }
}

/** The fields of a cycle that a body sets. */
export type CycleFields = Editable<Cycle, typeof Cycle.fields>;

/** SQL: the limits of a row `c` of `cycles`, as rows `l` of a FROM clause. */
export const BUDGET_LIMITS_SQL = sql`jsonb_to_recordset(c.budget_limits)
  AS l(budget_id uuid, "limit" numeric(12, 2))`;
