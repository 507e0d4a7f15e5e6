import sql, { raw } from 'sql-template-tag';
import type { EntityTarget } from 'typeorm';
import type { Scope } from '../platform/database/database.js';
import { send } from '../platform/database/send.js';
import type { HouseholdRecord, StoredRecord } from './stored-record.js';

/**
 * The next `updated_at`: now, but always after the previous value, even if the clock was set back.
 */
export const nextUpdatedAt = ({ updatedAt }: Pick<StoredRecord, 'updatedAt'>): Date =>
  new Date(Math.max(Date.now(), updatedAt.getTime() + 1));

/**
 * Sends an UPDATE of changed rows of the household by their ids, and sets their new `updatedAt`.
 * Every column is written, also those that did not change, and no relation: the ids of
 * what the rows refer to are columns.
 *
 * @param setTimes sets other times to the new `updatedAt`
 */
export function updateRows<Row extends HouseholdRecord>(
  { manager, householdId }: Scope,
  entity: EntityTarget<Row>,
  rows: readonly Row[],
  setTimes?: (row: Row) => void,
): void {
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
  const table = raw(tableName);
  send(
    manager,
    sql`
      UPDATE ${table} AS stored
      SET ${raw(names.map((name) => `${name} = changed.${name}`).join(', '))}
      FROM (
        SELECT id, ${raw(names.join(', '))}
        FROM jsonb_populate_recordset(NULL::${table}, ${JSON.stringify(values)})
      ) AS changed
      WHERE stored.household_id = ${householdId} AND stored.id = changed.id`,
  );
}
