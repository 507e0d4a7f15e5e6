import type {
  DataSource,
  EntityManager,
  EntityTarget,
  FindOptionsWhere,
  QueryDeepPartialEntity,
  Repository,
} from 'typeorm';
import type { Scope } from './database.js';
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
  const given = columns.filter(({ propertyName }) => propertyName in where);
  const conditions = given
    .map(({ databaseName }, n) => `${databaseName} = $${n + 1}`)
    .join(' AND ');
  const [stored] = await manager.query<Record<string, unknown>[]>(
    `SELECT ${names} FROM ${tableName} WHERE ${conditions} ${LOCK_CLAUSES[lock]}`,
    given.map(({ propertyName }) => where[propertyName as keyof Row]),
  );
  if (!stored) return null;
  const row = metadata.create() as Row;
  for (const column of columns) {
    const value: unknown = stored[column.databaseName];
    column.setEntityValue(row, manager.dataSource.driver.prepareHydratedValue(value, column));
  }
  return row;
}

/** An INSERT that has nothing left to compute. */
export interface PreparedInsert {
  sql: string;
  parameters: unknown[];
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
): PreparedInsert {
  const { driver } = dataSource;
  const { tableName, columns } = dataSource.getMetadata(entity);
  const valueOf = (row: Partial<Row>, { propertyName }: { propertyName: string }): unknown =>
    row[propertyName as keyof Row];
  const written = columns.filter((column) =>
    rows.some((row) => valueOf(row, column) !== undefined),
  );
  const names = written.map(({ databaseName }) => databaseName).join(', ');
  const parameters = rows.flatMap((row) =>
    written.map((column): unknown =>
      driver.preparePersistentValue(valueOf(row, column) ?? null, column),
    ),
  );
  const tuples = rows.map((_, row) => {
    const numbers = written.map((_column, n) => `$${row * written.length + n + 1}`);
    return `(${numbers.join(', ')})`;
  });
  return { sql: `INSERT INTO ${tableName} (${names}) VALUES ${tuples.join(', ')}`, parameters };
}

/** Sends the INSERT of {@link prepareInsert}. @param rows 1 to {@link MAX_ROWS} */
export function insertRows<Row extends object>(
  { manager }: Pick<Scope, 'manager'>,
  entity: EntityTarget<Row>,
  rows: readonly Partial<Row>[],
): void {
  const { sql, parameters } = prepareInsert(manager.dataSource, entity, rows);
  send(manager, sql, parameters);
}

/** Sends an UPDATE that sets values in the rows that match. */
export function sendUpdate<Row extends object>(
  manager: EntityManager,
  entity: EntityTarget<Row>,
  where: FindOptionsWhere<Row>,
  values: QueryDeepPartialEntity<Row>,
): void {
  const update = manager.createQueryBuilder().update(entity).set(values).where(where);
  send(manager, ...update.getQueryAndParameters());
}
