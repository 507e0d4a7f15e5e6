import { Column, Entity, ForeignKey, Index, Unique } from 'typeorm';
import { CURRENCY_CODES, type CurrencyCode } from '../common/enums.js';
import type { UserId } from '../common/user-id.js';
import { StoredRecord } from '../database/stored-record.js';
import { Household } from './household.entity.js';

export const USER_ROLES = ['admin', 'member'] as const;
export type UserRole = (typeof USER_ROLES)[number];

@Entity('users')
@Unique('uq_users_email', ['email'])
export class User extends StoredRecord {
  declare id: UserId;

  /** In lower case. */
  @Column({ type: 'varchar', length: 255 })
  email!: string;

  /** Argon2id, in its encoded form with parameters and salt. */
  @Column({ name: 'password_hash', type: 'varchar', length: 255 })
  passwordHash!: string;

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

  @Index('ix_users_household_id')
  @ForeignKey(() => Household, { name: 'fk_users_household_id' })
  @Column({ name: 'household_id', type: 'uuid' })
  householdId!: string;

  /** In the household. */
  @Column({ type: 'enum', enum: USER_ROLES, enumName: 'user_role' })
  role!: UserRole;

  @Column({ type: 'boolean', default: true })
  active!: boolean;
}
