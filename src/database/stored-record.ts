import {
  Column,
  CreateDateColumn,
  Generated,
  PrimaryGeneratedColumn,
  UpdateDateColumn,
} from 'typeorm';
import type { UserId } from '../common/user-id.js';
import { INSTANT } from './columns.js';

/** What every stored record has. */
export abstract class StoredRecord {
  @PrimaryGeneratedColumn('uuid')
  id!: string;

  /** The order of creation, exact where two records have the same timestamp. Never shown. */
  @Column({ type: 'bigint', update: false })
  @Generated('increment')
  seq!: string;

  @CreateDateColumn({ ...INSTANT, name: 'created_at', update: false })
  createdAt!: Date;

  @UpdateDateColumn({ ...INSTANT, name: 'updated_at' })
  updatedAt!: Date;
}

/** A record that belongs to one user. The entity adds the foreign key. */
export abstract class OwnedRecord extends StoredRecord {
  abstract userId: UserId;
}
