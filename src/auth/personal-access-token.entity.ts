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
} from 'typeorm';
import { INSTANT } from '../platform/database/columns.js';
import type { UserId } from '../platform/values/user-id.js';
import { Household } from '../users/household.entity.js';
import { User } from '../users/user.entity.js';

const PRIMARY_KEY = 'pk_personal_access_tokens';

/** Unexpired ones of a user. */
export const MAX_PERSONAL_ACCESS_TOKENS = 50;

/** `read` allows GET and HEAD alone. */
export const TOKEN_ACCESS = ['read', 'write'] as const;
export type TokenAccess = (typeof TOKEN_ACCESS)[number];

/**
 * A token for scripts, with the rights of its user. One that ends with the password or with a
 * deactivation expires at that time; the service removes expired ones.
 */
@Entity('personal_access_tokens')
@Unique('uq_personal_access_tokens_token_hash', ['tokenHash', 'householdId'])
@Index('ix_personal_access_tokens_user', ['householdId', 'userId', 'seq'])
export class PersonalAccessToken {
  @ForeignKey(() => Household, {
    name: 'fk_personal_access_tokens_household_id',
    onDelete: 'CASCADE',
  })
  @PrimaryColumn({ name: 'household_id', type: 'uuid', primaryKeyConstraintName: PRIMARY_KEY })
  householdId!: string;

  @PrimaryGeneratedColumn('uuid', { primaryKeyConstraintName: PRIMARY_KEY })
  id!: string;

  /** The order of creation. Internal. */
  @Column({ type: 'bigint' })
  @Generated('increment')
  seq!: string;

  @Index('ix_personal_access_tokens_user_id')
  @ForeignKey(() => User, { name: 'fk_personal_access_tokens_user_id', onDelete: 'CASCADE' })
  @Column({ name: 'user_id', type: 'uuid' })
  userId!: UserId;

  @Column({ type: 'varchar', length: 100 })
  name!: string;

  @Column({ type: 'enum', enum: TOKEN_ACCESS, enumName: 'token_access' })
  access!: TokenAccess;

  /** SHA-256 in hex, so that the table does not contain usable tokens. */
  @Column({ name: 'token_hash', type: 'varchar', length: 64 })
  tokenHash!: string;

  @CreateDateColumn({ ...INSTANT, name: 'created_at' })
  createdAt!: Date;

  @Index('ix_personal_access_tokens_expires_at')
  @Column({ ...INSTANT, name: 'expires_at' })
  expiresAt!: Date;

  /** At most an hour behind; null before the first use. */
  @Column({ ...INSTANT, name: 'last_used_at', nullable: true })
  lastUsedAt!: Date | null;
}
