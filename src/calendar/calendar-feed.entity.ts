import {
  Column,
  CreateDateColumn,
  Entity,
  ForeignKey,
  Generated,
  Index,
  PrimaryColumn,
  PrimaryGeneratedColumn,
  Unique,
  UpdateDateColumn,
} from 'typeorm';
import { PaymentMethod } from '../payment-methods/payment-method.entity.js';
import { INSTANT } from '../platform/database/columns.js';
import type { UserId } from '../platform/values/user-id.js';
import { Household } from '../users/household.entity.js';
import { User } from '../users/user.entity.js';

const PRIMARY_KEY = 'pk_calendar_feeds';

/** Per user. */
export const MAX_CALENDAR_FEEDS = 20;

export const MAX_ALARM_DAYS = 30;

/** A calendar that can be read with a secret URL; deleted when it is revoked. */
@Entity('calendar_feeds')
@Unique('uq_calendar_feeds_token_hash', ['tokenHash', 'householdId'])
@Index('ix_calendar_feeds_user', ['householdId', 'userId', 'seq'])
@ForeignKey(() => PaymentMethod, ['paymentMethodId', 'householdId'], ['id', 'householdId'], {
  name: 'fk_calendar_feeds_payment_method_id',
  onDelete: 'CASCADE',
})
export class CalendarFeed {
  @PrimaryGeneratedColumn('uuid', { primaryKeyConstraintName: PRIMARY_KEY })
  id!: string;

  @ForeignKey(() => Household, { name: 'fk_calendar_feeds_household_id', onDelete: 'CASCADE' })
  @PrimaryColumn({ name: 'household_id', type: 'uuid', primaryKeyConstraintName: PRIMARY_KEY })
  householdId!: string;

  /** The order of creation. Internal. */
  @Column({ type: 'bigint' })
  @Generated('increment')
  seq!: string;

  @Index('ix_calendar_feeds_user_id')
  @ForeignKey(() => User, { name: 'fk_calendar_feeds_user_id', onDelete: 'CASCADE' })
  @Column({ name: 'user_id', type: 'uuid' })
  userId!: UserId;

  @Column({ type: 'varchar', length: 100 })
  name!: string;

  /** Only entries with this payment method; null: all. */
  @Index('ix_calendar_feeds_payment_method_id')
  @Column({ name: 'payment_method_id', type: 'uuid', nullable: true })
  paymentMethodId!: string | null;

  /** How many days before an open expense its alarm is; null: no alarms. */
  @Column({ name: 'alarm_days', type: 'smallint', nullable: true })
  alarmDays!: number | null;

  /** SHA-256 in hex, so that the table does not contain usable tokens. */
  @Column({ name: 'token_hash', type: 'varchar', length: 64 })
  tokenHash!: string;

  @CreateDateColumn({ ...INSTANT, name: 'created_at' })
  createdAt!: Date;

  @UpdateDateColumn({ ...INSTANT, name: 'updated_at' })
  updatedAt!: Date;
}
