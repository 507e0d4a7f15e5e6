import {
  type EntityManager,
  type EntityTarget,
  type FindOptionsWhere,
  type QueryDeepPartialEntity,
} from 'typeorm';
import { withoutUndefined } from '../values/without-undefined.js';
import type { Scope } from './database.js';
import type { HouseholdRecord, StoredRecord } from './stored-record.js';

/**
 * Row locks until the transaction ends: to update the row, or to prevent its update. Keys never change, so that
 * FOR NO KEY UPDATE is enough; FOR UPDATE would block foreign key checks, which follow no lock order and could
 * cause deadlocks.
 */
export const ROW_LOCKS = { update: 'for_no_key_update', share: 'pessimistic_read' } as const;
export type RowLock = keyof typeof ROW_LOCKS;

/** The next `updated_at`: now, but always after the previous value, even if the clock was set back. */
export const nextUpdatedAt = ({ updatedAt }: Pick<StoredRecord, 'updatedAt'>): Date =>
  new Date(Math.max(Date.now(), updatedAt.getTime() + 1));

/** Rows of a statement, whose number of parameters is limited. */
const MAX_ROWS = 1000;

/**
 * Inserts rows in the given order, with INSERT and VALUES: a distributed database executes it on one node. Columns that
 * all rows leave undefined get their default. TypeORM's query builder is slower (docs/decisions/0014).
 */
export async function insertRows<Row extends object>(
  { manager }: Scope,
  entity: EntityTarget<Row>,
  rows: readonly Partial<Row>[],
): Promise<void> {
  if (rows.length === 0) return;
  const { driver } = manager.dataSource;
  const { tableName, columns } = manager.dataSource.getMetadata(entity);
  const valueOf = (row: Partial<Row>, { propertyName }: { propertyName: string }): unknown =>
    row[propertyName as keyof Row];
  const written = columns.filter((column) =>
    rows.some((row) => valueOf(row, column) !== undefined),
  );
  const names = written.map(({ databaseName }) => databaseName).join(', ');
  for (let at = 0; at < rows.length; at += MAX_ROWS) {
    const part = rows.slice(at, at + MAX_ROWS);
    const parameters = part.flatMap((row) =>
      written.map((column): unknown =>
        driver.preparePersistentValue(valueOf(row, column) ?? null, column),
      ),
    );
    const tuples = part.map((_, row) => {
      const numbers = written.map((_column, n) => `$${row * written.length + n + 1}`);
      return `(${numbers.join(', ')})`;
    });
    await manager.query(
      `INSERT INTO ${tableName} (${names}) VALUES ${tuples.join(', ')}`,
      parameters,
    );
  }
}

/**
 * Inserts complete rows in the given order, except for those that violate a unique constraint.
 *
 * @returns the ids of the inserted rows
 */
export async function insertIgnoringConflicts<Row extends StoredRecord>(
  { manager }: Scope,
  entity: EntityTarget<Row>,
  rows: readonly Row[],
): Promise<Set<string>> {
  const { raw } = (await manager
    .createQueryBuilder()
    .insert()
    .into(entity)
    .values(rows as unknown as QueryDeepPartialEntity<Row>[])
    .orIgnore()
    .updateEntity(false)
    .returning('id')
    .execute()) as { raw: { id: string }[] };
  return new Set(raw.map(({ id }) => id));
}

/**
 * Writes changed rows of the household by their ids, with one statement, and sets their new `updatedAt`. Every column is
 * written, also those that did not change, and no relation: the ids of what the rows refer to are columns.
 *
 * @param setTimes sets other times to the new `updatedAt`
 */
export async function updateRows<Row extends HouseholdRecord>(
  { manager, householdId }: Scope,
  entity: EntityTarget<Row>,
  rows: readonly Row[],
  setTimes?: (row: Row) => void,
): Promise<void> {
  if (rows.length === 0) return;
  const { driver } = manager.dataSource;
  const { tableName, columns } = manager.dataSource.getMetadata(entity);
  const written = columns.filter(({ isPrimary, isUpdate }) => isUpdate && !isPrimary);
  const names = written.map(({ databaseName }) => databaseName);
  const values = rows.map((row) => {
    row.updatedAt = nextUpdatedAt(row);
    setTimes?.(row);
    const stored = written.map((column): [name: string, value: unknown] => {
      const value: unknown = row[column.propertyName as keyof Row];
      // JSON is part of the JSON that is sent; the driver would make a text of it.
      const isJson = column.type === 'jsonb';
      return [column.databaseName, isJson ? value : driver.preparePersistentValue(value, column)];
    });
    return { id: row.id, ...Object.fromEntries(stored) };
  });
  await manager.query(
    `UPDATE ${tableName} AS stored
     SET ${names.map((name) => `${name} = changed.${name}`).join(', ')}
     FROM (
       SELECT id, ${names.join(', ')} FROM jsonb_populate_recordset(NULL::${tableName}, $1)
     ) AS changed
     WHERE stored.household_id = $2 AND stored.id = changed.id`,
    [JSON.stringify(values), householdId],
  );
}

/** Access to single records that no user owns: users and households. Every method uses the manager that it is passed. */
export abstract class StoredRepository<Row extends StoredRecord> {
  protected abstract readonly entity: EntityTarget<Row>;

  /** Inserts a row and returns it with the values generated by the database: id, timestamps, defaults. */
  protected async insertRow(
    manager: EntityManager,
    values: QueryDeepPartialEntity<Row>,
  ): Promise<Row> {
    const defined = withoutUndefined(values);
    const row = Object.assign(manager.create(this.entity), defined) as Row;
    await manager.insert(this.entity, row as QueryDeepPartialEntity<Row>);
    // TypeORM does not convert the values of RETURNING: amounts and instants would be text.
    return Object.assign(row, defined, {
      createdAt: new Date(row.createdAt),
      updatedAt: new Date(row.updatedAt),
    });
  }

  /**
   * Updates the matching row and the object, and sets a new `updatedAt`.
   *
   * @param timestampField another field that is set to the same time
   */
  protected async updateRow(
    manager: EntityManager,
    row: Row,
    where: FindOptionsWhere<Row>,
    changes: Partial<Row>,
    timestampField: keyof Row & string = 'updatedAt',
  ): Promise<void> {
    const updatedAt = nextUpdatedAt(row);
    const values = { ...changes, updatedAt, [timestampField]: updatedAt };
    await manager.update(this.entity, where, values as QueryDeepPartialEntity<Row>);
    Object.assign(row, values);
  }
}
