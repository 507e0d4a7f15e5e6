import type { EntityManager, ObjectType } from 'typeorm';
import type { UserId } from '../common/user-id.js';
import {
  insertRecord,
  readRecord,
  updateRecord,
  type Equalities,
  type RowLock,
} from './records.js';
import type { OwnedRecord } from './stored-record.js';

/**
 * Storage of records that belong to a user. Every method takes the manager it works through, so that
 * nothing leaves an open transaction, and the owner, so that no query reaches another's rows.
 */
export abstract class OwnedRepository<Row extends OwnedRecord> {
  protected abstract readonly entity: ObjectType<Row>;

  /** Conditions that hold for every query, beside the owner's. */
  protected readonly always: Equalities<Row> = {};

  find(manager: EntityManager, owner: UserId, where: Equalities<Row>): Promise<Row | null> {
    return readRecord(manager, this.entity, { where: this.scoped(owner, where) });
  }

  /** The row, locked until the transaction ends: `update` to change it, `share` to rely on it. */
  lock(
    manager: EntityManager,
    owner: UserId,
    where: Equalities<Row>,
    strength: RowLock = 'update',
  ): Promise<Row | null> {
    return readRecord(manager, this.entity, {
      where: this.scoped(owner, where),
      lock: strength,
    });
  }

  /** Stores a new row and gives it with what the database made: id, timestamps, defaults. */
  async insert(manager: EntityManager, owner: UserId, values: Partial<Row>): Promise<Row> {
    const row = Object.assign(new (this.entity as new () => Row)(), values, { userId: owner });
    await insertRecord(manager, this.entity, row);
    return row;
  }

  /** Writes the changes to a row that the caller has locked, and into the object. */
  update(manager: EntityManager, row: Row, changes: Partial<Row>): Promise<void> {
    return updateRecord(manager, this.entity, row, changes);
  }

  private scoped(owner: UserId, where: Equalities<Row>): Equalities<Row> {
    return { ...where, ...this.always, userId: owner };
  }
}
