import { randomUUID } from 'node:crypto';
import sql from 'sql-template-tag';
import { Check, Column, Entity, ForeignKey, Index, Unique } from 'typeorm';
import { INSTANT } from '../platform/database/columns.js';
import type { CalendarDate } from '../platform/values/calendar-date.js';
import { CURRENCY_CODES, type CurrencyCode } from '../platform/values/currency.js';
import { MAX_TIME_ZONE_LENGTH, UTC } from '../platform/values/time-zone.js';
import type { UserId } from '../platform/values/user-id.js';
import { StoredRecord } from '../records/stored-record.js';
import { Household } from './household.entity.js';

export const USER_ROLES = ['admin', 'member'] as const;
export type UserRole = (typeof USER_ROLES)[number];

/** The `income_amount` of a next cycle: that of the one before, or 0.00. */
export const NEXT_INCOME_AMOUNTS = ['same', 'zero'] as const;
export type NextIncomeAmount = (typeof NEXT_INCOME_AMOUNTS)[number];

/** When reminders are sent, unless the user chooses otherwise. */
const DEFAULT_REMINDERS_HOUR = 8;
const DEFAULT_DAYS_BEFORE = 3;

export type NewUser = Pick<
  User,
  | 'email'
  | 'passwordHash'
  | 'firstName'
  | 'lastName'
  | 'preferredCurrency'
  | 'locale'
  | 'timeZone'
  | 'minimumBalance'
  | 'nextIncomeAmount'
  | 'householdId'
  | 'role'
>;

@Entity('users')
@Unique('uq_users_email', ['email'])
@Check('ck_users_minimum_balance', 'minimum_balance >= 0')
@Check('ck_users_next_income_amount', `next_income_amount IN ('same', 'zero')`)
@Check('ck_users_reminders_hour', 'reminders_hour BETWEEN 0 AND 23')
@Check('ck_users_reminders_days_before', 'reminders_days_before BETWEEN 0 AND 14')
@Index('ix_users_reminders', ['timeZone'], { where: 'reminders_enabled AND reminders_confirmed' })
export class User extends StoredRecord {
  declare id: UserId;

  /** The address in lower case and Unicode NFC, except some that earlier versions stored. */
  @Column({ type: 'varchar', length: 255 })
  email!: string;

  /** The encoded Argon2id hash, with parameters and salt. */
  @Column({ name: 'password_hash', type: 'varchar', length: 255 })
  passwordHash!: string;

  /**
   * The last change of the password, which ended all sessions. Refuses older tokens that name no
   * session, which version 1.0 issued.
   */
  @Column({ ...INSTANT, name: 'password_changed_at', nullable: true })
  passwordChangedAt!: Date | null;

  @Column({ name: 'first_name', type: 'varchar', length: 100, nullable: true })
  firstName!: string | null;

  @Column({ name: 'last_name', type: 'varchar', length: 100, nullable: true })
  lastName!: string | null;

  @Column({
    name: 'preferred_currency',
    type: 'enum',
    enum: CURRENCY_CODES,
    enumName: 'currency_code',
    default: 'USD',
  })
  preferredCurrency!: CurrencyCode;

  @Column({ type: 'varchar', length: 10, default: 'en-US' })
  locale!: string;

  /** The name as given, not as `Intl` writes it; decides what day it is for the user. */
  @Column({ name: 'time_zone', type: 'varchar', length: MAX_TIME_ZONE_LENGTH, default: UTC })
  timeZone!: string;

  /** What should always remain, in USD; with two decimals, as responses show it. */
  @Column({ name: 'minimum_balance', type: 'numeric', precision: 11, scale: 2, default: 0 })
  minimumBalance!: string;

  @Column({ name: 'next_income_amount', type: 'varchar', length: 4, default: 'same' })
  nextIncomeAmount!: NextIncomeAmount;

  @Column({ name: 'reminders_enabled', type: 'boolean', default: false })
  remindersEnabled!: boolean;

  /** From which hour of the user's day on. */
  @Column({ name: 'reminders_hour', type: 'smallint', default: DEFAULT_REMINDERS_HOUR })
  remindersHour!: number;

  @Column({ name: 'reminders_days_before', type: 'smallint', default: DEFAULT_DAYS_BEFORE })
  remindersDaysBefore!: number;

  /** Whether the user has opened a link that was sent to the e-mail. */
  @Column({ name: 'reminders_confirmed', type: 'boolean', default: false })
  remindersConfirmed!: boolean;

  /** The links to confirm reminders that were sent within 24 hours from an instant. Internal. */
  @Column({ name: 'reminder_links', type: 'smallint', default: 0 })
  reminderLinks!: number;

  @Column({ ...INSTANT, name: 'reminder_links_since', nullable: true })
  reminderLinksSince!: Date | null;

  /** The last day of the user on which it was looked whether there is something to say. Internal. */
  @Column({ name: 'reminded_on', type: 'date', nullable: true })
  remindedOn!: CalendarDate | null;

  /** Whether the balance was known to fall below zero on that day. Internal. */
  @Column({ name: 'reminded_below_zero', type: 'boolean', default: false })
  remindedBelowZero!: boolean;

  @Index('ix_users_household_id')
  @ForeignKey(() => Household, { name: 'fk_users_household_id' })
  @Column({ name: 'household_id', type: 'uuid' })
  householdId!: string;

  /** The role in the household. */
  @Column({ type: 'enum', enum: USER_ROLES, enumName: 'user_role' })
  role!: UserRole;

  @Column({ type: 'boolean', default: true })
  active!: boolean;

  static create(fields: NewUser): User {
    const user = Object.assign(new User(), fields);
    user.id = randomUUID() as string as UserId;
    user.createdAt = new Date();
    user.updatedAt = user.createdAt;
    user.passwordChangedAt = null;
    user.active = true;
    user.remindersEnabled = false;
    user.remindersHour = DEFAULT_REMINDERS_HOUR;
    user.remindersDaysBefore = DEFAULT_DAYS_BEFORE;
    user.remindersConfirmed = false;
    return user;
  }
}

/** The properties of a user that other members of the household see. */
export type Person = Pick<User, 'id' | 'email' | 'firstName' | 'lastName'>;

/** SQL: what responses show of a row `u` of `users` as JSON, null without a row of the join. */
export const PERSON_SQL = sql`CASE WHEN u.id IS NOT NULL THEN
    json_build_object('id', u.id, 'email', u.email, 'first_name', u.first_name,
      'last_name', u.last_name) END`;
