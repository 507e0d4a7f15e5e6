import { parseTimestamp } from '../platform/values/instant.js';

/** The last change of a page of the first read, which lists what exists by creation. */
export interface EntityPosition {
  createdAt: string;
  entityType: string;
  seq: string;
}

/**
 * The last change of a page of the changes between two snapshots, which are ordered by transaction.
 */
export interface RecordPosition {
  transactionId: string;
  seq: string;
  entityType: string;
  entityId: string;
}

/**
 * Where a reader goes on. Snapshots (`pg_snapshot`) say which transactions had committed: the
 * reader has seen those of `since`, and reads those of `until`. Timestamps and sequences would miss
 * a transaction that commits late.
 */
export type Cursor = {
  /** The database whose transactions the snapshots are about. */
  database: string;
  /** null: until now. */
  until: string | null;
} & (
  | { since: string; after: RecordPosition | null }
  /** The first read, of everything that exists. */
  | { since: null; after: EntityPosition | null }
);

/**
 * The types of entities by their position, which the cursors of version 1.1 have instead of their
 * names.
 */
const TYPES_BY_POSITION: readonly unknown[] = [
  'payment_method',
  'recurrent_expense',
  'recurrent_income',
  'cycle',
  'cycle_expense',
  'cycle_income',
  'comment',
];

export type Position = EntityPosition | RecordPosition;

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/**
 * Also of a type that only a later version knows, whose process made the cursor during a rolling
 * update.
 */
const ENTITY_TYPE = /^[a-z_]{1,40}$/;
/** Fits into 64 bits. */
const NUMBER = /^(0|[1-9]\d{0,17})$/;
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

export function formatCursor({
  database,
  since,
  until,
  after,
}: Pick<Cursor, 'database' | 'since' | 'until'> & { after: Position | null }): string {
  const position: unknown = after && Object.values(after);
  return Buffer.from(JSON.stringify([database, since, until, position])).toString('base64url');
}

/** The cursor in a text; undefined if it is none. */
export function parseCursor(text: string): Cursor | undefined {
  const bytes = Buffer.from(text, 'base64url');
  // Buffer ignores what is not base64url.
  if (bytes.toString('base64url') !== text) return undefined;
  const values = parseJson(bytes.toString());
  if (!Array.isArray(values) || values.length !== 4) return undefined;
  const [database, since, until, position] = values as unknown[];
  if (!matches(database, UUID)) return undefined;
  if (!(since === null || isSnapshot(since)) || !(until === null || isSnapshot(until))) {
    return undefined;
  }
  if (position === null) {
    return since !== null && until === null ? { database, since, until, after: null } : undefined;
  }
  if (until === null) return undefined;
  if (since === null) {
    const after = entityPosition(position);
    return after && { database, since, until, after };
  }
  const after = recordPosition(position);
  return after && { database, since, until, after };
}

function entityPosition(values: unknown): EntityPosition | undefined {
  if (!Array.isArray(values) || values.length !== 3) return undefined;
  const [createdAt, type, seq] = values as unknown[];
  if (!matches(createdAt, INSTANT) || !parseTimestamp(createdAt)) return undefined;
  const entityType = typeof type === 'number' ? TYPES_BY_POSITION[type] : type;
  if (!matches(entityType, ENTITY_TYPE) || !matches(seq, NUMBER)) return undefined;
  return { createdAt, entityType, seq };
}

function recordPosition(values: unknown): RecordPosition | undefined {
  if (!Array.isArray(values) || values.length !== 4) return undefined;
  const [transactionId, seq, entityType, entityId] = values as unknown[];
  if (!matches(transactionId, NUMBER) || !matches(seq, NUMBER)) return undefined;
  if (!matches(entityType, ENTITY_TYPE) || !matches(entityId, UUID)) return undefined;
  return { transactionId, seq, entityType, entityId };
}

const matches = (value: unknown, pattern: RegExp): value is string =>
  typeof value === 'string' && pattern.test(value);

/**
 * Whether PostgreSQL accepts the text as a `pg_snapshot`: `xmin:xmax:ids between them, ascending`.
 */
function isSnapshot(value: unknown): value is string {
  if (typeof value !== 'string') return false;
  const [xmin = '', xmax = '', running, ...rest] = value.split(':');
  if (running === undefined || rest.length > 0) return false;
  const ids = running === '' ? [] : running.split(',');
  const numbers = [xmin, ...ids, xmax];
  if (!numbers.every((number) => NUMBER.test(number))) return false;
  const bounds = numbers.map(BigInt);
  const isAscending = bounds.every((number, n) => n === 0 || number >= (bounds[n - 1] ?? 0n));
  const isBelowMax = ids.every((id) => BigInt(id) < BigInt(xmax));
  return isAscending && isBelowMax && new Set(ids).size === ids.length && BigInt(xmin) > 0n;
}

/** One past the highest completed transaction id of a snapshot. */
export const endOf = (snapshot: string): bigint => BigInt(snapshot.split(':')[1] ?? '');

/** The oldest transaction that a snapshot may not see. */
export const startOf = (snapshot: string): string => snapshot.split(':')[0] ?? '';

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
