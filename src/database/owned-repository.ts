import type {
  EntityManager,
  FindOptionsOrder,
  FindOptionsRelations,
  FindOptionsWhere,
  ObjectType,
} from 'typeorm';
import type { UserId } from '../common/user-id.js';
import { insertRecord, updateRecord } from './records.js';
import type { OwnedRecord } from './stored-record.js';

/**
 * Storage of records that belong to a user. Every method takes the manager it works through, so that
 * nothing leaves an open transaction, and the owner, so that no query reaches another's rows. `Read` is a
 * row together with its {@link relations}.
 */
export abstract class OwnedRepository<Row extends OwnedRecord, Read extends Row = Row> {
  protected abstract readonly entity: ObjectType<Row>;

  /** What is read together with a row. */
  protected readonly relations: FindOptionsRelations<Row> = {};

  /** Conditions that hold for every query, beside the owner's. */
  protected readonly always: FindOptionsWhere<Row> = {};

  /** Newest first. */
  list(manager: EntityManager, owner: UserId, where: FindOptionsWhere<Row> = {}): Promise<Read[]> {
    return manager.find(this.entity, {
      where: this.scoped(owner, where),
      relations: this.relations,
      order: { seq: 'DESC' } as FindOptionsOrder<Row>,
    }) as Promise<Read[]>;
  }

  find(manager: EntityManager, owner: UserId, where: FindOptionsWhere<Row>): Promise<Read | null> {
    return manager.findOne(this.entity, {
      where: this.scoped(owner, where),
      relations: this.relations,
    }) as Promise<Read | null>;
  }

  /** The row, locked until the transaction ends: `update` to change it, `share` to rely on it. */
  lock(
    manager: EntityManager,
    owner: UserId,
    where: FindOptionsWhere<Row>,
    strength: 'update' | 'share' = 'update',
  ): Promise<Row | null> {
    return manager.findOne(this.entity, {
      where: this.scoped(owner, where),
      lock: { mode: strength === 'update' ? 'pessimistic_write' : 'pessimistic_read' },
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

  private scoped(owner: UserId, where: FindOptionsWhere<Row>): FindOptionsWhere<Row> {
    return { ...where, ...this.always, userId: owner };
  }
}
