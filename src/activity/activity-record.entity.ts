import { raw } from 'sql-template-tag';
import {
  Column,
  CreateDateColumn,
  Entity,
  Generated,
  Index,
  PrimaryColumn,
  PrimaryGeneratedColumn,
} from 'typeorm';
import { INSTANT } from '../platform/database/columns.js';
import type { UserId } from '../platform/values/user-id.js';
import type { EntityType } from '../records/record-types.js';
import type { Changes } from './changes.js';

/** Recorded on the entity that is commented on. */
export const COMMENT_ACTIONS = ['commented', 'comment_edited', 'comment_deleted'] as const;

export const ACTIVITY_ACTIONS = [
  'created',
  'updated',
  'deactivated',
  'reactivated',
  'marked_paid',
  'marked_unpaid',
  'status_changed',
  'completed',
  ...COMMENT_ACTIONS,
] as const;
export type ActivityAction = (typeof ACTIVITY_ACTIONS)[number];

/** SQL: whether the column `action` has an action on a comment. */
export const IS_COMMENT_ACTION_SQL = raw(`action IN ('${COMMENT_ACTIONS.join("', '")}')`);

/**
 * A record of the activity log. Append-only: the database rejects updates and deletions. It has no
 * foreign keys, because records outlive their entities.
 */
@Entity('activity_log')
@Index('ix_activity_log_entity', ['householdId', 'entityType', 'entityId', 'seq'])
@Index('ix_activity_log_cycle', ['householdId', 'cycleId', 'seq'])
@Index('ix_activity_log_transaction', ['householdId', 'transactionId', 'seq'])
@Index('ix_activity_log_operation', ['householdId', 'operationId', 'seq'], {
  where: 'operation_id IS NOT NULL',
})
export class ActivityRecord {
  @PrimaryGeneratedColumn('uuid')
  id!: string;

  /** The order of the records, also within a transaction. Internal. */
  @Column({ type: 'bigint' })
  @Generated('increment')
  seq!: string;

  /**
   * The transaction that wrote the record (an xid8), from which readers derive whether it had
   * committed when they read last. Internal; null for records of versions that did not store it. It
   * is a default, so that such a version sets it too while it still runs during an upgrade.
   */
  @Column({
    name: 'transaction_id',
    type: 'bigint',
    nullable: true,
    select: false,
    insert: false,
    // TypeORM reads the default back in this form, without the conversion to bigint of the migration.
    default: () => '((pg_current_xact_id()))',
  })
  transactionId!: string | null;

  @PrimaryColumn({ name: 'household_id', type: 'uuid' })
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

  /** The id of the record that this one takes back; null: it is not an undo. */
  @Column({ type: 'uuid', nullable: true })
  undoes!: string | null;

  /**
   * The id of the request that wrote the record; null in records of commands and of versions that
   * did not store it.
   */
  @Column({ name: 'operation_id', type: 'uuid', nullable: true })
  operationId!: string | null;

  /**
   * The time of the insert: `now()` would be the start of the transaction, before any wait for
   * locks.
   */
  @CreateDateColumn({ ...INSTANT, name: 'created_at', default: () => 'clock_timestamp()' })
  createdAt!: Date;
}
