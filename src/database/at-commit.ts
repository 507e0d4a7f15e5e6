import type { EntityManager } from 'typeorm';
import type { PreparingClient } from './preparing-client.js';

/**
 * Has a statement run as one of the last of the open transaction, on the way to its end: it needs no
 * round trip of its own. Nobody gets its answer; if it fails, so does the transaction.
 *
 * @throws Error when no transaction is open: that is a bug of the caller
 */
export async function runAtCommit(
  manager: EntityManager,
  text: string,
  values: readonly unknown[],
): Promise<void> {
  const { dataSource, queryRunner } = manager;
  if (!queryRunner?.isTransactionActive)
    throw new Error('A statement runs at commit only inside the transaction that commits');
  dataSource.logger.logQuery(text, [...values], queryRunner);
  const client = (await queryRunner.connect()) as PreparingClient;
  client.runAtCommit(text, values);
}
