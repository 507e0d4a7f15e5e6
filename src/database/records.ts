import type { EntityManager, ObjectLiteral, ObjectType } from 'typeorm';
import type { QueryDeepPartialEntity } from 'typeorm/query-builder/QueryPartialEntity.js';
import type { StoredRecord } from './stored-record.js';

/**
 * Stores a new record and completes the object with what the database made: id, timestamps and the
 * defaults of what it left out.
 */
export async function insertRecord<Row extends StoredRecord>(
  manager: EntityManager,
  entity: ObjectType<Row>,
  row: Row,
): Promise<void> {
  const { generatedMaps } = await manager
    .createQueryBuilder()
    .insert()
    .into<ObjectLiteral>(entity)
    // A copy: TypeORM writes the defaulted columns back as text, past their transformers.
    .values({ ...row })
    .execute();
  Object.assign(row, { ...generatedMaps[0], ...given(row) });
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
