import { Column, Entity } from 'typeorm';
import { StoredRecord } from '../platform/database/stored-record.js';

/** A group of users who share activity and comments. */
@Entity('households')
export class Household extends StoredRecord {
  @Column({ type: 'varchar', length: 100 })
  name!: string;
}
