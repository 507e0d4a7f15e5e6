import { Column, Entity, ForeignKey, Index, Unique } from 'typeorm';
import { INSTANT } from '../platform/database/columns.js';
import { Household } from '../users/household.entity.js';
import { UserToken } from '../users/user-secret.js';
import { User } from '../users/user.entity.js';

/**
 * A token that sets a new password, once. One that has ended stays until it would have expired,
 * because tokens of the last hour are counted; the service removes expired ones.
 */
@Entity('password_reset_tokens')
@Unique('uq_password_reset_tokens_token_hash', ['tokenHash', 'householdId'])
@Index('ix_password_reset_tokens_user', ['householdId', 'userId', 'seq'])
@Index('ix_password_reset_tokens_user_id', ['userId'])
@ForeignKey(() => Household, ['householdId'], ['id'], {
  name: 'fk_password_reset_tokens_household_id',
  onDelete: 'CASCADE',
})
@ForeignKey(() => User, ['userId'], ['id'], {
  name: 'fk_password_reset_tokens_user_id',
  onDelete: 'CASCADE',
})
export class PasswordResetToken extends UserToken {
  /** An operator made it, for the user; it counts in no limit. */
  @Column({ name: 'by_operator', type: 'boolean' })
  byOperator!: boolean;

  @Index('ix_password_reset_tokens_expires_at')
  @Column({ ...INSTANT, name: 'expires_at' })
  expiresAt!: Date;

  /** Used, or ended by another one, a new password or e-mail, or a deactivation. */
  @Column({ ...INSTANT, name: 'ended_at', nullable: true })
  endedAt!: Date | null;
}
