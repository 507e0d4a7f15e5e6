import {
  Column,
  CreateDateColumn,
  Entity,
  ForeignKey,
  Generated,
  Index,
  PrimaryColumn,
  PrimaryGeneratedColumn,
} from 'typeorm';
import { INSTANT } from '../platform/database/columns.js';
import type { UserId } from '../platform/values/user-id.js';
import { Household } from '../users/household.entity.js';
import { User } from '../users/user.entity.js';

const PRIMARY_KEY = 'pk_sessions';

/**
 * A sign-in, named by its access tokens. Deleted when it ends; the service removes expired ones.
 */
@Entity('sessions')
@Index('ix_sessions_user', ['householdId', 'userId', 'seq'])
export class Session {
  @ForeignKey(() => Household, { name: 'fk_sessions_household_id', onDelete: 'CASCADE' })
  @PrimaryColumn({ name: 'household_id', type: 'uuid', primaryKeyConstraintName: PRIMARY_KEY })
  householdId!: string;

  @PrimaryGeneratedColumn('uuid', { primaryKeyConstraintName: PRIMARY_KEY })
  id!: string;

  /** The order of creation. Internal. */
  @Column({ type: 'bigint' })
  @Generated('increment')
  seq!: string;

  @Index('ix_sessions_user_id')
  @ForeignKey(() => User, { name: 'fk_sessions_user_id', onDelete: 'CASCADE' })
  @Column({ name: 'user_id', type: 'uuid' })
  userId!: UserId;

  /** Of the sign-in. */
  @Column({ name: 'user_agent', type: 'varchar', length: 200, nullable: true })
  userAgent!: string | null;

  @CreateDateColumn({ ...INSTANT, name: 'created_at' })
  createdAt!: Date;

  @Column({ ...INSTANT, name: 'last_refreshed_at', nullable: true })
  lastRefreshedAt!: Date | null;

  @Index('ix_sessions_expires_at')
  @Column({ ...INSTANT, name: 'expires_at' })
  expiresAt!: Date;
}
