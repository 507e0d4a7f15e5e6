import { randomUUID } from 'node:crypto';
import {
  Column,
  CreateDateColumn,
  Generated,
  PrimaryColumn,
  PrimaryGeneratedColumn,
  UpdateDateColumn,
} from 'typeorm';
import { INSTANT } from '../platform/database/columns.js';
import type { UserId } from '../platform/values/user-id.js';
import {
  instant,
  restoreFields,
  snapshotOf,
  type RecordFields,
  type Snapshot,
} from './record-fields.js';

/** The columns of every record. */
export abstract class StoredRecord {
  @PrimaryGeneratedColumn('uuid')
  id!: string;

  /** The order of creation, also of records with the same timestamp. Internal. */
  @Column({ type: 'bigint', update: false })
  @Generated('increment')
  seq!: string;

  @CreateDateColumn({ ...INSTANT, name: 'created_at', update: false })
  createdAt!: Date;

  @UpdateDateColumn({ ...INSTANT, name: 'updated_at' })
  updatedAt!: Date;

  /** An independent record with the same values, to compare later changes with. */
  copy(): this {
    return Object.assign(Object.create(Reflect.getPrototypeOf(this)) as this, this);
  }
}

/**
 * A record of a household. Every key contains the household, by which a distributed database places
 * the rows.
 */
export abstract class HouseholdRecord extends StoredRecord {
  @PrimaryColumn({ name: 'household_id', type: 'uuid' })
  householdId!: string;

  /** What it is, as its class declares it. */
  abstract get fields(): RecordFields;

  /** The state that the activity log records. */
  snapshot(): Snapshot {
    return snapshotOf(this.fields, this);
  }

  /** Takes recorded values back; the others stay. */
  restore(values: Snapshot): void {
    restoreFields(this.fields, this, values);
  }

  /** Gives a new record its id and times, before its fields are set. */
  protected begin(): void {
    this.id = randomUUID();
    this.createdAt = new Date();
    this.updatedAt = this.createdAt;
  }
}

/** The fields that every record has. */

export const TIME_FIELDS = {
  created_at: instant('createdAt'),
  updated_at: instant('updatedAt'),
} as const;

/** A record that belongs to a user. The entity defines the foreign key. */
export abstract class OwnedRecord extends HouseholdRecord {
  abstract userId: UserId;
}

/**
 * A record with a name that no other one of its kind and owner has, also while it is inactive. The
 * entity defines the unique key.
 */
export abstract class NamedRecord extends OwnedRecord {
  @Column({ type: 'varchar', length: 100 })
  name!: string;

  /** false: deleted. What has it keeps it, and its name stays taken. */
  @Column({ type: 'boolean', default: true })
  active = true;
}
