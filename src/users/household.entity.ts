import { Column, Entity } from 'typeorm';
import { StoredRecord } from '../database/stored-record.js';

/** People who share activity and comments. */
@Entity('households')
export class Household extends StoredRecord {
  @Column({ type: 'varchar', length: 100 })
  name!: string;
}
