import { AsyncLocalStorage } from 'node:async_hooks';
import type { Database } from '../../src/platform/database/database.js';

/**
 * Refuses reads and transactions inside a transaction, which would use another connection. Only in
 * tests: with an `AsyncLocalStorage` in every transaction, a write takes a tenth more CPU
 * (docs/decisions/0009).
 */
export function refuseNestedAccess(database: Database): void {
  const running = new AsyncLocalStorage<true>();
  const refuseInside = (): void => {
    if (running.getStore()) throw new Error('In a transaction, use its scope or its manager');
  };
  const systemQuery = database.systemQuery.bind(database);
  const systemTransaction = database.systemTransaction.bind(database);
  const systemSnapshot = database.systemSnapshot.bind(database);
  database.systemQuery = async (work, userId) => {
    refuseInside();
    return systemQuery(work, userId);
  };
  database.systemTransaction = async (work, userId) => {
    refuseInside();
    return systemTransaction((manager) => running.run(true, () => work(manager)), userId);
  };
  database.systemSnapshot = async (work, userId) => {
    refuseInside();
    return systemSnapshot((manager) => running.run(true, () => work(manager)), userId);
  };
}
