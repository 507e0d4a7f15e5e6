import { Column, CreateDateColumn, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { INSTANT } from '../platform/database/columns.js';
import type { UserId } from '../platform/values/user-id.js';
import { Household } from '../users/household.entity.js';
import { User } from '../users/user.entity.js';

const PRIMARY_KEY = 'pk_idempotency_keys';

/** The response to a request with an idempotency key, stored in the transaction of its effect. */
@Entity('idempotency_keys')
export class IdempotencyRecord {
  @ForeignKey(() => Household, { name: 'fk_idempotency_keys_household_id', onDelete: 'CASCADE' })
  @PrimaryColumn({ name: 'household_id', type: 'uuid', primaryKeyConstraintName: PRIMARY_KEY })
  householdId!: string;

  @Index('ix_idempotency_keys_user_id')
  @ForeignKey(() => User, { name: 'fk_idempotency_keys_user_id', onDelete: 'CASCADE' })
  @PrimaryColumn({ name: 'user_id', type: 'uuid', primaryKeyConstraintName: PRIMARY_KEY })
  userId!: UserId;

  @PrimaryColumn({ type: 'varchar', length: 255, primaryKeyConstraintName: PRIMARY_KEY })
  key!: string;

  /** SHA-256 in hex of method, path, query and body. */
  @Column({ name: 'request_hash', type: 'varchar', length: 64 })
  requestHash!: string;

  @Column({ type: 'smallint' })
  status!: number;

  /** JSON; null for a response without a body. */
  @Column({ type: 'text', nullable: true })
  body!: string | null;

  /** The id of the request, even if it has written no activity records. */
  @Column({ name: 'operation_id', type: 'uuid', nullable: true })
  operationId!: string | null;

  @CreateDateColumn({ ...INSTANT, name: 'created_at' })
  createdAt!: Date;

  @Index('ix_idempotency_keys_expires_at')
  @Column({ ...INSTANT, name: 'expires_at' })
  expiresAt!: Date;
}
