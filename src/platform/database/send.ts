import { setImmediate } from 'node:timers/promises';
import type { EntityManager, QueryRunner } from 'typeorm';
import type { Statement } from './query.js';

/** Rows of a statement. Between two statements other requests run. */
export const MAX_ROWS = 250;

/** The characters of sent statements that are not answered yet, so that memory is bounded. */
const MAX_UNANSWERED_LENGTH = 1_000_000;

/** The statements of a connection that were sent and are not answered yet. */
interface Unanswered {
  length: number;
  last: Promise<void>;
  /** The error of the first statement that failed. */
  error?: Error;
}

const unanswered = new WeakMap<QueryRunner, Unanswered>();

/**
 * Sends a statement of a transaction whose result is not needed, after those that were sent before.
 * If it fails, the next awaited statement and the transaction fail with its error
 * (docs/decisions/0009). Many statements alternate with {@link awaitUnanswered}.
 *
 * @throws Error outside a transaction, which is a programming error
 */
export function send(manager: EntityManager, { text, values }: Statement): void {
  const { queryRunner } = manager;
  if (!queryRunner?.isTransactionActive) {
    throw new Error('A statement that is not awaited must be sent in a transaction');
  }
  const length = lengthOf(values);
  const sent: Unanswered = unanswered.get(queryRunner) ?? { length: 0, last: Promise.resolve() };
  unanswered.set(queryRunner, sent);
  sent.length += length;
  // The client has the error.
  sent.last = manager
    .query(text, values)
    .catch((error: unknown) => {
      sent.error ??= error as Error;
    })
    .then(() => {
      sent.length -= length;
    });
}

/** Waits until all sent statements are answered, if they have very many characters. */
export async function awaitUnanswered({ queryRunner }: EntityManager): Promise<void> {
  const sent = queryRunner && unanswered.get(queryRunner);
  if (sent && sent.length > MAX_UNANSWERED_LENGTH) await sent.last;
}

/**
 * Waits until all sent statements are answered, where the caller must know which of them failed.
 *
 * @throws the error of the first one that failed
 */
export async function awaitSent({ queryRunner }: EntityManager): Promise<void> {
  const sent = queryRunner && unanswered.get(queryRunner);
  await sent?.last;
  if (sent?.error) throw sent.error;
}

/**
 * The rows in parts of at most {@link MAX_ROWS}, to be sent with one statement each. Between two
 * parts other requests run, and the statements sent before are answered if they are very long.
 */
export async function* inParts<Row>(
  manager: EntityManager,
  rows: readonly Row[],
): AsyncGenerator<Row[], void> {
  for (let at = 0; at < rows.length; at += MAX_ROWS) {
    if (at > 0) await setImmediate();
    await awaitUnanswered(manager);
    yield rows.slice(at, at + MAX_ROWS);
  }
}

function lengthOf(values: readonly unknown[]): number {
  return values.reduce<number>(
    (length, value) => length + (typeof value === 'string' ? value.length : 0),
    0,
  );
}
