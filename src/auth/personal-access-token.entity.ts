import { Column, Entity, ForeignKey, Index, Unique } from 'typeorm';
import { INSTANT } from '../platform/database/columns.js';
import { Household } from '../users/household.entity.js';
import { UserToken } from '../users/user-secret.js';
import { User } from '../users/user.entity.js';

/** The unexpired tokens of a user. */
export const MAX_PERSONAL_ACCESS_TOKENS = 50;

/** `read` allows what writes nothing. */
export const TOKEN_ACCESS = ['read', 'write'] as const;
export type TokenAccess = (typeof TOKEN_ACCESS)[number];

/**
 * A token for scripts, with the rights of its user. One that ends with the password or with a
 * deactivation expires at that time; the service removes expired ones.
 */
@Entity('personal_access_tokens')
@Unique('uq_personal_access_tokens_token_hash', ['tokenHash', 'householdId'])
@Index('ix_personal_access_tokens_user', ['householdId', 'userId', 'seq'])
@Index('ix_personal_access_tokens_user_id', ['userId'])
@ForeignKey(() => Household, ['householdId'], ['id'], {
  name: 'fk_personal_access_tokens_household_id',
  onDelete: 'CASCADE',
})
@ForeignKey(() => User, ['userId'], ['id'], {
  name: 'fk_personal_access_tokens_user_id',
  onDelete: 'CASCADE',
})
export class PersonalAccessToken extends UserToken {
  @Column({ type: 'varchar', length: 100 })
  name!: string;

  @Column({ type: 'enum', enum: TOKEN_ACCESS, enumName: 'token_access' })
  access!: TokenAccess;

  @Index('ix_personal_access_tokens_expires_at')
  @Column({ ...INSTANT, name: 'expires_at' })
  expiresAt!: Date;

  /** The last use, at most an hour behind; null before the first. */
  @Column({ ...INSTANT, name: 'last_used_at', nullable: true })
  lastUsedAt!: Date | null;
}
