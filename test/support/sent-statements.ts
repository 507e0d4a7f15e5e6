import { Client } from 'pg';

/** A text, or an object: a `Query` of the driver has a callback. */
type Sent = string | { text: string; callback?: (...result: unknown[]) => void };

/** What the service sends from time to time or on a new connection, and not for a request. */
export const isPeriodic = (sql: string): boolean =>
  /^(CHECKPOINT|VACUUM ANALYZE|DELETE FROM \w+ WHERE expires_at <= \$1)$/.test(sql) ||
  sql.includes('FROM pg_settings');

/**
 * The statements that the driver sends meanwhile. Those of one list are sent without waiting for a
 * result between them, in one turn of the event loop: whether what else a caller waits for, such as
 * a file, takes longer than a result must not decide what a list has. Periodic ones are left out.
 */
export async function sentBatches(work: () => Promise<unknown>): Promise<string[][]> {
  const batches: string[][] = [];
  let batch: string[] | undefined;
  const driver = Client.prototype as { query: (statement: Sent, ...rest: unknown[]) => unknown };
  const { query } = driver;
  const endBatch = (): void => {
    batch = undefined;
  };
  driver.query = function (statement, ...rest) {
    const text = typeof statement === 'string' ? statement : statement.text;
    if (isPeriodic(text)) return query.call(this, statement, ...rest);
    if (!batch) {
      batches.push((batch = []));
      setImmediate(endBatch);
    }
    batch.push(text);
    // Before the caller gets the result: what is sent from then on has waited for it.
    if (typeof statement === 'object' && statement.callback) {
      const { callback } = statement;
      statement.callback = (...results) => {
        endBatch();
        callback(...results);
      };
    }
    const result = query.call(this, statement, ...rest);
    if (result instanceof Promise) result.then(endBatch, endBatch);
    return result;
  };
  try {
    await work();
  } finally {
    driver.query = query;
  }
  return batches;
}
