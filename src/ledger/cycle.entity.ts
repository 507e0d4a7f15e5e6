import type { Big } from 'big.js';
import { Check, Column, Entity, ForeignKey, Index } from 'typeorm';
import type { CalendarDate } from '../platform/values/calendar-date.js';
import type { UserId } from '../platform/values/user-id.js';
import { AMOUNT, BALANCE } from '../platform/database/columns.js';
import { OwnedRecord } from '../platform/database/stored-record.js';
import { User } from '../users/user.entity.js';

export const CYCLE_STATUSES = ['draft', 'active', 'completed'] as const;
export type CycleStatus = (typeof CYCLE_STATUSES)[number];

/** Six weeks, both ends included. */
export const DEFAULT_CYCLE_DAYS = 42;

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
  status!: CycleStatus;

  @Column({ type: 'boolean', default: true })
  active!: boolean;
}
