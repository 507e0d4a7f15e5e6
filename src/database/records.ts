import type { EntityManager, ObjectLiteral, ObjectType } from 'typeorm';
import type { Instant } from '../common/instant.js';
import { runAtCommit } from './at-commit.js';
import { Mapping } from './mapping.js';
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
  const mapping = Mapping.of(manager, entity);
  const { text, parameters } = insertion(mapping, row);
  const [stored = {}] = await manager.query<ObjectLiteral[]>(
    `${text} RETURNING ${mapping.selection}`,
    parameters,
  );
  Object.assign(row, mapping.fromStored(stored));
}

/** What columns must be equal to, by property. */
export type Equalities<Row> = {
  [Property in keyof Row]?: Extract<Row[Property], string | boolean>;
};

interface ReadOptions<Row> {
  where: Equalities<Row>;
  /** By creation, and not in any order. */
  ordered?: true;
  lock?: RowLock;
}

/**
 * Locks on a row until the transaction ends: to change it, or to rely on it as it is. No row that is changed
 * here loses its key, so others may go on referring to it meanwhile. A stronger lock would let their foreign
 * keys wait for it, which follows no order of locks: deadlocks.
 */
export const ROW_LOCKS = { update: 'FOR NO KEY UPDATE', share: 'FOR SHARE' };
export type RowLock = keyof typeof ROW_LOCKS;

/**
 * Whole records, by a statement that says just that: the ORM's `find` takes longer to build its query
 * and to take the answer apart than the database does to answer.
 */
export async function readRecords<Row extends StoredRecord>(
  manager: EntityManager,
  entity: ObjectType<Row>,
  { where, ordered, lock }: ReadOptions<Row>,
): Promise<Row[]> {
  const mapping = Mapping.of(manager, entity);
  const parameters: unknown[] = [];
  const conditions = Object.entries(where).map(([property, value]) => {
    // A condition that got lost would let others' rows in.
    if (value === undefined) throw new Error(`${mapping.table}: no value for ${property}`);
    return `${mapping.columnOf(property)} = $${parameters.push(value)}`;
  });
  const ending = `${conditions.join(' AND ')} ${ordered ? 'ORDER BY seq' : ''} ${lock ? ROW_LOCKS[lock] : ''}`;
  const text = mapping.statement(
    `SELECT ${ending}`,
    () => `SELECT ${mapping.selection} FROM ${mapping.table} WHERE ${ending}`,
  );
  const rows = await manager.query<ObjectLiteral[]>(text, parameters);
  return rows.map((row) => mapping.fromStored(row));
}

/** The only record of a kind. */
export async function readRecord<Row extends StoredRecord>(
  manager: EntityManager,
  entity: ObjectType<Row>,
  options: ReadOptions<Row>,
): Promise<Row | null> {
  const [record = null] = await readRecords(manager, entity, options);
  return record;
}

/**
 * A fresh `updated_at`: the moment of the write, not of the transaction's start, which a lock may lie
 * between; and later than the last one also where the clock was set back.
 */
export const REFRESHED_AT = `greatest(statement_timestamp(), updated_at + interval '1 millisecond')`;

/**
 * Writes changes to a stored record and into the object, with a fresh `updatedAt`.
 *
 * @param stamped another field that tells the same moment
 */
export async function updateRecord<Row extends StoredRecord>(
  manager: EntityManager,
  entity: ObjectType<Row>,
  row: Row,
  changes: Partial<Row>,
  stamped: keyof Row & string = 'updatedAt',
): Promise<void> {
  const mapping = Mapping.of(manager, entity);
  const refreshed = [...new Set(['updatedAt', stamped])];
  const { text, parameters } = change(mapping, row.id, changes, refreshed);
  const [[written]] = await manager.query<[{ moment: Instant }[], number]>(
    `${text} RETURNING updated_at AS moment`,
    parameters,
  );
  if (!written) throw new Error(`${mapping.table} has no ${row.id}`);
  const moment = new Date(written.moment);
  Object.assign(row, changes, { updatedAt: moment, [stamped]: moment });
}

/**
 * Stores a new record when the transaction commits: no round trip of its own. Nobody gets to know what the
 * database makes of what is left out.
 */
export function insertRecordAtCommit<Row extends object>(
  manager: EntityManager,
  entity: ObjectType<Row>,
  row: Partial<Row>,
): Promise<void> {
  const { text, parameters } = insertion(Mapping.of(manager, entity), row);
  return runAtCommit(manager, text, parameters);
}

/**
 * Writes changes to a record that is locked, `updatedAt` among them, into the object now and into the
 * database when the transaction commits: no round trip of its own.
 */
export async function updateRecordAtCommit<Row extends StoredRecord>(
  manager: EntityManager,
  entity: ObjectType<Row>,
  row: Row,
  changes: Partial<Row> & Pick<Row, 'updatedAt'>,
): Promise<void> {
  const mapping = Mapping.of(manager, entity);
  const { text, parameters } = change(mapping, row.id, changes);
  await runAtCommit(manager, text, parameters);
  Object.assign(row, changes);
}

function insertion<Row extends object>(
  mapping: Mapping<Row>,
  row: Partial<Row>,
): { text: string; parameters: unknown[] } {
  const properties = given(row);
  const text = mapping.statement(`INSERT ${properties.join()}`, () => {
    const columns = properties.map((property) => mapping.columnOf(property));
    const places = properties.map((_, at) => `$${at + 1}`);
    return `INSERT INTO ${mapping.table} (${columns.join(', ')}) VALUES (${places.join(', ')})`;
  });
  return { text, parameters: valuesOf(mapping, row, properties) };
}

/** Of a record, whose id is the first parameter. */
function change<Row extends StoredRecord>(
  mapping: Mapping<Row>,
  id: string,
  changes: Partial<Row>,
  refreshed: readonly string[] = [],
): { text: string; parameters: unknown[] } {
  const properties = given(changes);
  const text = mapping.statement(`UPDATE ${properties.join()} ${refreshed.join()}`, () => {
    const assignments = [
      ...properties.map((property, at) => `${mapping.columnOf(property)} = $${at + 2}`),
      ...refreshed.map((property) => `${mapping.columnOf(property)} = ${REFRESHED_AT}`),
    ];
    return `UPDATE ${mapping.table} SET ${assignments.join(', ')} WHERE id = $1`;
  });
  return { text, parameters: [id, ...valuesOf(mapping, changes, properties)] };
}

type Property<Row> = keyof Row & string;

function given<Row extends object>(row: Partial<Row>): Property<Row>[] {
  return (Object.keys(row) as Property<Row>[]).filter((property) => row[property] !== undefined);
}

const valuesOf = <Row extends object>(
  mapping: Mapping<Row>,
  row: Partial<Row>,
  properties: readonly Property<Row>[],
): unknown[] => properties.map((property) => mapping.toStored(property, row[property]));
