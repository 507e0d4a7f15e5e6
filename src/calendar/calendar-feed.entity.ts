import { Column, Entity, ForeignKey, Index, Unique, UpdateDateColumn } from 'typeorm';
import { PaymentMethod } from '../payment-methods/payment-method.entity.js';
import { INSTANT } from '../platform/database/columns.js';
import { Household } from '../users/household.entity.js';
import { UserToken } from '../users/user-secret.js';
import { User } from '../users/user.entity.js';

/** The feeds of a user. */
export const MAX_CALENDAR_FEEDS = 20;

export const MAX_ALARM_DAYS = 30;

/** A calendar that can be read with a secret URL; deleted when it is revoked. */
@Entity('calendar_feeds')
@Unique('uq_calendar_feeds_token_hash', ['tokenHash', 'householdId'])
@Index('ix_calendar_feeds_user', ['householdId', 'userId', 'seq'])
@Index('ix_calendar_feeds_user_id', ['userId'])
@ForeignKey(() => Household, ['householdId'], ['id'], {
  name: 'fk_calendar_feeds_household_id',
  onDelete: 'CASCADE',
})
@ForeignKey(() => User, ['userId'], ['id'], {
  name: 'fk_calendar_feeds_user_id',
  onDelete: 'CASCADE',
})
@ForeignKey(() => PaymentMethod, ['paymentMethodId', 'householdId'], ['id', 'householdId'], {
  name: 'fk_calendar_feeds_payment_method_id',
  onDelete: 'CASCADE',
})
export class CalendarFeed extends UserToken {
  @Column({ type: 'varchar', length: 100 })
  name!: string;

  /** Only entries with this payment method; null: all. */
  @Index('ix_calendar_feeds_payment_method_id')
  @Column({ name: 'payment_method_id', type: 'uuid', nullable: true })
  paymentMethodId!: string | null;

  /** How many days before an open expense its alarm is; null: no alarms. */
  @Column({ name: 'alarm_days', type: 'smallint', nullable: true })
  alarmDays!: number | null;

  @UpdateDateColumn({ ...INSTANT, name: 'updated_at' })
  updatedAt!: Date;
}
