import { randomUUID } from 'node:crypto';
import { Column, Entity } from 'typeorm';
import { StoredRecord } from '../records/stored-record.js';

/** Active or not. */
export const MAX_MEMBERS = 50;

/** A group of users who share activity and comments. */
@Entity('households')
export class Household extends StoredRecord {
  @Column({ type: 'varchar', length: 100 })
  name!: string;

  static create(name: string): Household {
    const household = new Household();
    household.id = randomUUID();
    household.createdAt = new Date();
    household.updatedAt = household.createdAt;
    household.name = name;
    return household;
  }
}
