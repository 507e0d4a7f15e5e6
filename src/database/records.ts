import type { EntityManager, ObjectLiteral, ObjectType } from 'typeorm';
import type { QueryDeepPartialEntity } from 'typeorm/query-builder/QueryPartialEntity.js';
import type { StoredRecord } from './stored-record.js';

/** Keeps a statement well below PostgreSQL's 65,535 parameters. */
const ROWS_PER_INSERT = 1000;

/**
 * Stores new records, in their order, and completes the objects with what the database made: ids,
 * timestamps and the defaults of what they left out.
 */
export async function insertRecords<Row extends StoredRecord>(
  manager: EntityManager,
  entity: ObjectType<Row>,
  rows: Row[],
): Promise<void> {
  for (let at = 0; at < rows.length; at += ROWS_PER_INSERT) {
    const chunk = rows.slice(at, at + ROWS_PER_INSERT);
    const { generatedMaps } = await manager
      .createQueryBuilder()
      .insert()
      .into<ObjectLiteral>(entity)
      // As copies: TypeORM writes the defaulted columns back as text, past their transformers.
      .values(chunk.map((row) => ({ ...row })))
      .execute();
    chunk.forEach((row, index) => Object.assign(row, { ...generatedMaps[index], ...given(row) }));
  }
}

function given<Row extends object>(row: Row): Partial<Row> {
  return Object.fromEntries(
    Object.entries(row).filter(([, value]) => value !== undefined),
  ) as Partial<Row>;
}

/**
 * Writes changes to a stored record and into the object, with a fresh `updatedAt`: the moment of the
 * write, not of the transaction's start, which a lock may lie between.
 */
export async function updateRecord<Row extends StoredRecord>(
  manager: EntityManager,
  entity: ObjectType<Row>,
  row: Row,
  changes: Partial<Row>,
): Promise<void> {
  const result = await manager
    .createQueryBuilder()
    .update(entity)
    .set({ ...changes, updatedAt: () => 'clock_timestamp()' } as QueryDeepPartialEntity<Row>)
    .where('id = :id', { id: row.id })
    .returning('updated_at')
    .execute();
  const [written] = result.raw as { updated_at: Date }[];
  Object.assign(row, changes, { updatedAt: written?.updated_at });
}
