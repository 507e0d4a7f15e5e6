import sql, { bulk, join, raw } from 'sql-template-tag';
import type {
  DataSource,
  EntityManager,
  EntityTarget,
  FindOptionsWhere,
  QueryDeepPartialEntity,
  Repository,
} from 'typeorm';
import type { Scope } from './database.js';
import { query, type Statement } from './query.js';
import { send } from './send.js';

/**
 * Row locks until the transaction ends: to update the row, or to prevent its update. Keys never
 * change, so that FOR NO KEY UPDATE is enough; FOR UPDATE would block foreign key checks, which
 * follow no lock order and could cause deadlocks.
 */
export const ROW_LOCKS = { update: 'for_no_key_update', share: 'pessimistic_read' } as const;
export type RowLock = keyof typeof ROW_LOCKS;

const LOCK_CLAUSES: Record<RowLock, string> = { update: 'FOR NO KEY UPDATE', share: 'FOR SHARE' };

/**
 * The row whose columns have these values, locked until the transaction ends; null without one.
 * Most writes begin with one or more of these, and TypeORM's query builder would take longer
 * (docs/decisions/0014).
 */
export async function lockRow<Row extends object>(
  { manager, metadata }: Repository<Row>,
  where: Partial<Row>,
  lock: RowLock,
): Promise<Row | null> {
  const { columns, tableName } = metadata;
  const names = columns.map(({ databaseName }) => databaseName).join(', ');
  const conditions = columns
    .filter(({ propertyName }) => propertyName in where)
    .map((column) => {
      const value = where[column.propertyName as keyof Row];
      return sql`${raw(column.databaseName)} = ${value}`;
    });
  const [stored] = await query<Record<string, unknown>>(
    manager,
    sql`
      SELECT ${raw(names)} FROM ${raw(tableName)}
      WHERE ${join(conditions, ' AND ')} ${raw(LOCK_CLAUSES[lock])}`,
  );
  if (!stored) return null;
  const row = metadata.create() as Row;
  for (const column of columns) {
    const value: unknown = stored[column.databaseName];
    column.setEntityValue(row, manager.dataSource.driver.prepareHydratedValue(value, column));
  }
  return row;
}

/**
 * Prepares an INSERT of rows in the given order, with VALUES: a distributed database executes it on
 * one node. Columns that all rows leave undefined get their default. TypeORM's query builder is
 * slower (docs/decisions/0014).
 *
 * @param rows 1 to {@link MAX_ROWS}
 */
export function prepareInsert<Row extends object>(
  dataSource: DataSource,
  entity: EntityTarget<Row>,
  rows: readonly Partial<Row>[],
): Statement {
  const { driver } = dataSource;
  const { tableName, columns } = dataSource.getMetadata(entity);
  const valueOf = (row: Partial<Row>, { propertyName }: { propertyName: string }): unknown =>
    row[propertyName as keyof Row];
  const written = columns.filter((column) =>
    rows.some((row) => valueOf(row, column) !== undefined),
  );
  const names = written.map(({ databaseName }) => databaseName).join(', ');
  const tuples = rows.map((row) =>
    written.map((column): unknown =>
      driver.preparePersistentValue(valueOf(row, column) ?? null, column),
    ),
  );
  return sql`INSERT INTO ${raw(tableName)} (${raw(names)}) VALUES ${bulk(tuples)}`;
}

/** Sends the INSERT of {@link prepareInsert}. @param rows 1 to {@link MAX_ROWS} */
export function insertRows<Row extends object>(
  { manager }: Pick<Scope, 'manager'>,
  entity: EntityTarget<Row>,
  rows: readonly Partial<Row>[],
): void {
  send(manager, prepareInsert(manager.dataSource, entity, rows));
}

/** Sends an UPDATE that sets values in the rows that match. */
export function sendUpdate<Row extends object>(
  manager: EntityManager,
  entity: EntityTarget<Row>,
  where: FindOptionsWhere<Row>,
  changes: QueryDeepPartialEntity<Row>,
): void {
  const update = manager.createQueryBuilder().update(entity).set(changes).where(where);
  const [text, values] = update.getQueryAndParameters();
  send(manager, { text, values });
}
