import { IsNull, Not, type FindManyOptions, type FindOptionsWhere } from 'typeorm';
import type { Scope } from '../platform/database/database.js';
import {
  insertRows,
  nextUpdatedAt,
  ROW_LOCKS,
  updateRows,
} from '../platform/database/repositories.js';
import type { CycleEntry, EntryType } from './cycle-entry.entity.js';
import type { Cycle } from './cycle.entity.js';

/** The class of the entries of one kind. */
export interface EntryClass<Entry extends CycleEntry> {
  new (): Entry;
  readonly type: EntryType;
}

/**
 * The entries of cycles. The caller has read or locked the cycle, which proves the owner of its entries, and its lock
 * also protects them.
 */
export class EntriesRepository {
  /** The entry with its payment method, locked until the transaction ends; its payment method is not locked. */
  async lock<Entry extends CycleEntry>(
    scope: Scope,
    kind: EntryClass<Entry>,
    cycle: Cycle,
    id: string,
  ): Promise<Entry | undefined> {
    const { tableName } = scope.manager.dataSource.getMetadata(kind);
    const [entry] = await this.find(scope, kind, {
      where: { ...activeOf(scope, cycle), id },
      relations: { paymentMethod: true },
      lock: { mode: ROW_LOCKS.update, tables: [tableName] },
    });
    return entry;
  }

  /**
   * The generated entries in the order of creation, including those that a user deleted: a synchronization clears
   * `generated` of the entries that it removes.
   */
  listGenerated<Entry extends CycleEntry>(
    scope: Scope,
    kind: EntryClass<Entry>,
    { id: cycleId }: Cycle,
  ): Promise<Entry[]> {
    const { householdId } = scope;
    return this.find(scope, kind, {
      where: { householdId, cycleId, generated: Not<unknown>(IsNull()) },
      order: { seq: 'ASC' },
    });
  }

  /** The entries in another currency than USD in the order of creation. */
  listConverted<Entry extends CycleEntry>(
    scope: Scope,
    kind: EntryClass<Entry>,
    cycle: Cycle,
  ): Promise<Entry[]> {
    return this.find(scope, kind, {
      where: { ...activeOf(scope, cycle), currency: Not('USD') },
      order: { seq: 'ASC' },
    });
  }

  /** The number of entries of a cycle. */
  count(scope: Scope, kind: EntryClass<CycleEntry>, cycle: Cycle): Promise<number> {
    return scope.manager.getRepository<CycleEntry>(kind).countBy(activeOf(scope, cycle));
  }

  /** Inserts new entries in the given order; they belong to the cycle from now on. */
  insert(
    scope: Scope,
    kind: EntryClass<CycleEntry>,
    cycle: Cycle,
    entries: readonly CycleEntry[],
  ): Promise<void> {
    for (const entry of entries) {
      entry.householdId = scope.householdId;
      entry.cycleId = cycle.id;
    }
    return insertRows(scope, kind, entries);
  }

  /** Writes changed entries, with one statement; without entries, with none. */
  update(
    scope: Scope,
    kind: EntryClass<CycleEntry>,
    entries: readonly CycleEntry[],
  ): Promise<void> {
    return updateRows(scope, kind, entries);
  }

  /** Deactivates the active entries and returns their ids in the order of creation. */
  async deactivateAll(scope: Scope, kind: EntryClass<CycleEntry>, cycle: Cycle): Promise<string[]> {
    const where = activeOf(scope, cycle);
    const entries = await this.find(scope, kind, {
      select: { id: true, updatedAt: true },
      where,
      order: { seq: 'ASC' },
    });
    if (entries.length === 0) return [];
    const updatedAt = new Date(Math.max(...entries.map((entry) => +nextUpdatedAt(entry))));
    await scope.manager.update<CycleEntry>(kind, where, { active: false, updatedAt });
    return entries.map(({ id }) => id);
  }

  /** TypeORM gets the type of all entries: it cannot derive the columns of one kind from a type parameter. */
  private async find<Entry extends CycleEntry>(
    { manager }: Scope,
    kind: EntryClass<Entry>,
    options: FindManyOptions<CycleEntry>,
  ): Promise<Entry[]> {
    const entries = await manager.getRepository<CycleEntry>(kind).find(options);
    return entries.filter((entry): entry is Entry => entry instanceof kind);
  }
}

const activeOf = (
  { householdId }: Scope,
  { id: cycleId }: Cycle,
): FindOptionsWhere<CycleEntry> => ({ householdId, cycleId, active: true });
