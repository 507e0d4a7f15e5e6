import { Any, In, type Repository } from 'typeorm';
import type { Scope } from '../platform/database/database.js';
import { lockRow, ROW_LOCKS, type RowLock } from '../platform/database/repositories.js';
import { updateRows } from './record-updates.js';
import type { NamedRecord } from './stored-record.js';

/** The records of one kind that have a name, which is unique among those of their owner. */
export abstract class NamedRecordsRepository<Named extends NamedRecord> {
  protected abstract readonly kind: new () => Named;

  async find(scope: Scope, where: { id: string } | { name: string }): Promise<Named | null> {
    const { userId, householdId } = scope;
    const found = await this.records(scope).findOne({ where: { ...where, householdId, userId } });
    return found instanceof this.kind ? found : null;
  }

  /** Those of the records that the owner has, in any order. */
  async listByIds(scope: Scope, ids: readonly string[]): Promise<Named[]> {
    const { userId, householdId } = scope;
    return this.ofKind(
      await this.records(scope).find({ where: { id: In([...ids]), householdId, userId } }),
    );
  }

  /** A record, locked until the transaction ends: against changes, or also against other locks. */
  async lock(scope: Scope, id: string, lock: RowLock = 'share'): Promise<Named | null> {
    const { userId, householdId } = scope;
    const locked = await lockRow(this.records(scope), { id, householdId, userId }, lock);
    return locked instanceof this.kind ? locked : null;
  }

  /**
   * A record, and another one that has its new name, active or not, locked until the transaction
   * ends. One that gets the name at the same time is not seen: the constraint refuses the second,
   * whose transaction runs again.
   */
  async lockToChange(
    scope: Scope,
    id: string,
    newName: string | undefined,
  ): Promise<{ found?: Named; namesake?: Named }> {
    const owner = { householdId: scope.householdId, userId: scope.userId };
    const locked = this.ofKind(
      await this.records(scope).find({
        where: [{ id, ...owner }, ...(newName === undefined ? [] : [{ name: newName, ...owner }])],
        order: { id: 'ASC' },
        lock: { mode: ROW_LOCKS.update },
      }),
    );
    return {
      found: locked.find((record) => record.id === id),
      namesake: locked.find((record) => record.id !== id),
    };
  }

  /**
   * The owner's records with these ids, or all, locked in the order of their ids until the
   * transaction ends: against changes, or also against other locks. In the order of creation.
   */
  async lockAll(scope: Scope, ids?: readonly string[], lock: RowLock = 'share'): Promise<Named[]> {
    const { userId, householdId } = scope;
    const locked = this.ofKind(
      await this.records(scope).find({
        where: { userId, householdId, ...(ids && { id: Any(ids) }) },
        order: { id: 'ASC' },
        lock: { mode: ROW_LOCKS[lock] },
      }),
    );
    return locked.sort((a, b) => Number(a.seq) - Number(b.seq));
  }

  /** Active or not. */
  count(scope: Scope): Promise<number> {
    const { userId, householdId } = scope;
    return this.records(scope).countBy({ householdId, userId });
  }

  /**
   * Inserts a new record, unless another one, active or not, has its name, which is returned then.
   */
  async insertOrFindByName(scope: Scope, record: Named): Promise<Named | null> {
    record.userId = scope.userId;
    record.householdId = scope.householdId;
    const insertion = scope.manager
      .createQueryBuilder()
      .insert()
      .into<NamedRecord>(this.kind)
      .values(record)
      .orIgnore()
      .returning('id')
      .updateEntity(false);
    for (;;) {
      const result = await insertion.execute();
      const inserted = result.raw as { id: string }[];
      if (inserted.length > 0) return null;
      const existing = await this.find(scope, { name: record.name });
      if (existing) return existing;
      // Renamed in the meantime, so that the name is available.
    }
  }

  /** Writes a locked record. */
  update(scope: Scope, record: Named): void {
    updateRows(scope, this.kind, [record]);
  }

  /**
   * TypeORM gets the type of all such records: it cannot derive the columns of one kind from a type
   * parameter.
   */
  private records({ manager }: Scope): Repository<NamedRecord> {
    return manager.getRepository<NamedRecord>(this.kind);
  }

  private ofKind(records: readonly NamedRecord[]): Named[] {
    return records.filter((record): record is Named => record instanceof this.kind);
  }
}
