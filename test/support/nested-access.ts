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
  const unowned = database.unowned.bind(database);
  const unownedTransaction = database.unownedTransaction.bind(database);
  const unownedSnapshot = database.unownedSnapshot.bind(database);
  database.unowned = async (work, userId) => {
    refuseInside();
    return unowned(work, userId);
  };
  database.unownedTransaction = async (work, userId) => {
    refuseInside();
    return unownedTransaction((manager) => running.run(true, () => work(manager)), userId);
  };
  database.unownedSnapshot = async (work, userId) => {
    refuseInside();
    return unownedSnapshot((manager) => running.run(true, () => work(manager)), userId);
  };
}
