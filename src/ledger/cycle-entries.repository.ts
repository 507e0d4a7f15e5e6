import type { Scope } from '../platform/database/database.js';
import { randomUUID } from 'node:crypto';
import {
  IsNull,
  Not,
  type FindManyOptions,
  type FindOneOptions,
  type FindOptionsWhere,
  type QueryDeepPartialEntity,
} from 'typeorm';
import {
  insertRows,
  nextUpdatedAt,
  ROW_LOCKS,
  StoredRepository,
} from '../platform/database/repositories.js';
import type { PaymentMethod } from '../payment-methods/payment-method.entity.js';
import { withoutUndefined } from '../platform/values/without-undefined.js';
import type { CycleEntry } from './cycle-entry.entity.js';
import type { Cycle } from './cycle.entity.js';
import type { EntryKind } from './entry-kinds.js';

/** An entry with its loaded payment method; null: not specified. */
export type WithPaymentMethod<Entry extends CycleEntry> = Entry & {
  paymentMethod: PaymentMethod | null;
};

/** The values of a new entry. */
export type EntryValues<Entry extends CycleEntry> = Omit<Partial<Entry>, 'paymentMethod'>;

/** Beside the generated fields, the columns that a synchronization or a new conversion changes. */
const REPLACED_COLUMNS = [
  'active',
  'amount_usd',
  'exchange_rate',
  'exchange_rate_date',
  'generated',
  'updated_at',
];

/**
 * The entries of one kind in a cycle. The caller has locked the cycle, which also protects its entries and
 * proves their owner.
 */
export class CycleEntriesRepository<Entry extends CycleEntry> extends StoredRepository<Entry> {
  protected readonly entity: EntryKind<Entry>['entity'];

  constructor(private readonly kind: EntryKind<Entry>) {
    super();
    this.entity = kind.entity;
  }

  /** New entries with ids, as they are to be inserted. */
  build(
    { householdId }: Pick<Scope, 'householdId'>,
    { id: cycleId }: Pick<Cycle, 'id'>,
    values: readonly EntryValues<Entry>[],
  ): Entry[] {
    const now = new Date();
    return values.map((given) => {
      const entry = new this.kind.entity();
      Object.assign(entry, this.kind.initial, withoutUndefined(given), {
        id: randomUUID(),
        householdId,
        cycleId,
        active: true,
        createdAt: now,
        updatedAt: now,
      });
      entry.generated = entry.occurrenceDate === null ? null : this.kind.generatedValues(entry);
      return entry;
    });
  }

  /** Inserts entries in the given order. */
  async insertAll(
    scope: Scope,
    cycle: Cycle,
    values: readonly EntryValues<Entry>[],
  ): Promise<Entry[]> {
    const entries = this.build(scope, cycle, values);
    await insertRows(scope.manager, this.entity, entries);
    return entries;
  }

  /** The number of entries in the cycle: exact, because the caller has locked it. */
  count(scope: Scope, cycle: Cycle): Promise<number> {
    return scope.manager.count(this.entity, { where: this.activeOf(scope, cycle) });
  }

  /** Replaces what generation and conversion set, and `active`, with one statement; without entries, with none. */
  async replaceAll(
    { manager, householdId }: Scope,
    { id: cycleId }: Cycle,
    entries: readonly Entry[],
  ): Promise<void> {
    if (entries.length === 0) return;
    const { table, generatedFields } = this.kind;
    const columns = [...REPLACED_COLUMNS, ...generatedFields];
    const rows = entries.map((entry) =>
      this.toColumns({ ...entry, updatedAt: nextUpdatedAt(entry) }),
    );
    await manager.query(
      `UPDATE ${table} AS e
       SET ${columns.map((column) => `${column} = r.${column}`).join(', ')}
       FROM (
         SELECT id, ${columns.join(', ')} FROM jsonb_populate_recordset(NULL::${table}, $1)
       ) AS r
       WHERE e.household_id = $2 AND e.cycle_id = $3 AND e.id = r.id`,
      [JSON.stringify(rows), householdId, cycleId],
    );
  }

  /**
   * The generated entries in the order of creation, including those that a user deleted: a synchronization clears
   * `generated` of the entries that it removes.
   */
  listGenerated(
    { manager, householdId }: Scope,
    { id: cycleId }: Pick<Cycle, 'id'>,
  ): Promise<Entry[]> {
    return manager.find(this.entity, {
      where: { householdId, cycleId, generated: Not(IsNull()) },
      order: { seq: 'ASC' },
    } as FindManyOptions<Entry>);
  }

  /** The entries in another currency than USD in the order of creation. */
  listConverted(scope: Scope, cycle: Cycle): Promise<Entry[]> {
    return scope.manager.find(this.entity, {
      where: { ...this.activeOf(scope, cycle), currency: Not('USD') },
      order: { seq: 'ASC' },
    } as FindManyOptions<Entry>);
  }

  /** The entry, locked until the transaction ends; its payment method is not locked. */
  async lock(
    scope: Scope,
    cycle: Cycle,
    id: string,
  ): Promise<WithPaymentMethod<Entry> | undefined> {
    const [entry] = await scope.manager.find(this.entity, {
      where: { ...this.activeOf(scope, cycle), id },
      relations: { paymentMethod: true },
      lock: { mode: ROW_LOCKS.update, tables: [this.kind.table] },
    } as FindOneOptions<Entry>);
    return entry as WithPaymentMethod<Entry> | undefined;
  }

  update({ manager, householdId }: Scope, entry: Entry, changes: Partial<Entry>): Promise<void> {
    const { id, cycleId } = entry;
    const where = { householdId, id, cycleId } as FindOptionsWhere<Entry>;
    return this.updateRow(manager, entry, where, changes);
  }

  /** Deactivates the active entries and returns their ids in the order of creation. */
  async deactivateAll(scope: Scope, cycle: Cycle): Promise<string[]> {
    const where = this.activeOf(scope, cycle);
    const entries = await scope.manager.find(this.entity, {
      select: { id: true, updatedAt: true },
      where,
      order: { seq: 'ASC' },
    } as FindManyOptions<Entry>);
    if (entries.length === 0) return [];
    const updatedAt = new Date(Math.max(...entries.map((entry) => +nextUpdatedAt(entry))));
    const changes: Partial<CycleEntry> = { active: false, updatedAt };
    await scope.manager.update(this.entity, where, changes as QueryDeepPartialEntity<Entry>);
    return entries.map(({ id }) => id);
  }

  private toColumns(entry: Entry): object {
    const { exchangeRate, exchangeRateDate, generated } = entry;
    return {
      ...this.kind.snapshot(entry),
      exchange_rate: exchangeRate?.toFixed() ?? null,
      exchange_rate_date: exchangeRateDate,
      generated,
    };
  }

  private activeOf({ householdId }: Scope, { id: cycleId }: Cycle): FindOptionsWhere<Entry> {
    return { householdId, cycleId, active: true } as FindOptionsWhere<Entry>;
  }
}
