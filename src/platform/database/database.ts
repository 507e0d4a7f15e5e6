import { Injectable } from '@nestjs/common';
import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout } from 'node:timers/promises';
import { DataSource, type EntityManager } from 'typeorm';
import { isTransactionConflict, isReadOnly } from '../errors/database-failure.js';
import { translateUniqueViolation } from '../errors/unique-violation.js';
import { Metrics } from '../metrics/metrics.js';
import type { Owner, UserId } from '../values/user-id.js';
import { ExtendedTransaction, type TransactionExtension } from './extended-transaction.js';
import { poolOf } from './replaceable-pool.js';

/** Attempts of a transaction that conflicts with others, including the first. */
const MAX_ATTEMPTS = 5;
const RETRY_DELAY_MS = 20;

/**
 * Whose records a statement may touch, and on which connection. Every repository and query of records that users own
 * takes it as its first argument; only {@link Database} makes one.
 */
class Scope {
  readonly userId: UserId;
  readonly householdId: string;
  /** Keeps the compiler from accepting another object as a scope. */
  declare protected readonly brand: true;

  constructor(
    readonly manager: EntityManager,
    { id, householdId }: Owner,
  ) {
    this.userId = id;
    this.householdId = householdId;
  }
}
export type { Scope };

/**
 * Access to the database for services, which read with `read` and write in a `transaction`. What no user owns, such as
 * users, households and exchange rates, and the work of operators use a manager: `manager`, `unownedTransaction` and
 * `unownedSnapshot`.
 */
@Injectable()
export class Database {
  private readonly extended = new AsyncLocalStorage<Pick<ExtendedTransaction<unknown>, 'run'>>();

  constructor(
    private readonly dataSource: DataSource,
    private readonly metrics: Metrics,
  ) {}

  /** For reads of the user's records outside a transaction. Inside one, use the scope passed to the callback. */
  read(user: Owner): Scope {
    return new Scope(this.manager, user);
  }

  /** For reads outside a transaction of what no user owns. */
  get manager(): EntityManager {
    return this.dataSource.manager;
  }

  /** Runs the callback in a transaction on the user's records, like {@link unownedTransaction}. */
  transaction<Result>(user: Owner, work: (scope: Scope) => Promise<Result>): Promise<Result> {
    return this.unownedTransaction((manager) => work(new Scope(manager, user)));
  }

  /**
   * Runs the callback in a transaction. After a deadlock or a serialization failure the transaction is rolled
   * back and retried, so that the callback must have no side effects outside its manager.
   *
   * @throws what the callback throws; a unique violation as the domain error of its constraint
   */
  async unownedTransaction<Result>(
    work: (manager: EntityManager) => Promise<Result>,
  ): Promise<Result> {
    const extended = this.extended.getStore();
    return extended ? extended.run(work) : this.run(work);
  }

  /**
   * Runs an operation with a single `transaction`, and extends that transaction. In the operation, `transaction`
   * returns before the commit, which follows when the operation has returned; the operation must not access the
   * database in between, for which the embedded engine has no second connection. An operation without a
   * transaction gets one after it has returned.
   *
   * @throws what the operation or the extension throws, after the rollback
   */
  async extendTransaction<Response>(
    operation: () => Promise<Response>,
    extension: TransactionExtension<Response>,
  ): Promise<Response> {
    const extended = new ExtendedTransaction(
      (work, mayRetry) => this.run(work, mayRetry),
      extension,
    );
    let response;
    try {
      response = await this.extended.run(extended, operation);
    } catch (error) {
      await extended.fail(error);
      throw error;
    }
    await extended.commit(response);
    return response;
  }

  private async run<Result>(
    work: (manager: EntityManager) => Promise<Result>,
    mayRetry = (): boolean => true,
  ): Promise<Result> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.dataSource.transaction(work);
      } catch (error) {
        if (isReadOnly(error)) poolOf(this.dataSource).replaceConnections();
        const isRetried = isTransactionConflict(error) && attempt < MAX_ATTEMPTS && mayRetry();
        if (!isRetried) throw translateUniqueViolation(error);
        this.metrics.transactionRetries.inc();
        // A random delay, so that conflicting transactions do not retry at the same time.
        await setTimeout(Math.random() * RETRY_DELAY_MS * 2 ** attempt);
      }
    }
  }

  /**
   * Whether the server accepts writes. If not, the pool's connections are replaced, because after a failover
   * new connections may reach the primary.
   */
  async isWritable(): Promise<boolean> {
    const [row] = await this.manager.query<{ transaction_read_only: string }[]>(
      'SHOW transaction_read_only',
    );
    const isWritable = row?.transaction_read_only === 'off';
    if (!isWritable) poolOf(this.dataSource).replaceConnections();
    return isWritable;
  }

  /** Runs the callback on the user's records, like {@link unownedSnapshot}. */
  snapshot<Result>(user: Owner, work: (scope: Scope) => Promise<Result>): Promise<Result> {
    return this.unownedSnapshot((manager) => work(new Scope(manager, user)));
  }

  /** Runs the callback in a read-only transaction whose statements all read the same snapshot. */
  unownedSnapshot<Result>(work: (manager: EntityManager) => Promise<Result>): Promise<Result> {
    return this.dataSource.transaction('REPEATABLE READ', async (manager) => {
      await manager.query('SET TRANSACTION READ ONLY');
      return work(manager);
    });
  }
}
