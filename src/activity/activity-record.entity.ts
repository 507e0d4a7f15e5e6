import {
  Column,
  CreateDateColumn,
  Entity,
  Generated,
  Index,
  PrimaryGeneratedColumn,
} from 'typeorm';
import type { UserId } from '../common/user-id.js';
import { INSTANT } from '../database/columns.js';
import type { Changes } from './changes.js';

export const ENTITY_TYPES = [
  'payment_method',
  'recurrent_expense',
  'recurrent_income',
  'cycle',
  'cycle_expense',
  'cycle_income',
  'comment',
] as const;
export type EntityType = (typeof ENTITY_TYPES)[number];

export const ACTIVITY_ACTIONS = [
  'created',
  'updated',
  'deactivated',
  'reactivated',
  'marked_paid',
  'marked_unpaid',
  'status_changed',
  'completed',
  'commented',
  'comment_edited',
  'comment_deleted',
] as const;
export type ActivityAction = (typeof ACTIVITY_ACTIONS)[number];

/**
 * One thing that happened. Append-only: the database refuses to change or remove a record. It has no
 * foreign keys, because it outlives what it tells about.
 */
@Entity('activity_log')
@Index('ix_activity_log_entity', ['householdId', 'entityType', 'entityId', 'seq'])
@Index('ix_activity_log_cycle', ['householdId', 'cycleId', 'seq'])
export class ActivityRecord {
  @PrimaryGeneratedColumn('uuid')
  id!: string;

  /** The order in which things happened, also within one transaction. Never shown. */
  @Column({ type: 'bigint' })
  @Generated('increment')
  seq!: string;

  @Column({ name: 'household_id', type: 'uuid' })
  householdId!: string;

  @Column({ name: 'entity_type', type: 'varchar', length: 40 })
  entityType!: EntityType;

  @Column({ name: 'entity_id', type: 'uuid' })
  entityId!: string;

  @Column({ name: 'cycle_id', type: 'uuid', nullable: true })
  cycleId!: string | null;

  @Column({ name: 'actor_user_id', type: 'uuid' })
  actorUserId!: UserId;

  @Column({ type: 'varchar', length: 40 })
  action!: ActivityAction;

  @Column({ type: 'jsonb', default: {} })
  changes!: Changes;

  /** The moment of the writing: the transaction's start lies before the wait for a lock. */
  @CreateDateColumn({ ...INSTANT, name: 'created_at', default: () => 'clock_timestamp()' })
  createdAt!: Date;
}
