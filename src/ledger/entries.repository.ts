import { Injectable } from '@nestjs/common';
import sql, { raw, type Sql } from 'sql-template-tag';
import {
  Any,
  IsNull,
  MoreThan,
  Not,
  type EntityManager,
  type FindManyOptions,
  type FindOptionsWhere,
} from 'typeorm';
import { sendTogether } from '#postgres';
import { USED_BUDGET_SQL, type UsedBudget } from '../budgets/budget.entity.js';
import type { UsedPaymentMethod } from '../payment-methods/payment-method.entity.js';
import type { Scope } from '../platform/database/database.js';
import { query } from '../platform/database/query.js';
import { insertRows, lockRow, ROW_LOCKS, sendUpdate } from '../platform/database/repositories.js';
import type { CalendarDate } from '../platform/values/calendar-date.js';
import { nextUpdatedAt, updateRows } from '../records/record-updates.js';
import type { CycleEntry, EntryType } from './entities/cycle-entry.entity.js';
import type { Cycle } from './entities/cycle.entity.js';

/** Entries that are read, changed and written without a pause for other requests. */
const PAGE_ENTRIES = 250;

/** The records that an entry chooses. */
const CHOSEN_RELATIONS = { paymentMethod: true, budget: true };

interface ChosenRecordsOf {
  paymentMethod: UsedPaymentMethod | null;
  budget: UsedBudget | null;
}

/** SQL: the same of one entry. */
const chosenRecordsSql = ({ householdId }: Scope, tableName: string, id: string): Sql => sql`
  SELECT CASE WHEN pm.id IS NOT NULL THEN json_build_object('id', pm.id, 'name', pm.name,
    'methodType', pm.method_type, 'active', pm.active) END AS "paymentMethod",
    ${USED_BUDGET_SQL} AS budget
  FROM ${raw(tableName)} entry
  LEFT JOIN payment_methods pm ON pm.household_id = ${householdId} AND pm.id = entry.payment_method_id
  LEFT JOIN budgets b ON b.household_id = ${householdId} AND b.id = entry.budget_id
  WHERE entry.household_id = ${householdId} AND entry.id = ${id}`;

/** The class of the entries of one kind. */
export interface EntryClass<Entry extends CycleEntry> {
  new (): Entry;
  readonly type: EntryType;
}

/**
 * The entries of cycles. The caller has read or locked the cycle, which proves the owner of its
 * entries, and its lock also protects them. A method that takes the id of the cycle may be sent
 * together with that lock, after it.
 */
@Injectable()
export class EntriesRepository {
  /**
   * The entry with the records that it chooses, locked until the transaction ends; these are not
   * locked. Two statements: a join would read them as they were before the wait for the lock
   * (docs/decisions/0009).
   */
  async lock<Entry extends CycleEntry>(
    scope: Scope,
    entryClass: EntryClass<Entry>,
    cycleId: string,
    id: string,
  ): Promise<Entry | null> {
    const { manager, householdId } = scope;
    const where = { householdId, cycleId, id, active: true };
    const { tableName } = manager.dataSource.getMetadata(entryClass);
    const [entry, [chosen]] = await sendTogether([
      lockRow(manager.getRepository<CycleEntry>(entryClass), where, 'update'),
      query<ChosenRecordsOf>(manager, chosenRecordsSql(scope, tableName, id)),
    ]);
    if (!(entry instanceof entryClass)) return null;
    return Object.assign(entry, chosen);
  }

  /** Like {@link lock}, also a deleted entry; without the records that it chooses. */
  async lockWithDeleted<Entry extends CycleEntry>(
    scope: Scope,
    entryClass: EntryClass<Entry>,
    cycleId: string,
    id: string,
  ): Promise<Entry | null> {
    const { manager, householdId } = scope;
    const where = { householdId, cycleId, id };
    const entry = await lockRow(manager.getRepository<CycleEntry>(entryClass), where, 'update');
    return entry instanceof entryClass ? entry : null;
  }

  /** The entries with these ids in the order of creation, also deleted ones. */
  listByIds<Entry extends CycleEntry>(
    scope: Scope,
    entryClass: EntryClass<Entry>,
    { id: cycleId }: Cycle,
    ids: readonly string[],
  ): Promise<Entry[]> {
    const { householdId } = scope;
    return this.find(scope, entryClass, {
      where: { householdId, cycleId, id: Any(ids) },
      order: { seq: 'ASC' },
    });
  }

  /** Like {@link lock}, of these ids or of all entries, in the order of creation. */
  lockAll<Entry extends CycleEntry>(
    scope: Scope,
    entryClass: EntryClass<Entry>,
    cycle: Cycle,
    ids?: readonly string[],
  ): Promise<Entry[]> {
    const { tableName } = scope.manager.dataSource.getMetadata(entryClass);
    return this.find(scope, entryClass, {
      where: { ...activeOf(scope, cycle.id), ...(ids && { id: Any(ids) }) },
      relations: CHOSEN_RELATIONS,
      order: { seq: 'ASC' },
      lock: { mode: ROW_LOCKS.update, tables: [tableName] },
    });
  }

