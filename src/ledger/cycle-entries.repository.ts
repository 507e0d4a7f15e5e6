import { randomUUID } from 'node:crypto';
import {
  IsNull,
  Not,
  type EntityManager,
  type FindManyOptions,
  type FindOneOptions,
  type FindOptionsWhere,
  type QueryDeepPartialEntity,
} from 'typeorm';
import {
  NEXT_UPDATED_AT_SQL,
  ROW_LOCKS,
  StoredRepository,
} from '../platform/database/repositories.js';
import type { PaymentMethod } from '../payment-methods/payment-method.entity.js';
import { withoutUndefined } from '../platform/values/without-undefined.js';
import type { AuthenticatedUser } from '../users/current-user.decorator.js';
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
    user: AuthenticatedUser,
    { id: cycleId }: Pick<Cycle, 'id'>,
    values: readonly EntryValues<Entry>[],
  ): Entry[] {
    const now = new Date();
    return values.map((given) => {
      const entry = new this.kind.entity();
      Object.assign(entry, this.kind.initial, this.kind.scope(user), withoutUndefined(given), {
        ...{ id: randomUUID(), cycleId, active: true, createdAt: now, updatedAt: now },
      });
      entry.generated = entry.occurrenceDate === null ? null : this.kind.generatedValues(entry);
      return entry;
    });
  }

  /** Inserts entries in the given order with one statement; without entries, with none. */
  async insertAll(
    manager: EntityManager,
    user: AuthenticatedUser,
    cycle: Cycle,
    values: readonly EntryValues<Entry>[],
  ): Promise<Entry[]> {
    if (values.length === 0) return [];
    const entries = this.build(user, cycle, values);
    await manager.query(this.insertSql(manager), [this.toJson(user, entries)]);
    return entries;
  }

  /** $1: entries as a JSON array with column names as keys. */
  private insertSql(manager: EntityManager): string {
    const { table } = this.kind;
    const columns = manager.dataSource
      .getMetadata(this.entity)
      .columns.filter(({ isGenerated, databaseName }) => !isGenerated || databaseName === 'id')
      .map(({ databaseName }) => databaseName)
      .join(', ');
    return `
      INSERT INTO ${table} (${columns})
      SELECT ${columns} FROM jsonb_populate_recordset(NULL::${table}, $1) WITH ORDINALITY
      ORDER BY ordinality`;
  }

  /** Replaces what generation and conversion set, and `active`, with one statement; without entries, with none. */
  async replaceAll(
    manager: EntityManager,
    user: AuthenticatedUser,
    cycle: Cycle,
    entries: readonly Entry[],
  ): Promise<void> {
    if (entries.length === 0) return;
    const { table, generatedFields } = this.kind;
    const columns = [...REPLACED_COLUMNS, ...generatedFields];
    const isScoped = 'householdId' in this.kind.scope(user);
    await manager.query(
      `UPDATE ${table} AS e
       SET ${columns.map((column) => `${column} = r.${column}`).join(', ')},
         updated_at = ${NEXT_UPDATED_AT_SQL}
       FROM (
         SELECT id, ${columns.join(', ')} FROM jsonb_populate_recordset(NULL::${table}, $1)
       ) AS r
       WHERE e.id = r.id AND e.cycle_id = $2 ${isScoped ? 'AND e.household_id = $3' : ''}`,
      [this.toJson(user, entries), cycle.id, ...(isScoped ? [user.householdId] : [])],
    );
  }

  /**
   * The generated entries in the order of creation, including those that a user deleted: a synchronization clears
   * `generated` of the entries that it removes.
   */
  listGenerated(
    manager: EntityManager,
    user: AuthenticatedUser,
    { id: cycleId }: Pick<Cycle, 'id'>,
  ): Promise<Entry[]> {
    return manager.find(this.entity, {
      where: { ...this.kind.scope(user), cycleId, generated: Not(IsNull()) },
      order: { seq: 'ASC' },
    } as FindManyOptions<Entry>);
  }

  /** The entries in another currency than USD in the order of creation. */
  listConverted(manager: EntityManager, user: AuthenticatedUser, cycle: Cycle): Promise<Entry[]> {
    return manager.find(this.entity, {
      where: { ...this.activeOf(user, cycle), currency: Not('USD') },
      order: { seq: 'ASC' },
    } as FindManyOptions<Entry>);
  }

  /** The entry, locked until the transaction ends; its payment method is not locked. */
  async lock(
    manager: EntityManager,
    user: AuthenticatedUser,
    cycle: Cycle,
    id: string,
  ): Promise<WithPaymentMethod<Entry> | undefined> {
    const [entry] = await manager.find(this.entity, {
      where: { ...this.activeOf(user, cycle), id },
      relations: { paymentMethod: true },
      lock: { mode: ROW_LOCKS.update, tables: [this.kind.table] },
    } as FindOneOptions<Entry>);
    return entry as WithPaymentMethod<Entry> | undefined;
  }

  update(
    manager: EntityManager,
    user: AuthenticatedUser,
    entry: Entry,
    changes: Partial<Entry>,
  ): Promise<void> {
    const { id, cycleId } = entry;
    const where = { ...this.kind.scope(user), id, cycleId } as FindOptionsWhere<Entry>;
    return this.updateRow(manager, entry, where, changes);
  }

  /** Deactivates the active entries and returns their ids in the order of creation. */
  async deactivateAll(
    manager: EntityManager,
    user: AuthenticatedUser,
    cycle: Cycle,
  ): Promise<string[]> {
    const { raw } = (await manager
      .createQueryBuilder()
      .update(this.entity)
      .set({ active: false, updatedAt: () => NEXT_UPDATED_AT_SQL } as QueryDeepPartialEntity<Entry>)
      .where(this.activeOf(user, cycle))
      .returning(['id', 'seq'])
      .execute()) as { raw: { id: string; seq: string }[] };
    return raw.sort((a, b) => Number(a.seq) - Number(b.seq)).map(({ id }) => id);
  }

  private toJson(user: AuthenticatedUser, entries: readonly Entry[]): string {
    const rows = entries.map((entry) => ({
      ...this.kind.snapshot(entry),
      ...conversionColumns(entry),
      generated: entry.generated,
      cycle_id: entry.cycleId,
      household_id: user.householdId,
    }));
    return JSON.stringify(rows);
  }

  private activeOf(user: AuthenticatedUser, { id: cycleId }: Cycle): FindOptionsWhere<Entry> {
    return { ...this.kind.scope(user), cycleId, active: true } as FindOptionsWhere<Entry>;
  }
}

const conversionColumns = ({ exchangeRate, exchangeRateDate }: CycleEntry): object => ({
  exchange_rate: exchangeRate?.toFixed() ?? null,
  exchange_rate_date: exchangeRateDate,
});
