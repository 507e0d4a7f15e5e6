import { Column, Entity, ForeignKey, Index } from 'typeorm';
import { INSTANT } from '../platform/database/columns.js';
import { Household } from '../users/household.entity.js';
import { UserSecret } from '../users/user-secret.js';
import { User } from '../users/user.entity.js';

/**
 * A sign-in, named by its access tokens. Deleted when it ends; the service removes expired ones.
 */
@Entity('sessions')
@Index('ix_sessions_user', ['householdId', 'userId', 'seq'])
@Index('ix_sessions_user_id', ['userId'])
@ForeignKey(() => Household, ['householdId'], ['id'], {
  name: 'fk_sessions_household_id',
  onDelete: 'CASCADE',
})
@ForeignKey(() => User, ['userId'], ['id'], {
  name: 'fk_sessions_user_id',
  onDelete: 'CASCADE',
})
export class Session extends UserSecret {
  /** The client of the sign-in. */
  @Column({ name: 'user_agent', type: 'varchar', length: 200, nullable: true })
  userAgent!: string | null;

  @Column({ ...INSTANT, name: 'last_refreshed_at', nullable: true })
  lastRefreshedAt!: Date | null;

  @Index('ix_sessions_expires_at')
  @Column({ ...INSTANT, name: 'expires_at' })
  expiresAt!: Date;
}