  /**
   * The generated entries in the order of creation, including those that a user deleted: a
   * synchronization clears `generated` of the entries that it removes.
   */
  listGenerated<Entry extends CycleEntry>(
    scope: Scope,
    entryClass: EntryClass<Entry>,
    { id: cycleId }: Cycle,
  ): Promise<Entry[]> {
    const { householdId } = scope;
    return this.find(scope, entryClass, {
      where: { householdId, cycleId, generated: Not<unknown>(IsNull()) },
      order: { seq: 'ASC' },
    });
  }

  /** The entries in another currency than USD in the order of creation, in pages. */
  async *pagesOfConverted<Entry extends CycleEntry>(
    scope: Scope,
    entryClass: EntryClass<Entry>,
    cycle: Cycle,
  ): AsyncGenerator<Entry[], void> {
    let last = '0';
    let page: Entry[];
    do {
      page = await this.find(scope, entryClass, {
        where: { ...activeOf(scope, cycle.id), currency: Not('USD'), seq: MoreThan(last) },
        order: { seq: 'ASC' },
        take: PAGE_ENTRIES,
      });
      yield page;
      last = page.at(-1)?.seq ?? last;
    } while (page.length === PAGE_ENTRIES);
  }

  /** The earliest date of an entry of all households; null without entries. */
  async earliestDate(manager: EntityManager): Promise<CalendarDate | null> {
    const [row] = await query<{ date: CalendarDate | null }>(
      manager,
      sql`
        SELECT min(date) AS date FROM (
          SELECT min(due_date) AS date FROM cycle_expenses WHERE active
          UNION ALL
          SELECT min(income_date) FROM cycle_incomes WHERE active
        ) AS dates`,
    );
    return row?.date ?? null;
  }

  /**
   * The number of entries of a cycle; as SQL, because TypeORM's count takes a sixth of the CPU of
   * adding an expense.
   */
  async count(
    { manager, householdId }: Scope,
    entryClass: EntryClass<CycleEntry>,
    cycleId: string,
  ): Promise<number> {
    const { tableName } = manager.dataSource.getMetadata(entryClass);
    const [row] = await query<{ count: number }>(
      manager,
      sql`
        SELECT count(*)::int AS count FROM ${raw(tableName)}
        WHERE household_id = ${householdId} AND cycle_id = ${cycleId} AND active`,
    );
    return row?.count ?? 0;
  }

  /** Inserts 1 to `MAX_ROWS` new entries in the given order, which belong to the cycle then. */
  insert(
    scope: Scope,
    entryClass: EntryClass<CycleEntry>,
    cycle: Cycle,
    entries: readonly CycleEntry[],
  ): void {
    for (const entry of entries) {
      entry.householdId = scope.householdId;
      entry.cycleId = cycle.id;
    }
    insertRows(scope, entryClass, entries);
  }

  /** Writes changed entries, with one statement; without entries, with none. */
  update(scope: Scope, entryClass: EntryClass<CycleEntry>, entries: readonly CycleEntry[]): void {
    updateRows(scope, entryClass, entries);
  }

  /** Deactivates the active entries and returns their ids in the order of creation. */
  async deactivateAll(
    scope: Scope,
    entryClass: EntryClass<CycleEntry>,
    cycle: Cycle,
  ): Promise<string[]> {
    const where = activeOf(scope, cycle.id);
    const entries = await this.find(scope, entryClass, {
      select: { id: true, updatedAt: true },
      where,
      order: { seq: 'ASC' },
    });
    if (entries.length === 0) return [];
    const updatedAt = new Date(Math.max(...entries.map((entry) => +nextUpdatedAt(entry))));
    sendUpdate<CycleEntry>(scope.manager, entryClass, where, { active: false, updatedAt });
    return entries.map(({ id }) => id);
  }

  /**
   * TypeORM gets the type of all entries: it cannot derive the columns of one kind from a type
   * parameter.
   */
  private async find<Entry extends CycleEntry>(
    { manager }: Scope,
    entryClass: EntryClass<Entry>,
    options: FindManyOptions<CycleEntry>,
  ): Promise<Entry[]> {
    const entries = await manager.getRepository<CycleEntry>(entryClass).find(options);
    return entries.filter((entry): entry is Entry => entry instanceof entryClass);
  }
}

const activeOf = ({ householdId }: Scope, cycleId: string): FindOptionsWhere<CycleEntry> => ({
  householdId,
  cycleId,
  active: true,
});
