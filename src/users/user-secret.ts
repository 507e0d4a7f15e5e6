import {
  Column,
  CreateDateColumn,
  Generated,
  PrimaryColumn,
  PrimaryGeneratedColumn,
} from 'typeorm';
import { INSTANT } from '../platform/database/columns.js';
import type { UserId } from '../platform/values/user-id.js';

/** What gives access to data of a household. The entity defines the keys. */
export abstract class Secret {
  @PrimaryGeneratedColumn('uuid')
  id!: string;

  /** The order of creation. Internal. */
  @Column({ type: 'bigint' })
  @Generated('increment')
  seq!: string;

  @CreateDateColumn({ ...INSTANT, name: 'created_at' })
  createdAt!: Date;
}

/** What gives access as a user. */
export abstract class UserSecret extends Secret {
  @PrimaryColumn({ name: 'household_id', type: 'uuid' })
  householdId!: string;

  @Column({ name: 'user_id', type: 'uuid' })
  userId!: UserId;
}

/** A token that the service stores, and finds, by its hash. */
export abstract class UserToken extends UserSecret {
  /** SHA-256 in hex, so that the table does not contain usable tokens. */
  @Column({ name: 'token_hash', type: 'varchar', length: 64 })
  tokenHash!: string;
}
