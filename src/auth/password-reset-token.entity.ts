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

const PRIMARY_KEY = 'pk_password_reset_tokens';

/**
 * A token that sets a new password, once. One that has ended stays until it would have expired,
 * because tokens of the last hour are counted; the service removes expired ones.
 */
@Entity('password_reset_tokens')
@Unique('uq_password_reset_tokens_token_hash', ['tokenHash', 'householdId'])
@Index('ix_password_reset_tokens_user', ['householdId', 'userId', 'seq'])
export class PasswordResetToken {
  @ForeignKey(() => Household, {
    name: 'fk_password_reset_tokens_household_id',
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

  @Index('ix_password_reset_tokens_user_id')
  @ForeignKey(() => User, { name: 'fk_password_reset_tokens_user_id', onDelete: 'CASCADE' })
  @Column({ name: 'user_id', type: 'uuid' })
  userId!: UserId;

  /** SHA-256 in hex, so that the table does not contain usable tokens. */
  @Column({ name: 'token_hash', type: 'varchar', length: 64 })
  tokenHash!: string;

  /** An operator made it, for the user; it counts in no limit. */
  @Column({ name: 'by_operator', type: 'boolean' })
  byOperator!: boolean;

  @CreateDateColumn({ ...INSTANT, name: 'created_at' })
  createdAt!: Date;

  @Index('ix_password_reset_tokens_expires_at')
  @Column({ ...INSTANT, name: 'expires_at' })
  expiresAt!: Date;

  /** Used, or ended by another one, a new password or e-mail, or a deactivation. */
  @Column({ ...INSTANT, name: 'ended_at', nullable: true })
  endedAt!: Date | null;
}
