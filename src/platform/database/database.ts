import { Inject, Injectable } from '@nestjs/common';
import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout } from 'node:timers/promises';
import { DataSource, type EntityManager, type EntityTarget } from 'typeorm';
import { sendTogether } from '#postgres';
import {
  isReadOnly,
  isTransactionConflict,
  violatedConstraint,
} from '../errors/database-failure.js';
import { Metrics } from '../metrics/metrics.js';
import type { CalendarDate } from '../values/calendar-date.js';
import type { Requester } from '../values/requester.js';
import type { UserId } from '../values/user-id.js';
import { Connections } from './connections.js';
import { DATABASE_SCHEMA, poolOf, type Schema, type UniqueConstraint } from './data-source.js';
import type { Statement } from './query.js';
import { prepareInsert } from './repositories.js';

/** Attempts of a transaction that conflicts with others, including the first. */
const MAX_ATTEMPTS = 5;
const RETRY_DELAY_MS = 20;

const UNIQUE_VIOLATION = '23505';

/**
 * Whose records a statement may touch, and on which connection. Every repository and query of
 * records that users own takes it as its first argument; only {@link Database} makes one.
 */
class Scope {
  readonly userId: UserId;
  readonly householdId: string;
  readonly today: CalendarDate;
  readonly timeZone: string;
  readonly operationId: string | null;
  readonly operation: Requester['operation'];
  /** Keeps the compiler from accepting another object as a scope. */
  declare protected readonly brand: true;

  constructor(
    readonly manager: EntityManager,
    { id, householdId, today, timeZone, operationId, operation }: Requester,
  ) {
    this.userId = id;
    this.householdId = householdId;
    this.today = today;
    this.timeZone = timeZone;
    this.operationId = operationId;
    this.operation = operation;
  }
}
export type { Scope };

/**
 * Access to the database for services, which read with `read` and write in a `transaction`. What no
 * user owns, such as users, households and exchange rates, and the work of operators use a manager:
 * `systemQuery`, `systemTransaction` and `systemSnapshot`. Each uses one connection, of the user's
 * share ({@link Connections}).
 */
@Injectable()
export class Database {
  /** The manager of the enclosing transaction of the request. */
  private readonly enclosing = new AsyncLocalStorage<EntityManager>();
  /** What to call after the commits of the transactions that run, by their managers. */
  private readonly commitCallbacks = new WeakMap<EntityManager, (() => void)[]>();

  constructor(
    private readonly dataSource: DataSource,
    private readonly metrics: Metrics,
    private readonly connections: Connections,
    @Inject(DATABASE_SCHEMA)
    private readonly schema: Pick<Schema, 'uniqueConstraints'>,
  ) {}

  /**
   * Reads the user's records outside a transaction, like {@link systemQuery}. Inside one, use the
   * scope passed to its callback.
   */
  read<Result>(user: Requester, work: (scope: Scope) => Promise<Result>): Promise<Result> {
    return this.systemQuery((manager) => work(new Scope(manager, user)), user.id);
  }

  /**
   * Runs statements outside a transaction on what no user owns.
   *
   * @param userId the user of the request, if it has one
   * @throws Error inside an {@link enclosingTransaction}, which is a programming error; the tests
   *   refuse it in every transaction
   */
  async systemQuery<Result>(
    work: (manager: EntityManager) => Promise<Result>,
    userId?: UserId,
  ): Promise<Result> {
    if (this.enclosing.getStore()) {
      throw new Error('In a transaction, use its scope or its manager');
    }
    return this.connections.use(userId, ({ manager }) => work(manager));
  }

  /** Prepares an INSERT, which a transaction must run. @param rows at most `MAX_ROWS` */
  prepareInsert<Row extends object>(
    entity: EntityTarget<Row>,
    rows: readonly Partial<Row>[],
  ): Statement {
    return prepareInsert(this.dataSource, entity, rows);
  }

  /** Runs the callback in a transaction on the user's records, like {@link systemTransaction}. */
  transaction<Result>(user: Requester, work: (scope: Scope) => Promise<Result>): Promise<Result> {
    return this.systemTransaction((manager) => work(new Scope(manager, user)), user.id);
  }

  /**
   * Runs the callback in a transaction. After a deadlock, a serialization failure, or a value that
   * another transaction took meanwhile, the transaction is rolled back and retried, so that the
   * callback must have no side effects outside its manager.
   *
   * @param userId the user of the request, if it has one
   * @throws what the callback throws; a unique violation as the domain error of its constraint
   */
  async systemTransaction<Result>(
    work: (manager: EntityManager) => Promise<Result>,
    userId?: UserId,
  ): Promise<Result> {
    const enclosing = this.enclosing.getStore();
    return enclosing ? work(enclosing) : this.run(work, userId);
  }

  /**
   * Runs a transaction of a user that encloses all that the callback calls: `transaction` uses its
   * manager, so that all statements are committed together, on one connection. An error that
   * `transaction` throws must reach this method, which rolls everything back; after a conflict the
   * whole callback runs again.
   *
   * @throws what the callback throws, like {@link systemTransaction}
   */
  async enclosingTransaction<Result>(
    user: Requester,
    work: (manager: EntityManager) => Promise<Result>,
  ): Promise<Result> {
    return this.run((manager) => this.enclosing.run(manager, () => work(manager)), user.id);
  }

  /**
   * Calls the function once, after the commit of the transaction of the manager and, if that is
   * part of an enclosing transaction, after the commit of the latter; not after a rollback.
   *
   * @throws Error outside a transaction, which is a programming error
   */
  afterCommit(manager: EntityManager, callback: () => void): void {
    const callbacks = this.commitCallbacks.get(manager);
    if (!callbacks) throw new Error('There is no transaction whose commit can be awaited');
    callbacks.push(callback);
  }

  private async run<Result>(
    work: (manager: EntityManager) => Promise<Result>,
    userId: UserId | undefined,
  ): Promise<Result> {
    for (let attempt = 1; ; attempt++) {
      const callbacks: (() => void)[] = [];
      let result: Result;
      try {
        result = await this.connections.use(userId, ({ manager }) => {
          this.commitCallbacks.set(manager, callbacks);
          return manager.transaction(work);
        });
      } catch (error) {
        if (isReadOnly(error)) poolOf(this.dataSource).replaceConnections();
        const isConflict = isTransactionConflict(error);
        const isSeenByNextAttempt = this.violated(error)?.isReadFirst ?? false;
        const isRetried = (isConflict || isSeenByNextAttempt) && attempt < MAX_ATTEMPTS;
        if (!isRetried) throw this.domainErrorOf(error);
        if (isConflict) this.metrics.transactionRetries.inc();
        // A random delay, so that conflicting transactions do not retry at the same time.
        await setTimeout(Math.random() * RETRY_DELAY_MS * 2 ** attempt);
        continue;
      }
      for (const callback of callbacks) callback();
      return result;
    }
  }

  /** The domain error of a violated unique constraint; any other error unchanged. */
  domainErrorOf(error: unknown): unknown {
    return this.violated(error)?.error() ?? error;
  }

  private violated(error: unknown): UniqueConstraint | undefined {
    return this.schema.uniqueConstraints[violatedConstraint(error, UNIQUE_VIOLATION)];
  }

  /**
   * Whether the server accepts writes. If not, the pool's connections are replaced, because after a
   * failover new connections may reach the primary.
   */
  async isWritable(): Promise<boolean> {
    const [row] = await this.systemQuery((manager) =>
      manager.query<{ transaction_read_only: string }[]>('SHOW transaction_read_only'),
    );
    const isWritable = row?.transaction_read_only === 'off';
    if (!isWritable) poolOf(this.dataSource).replaceConnections();
    return isWritable;
  }

  /** Runs the callback on the user's records, like {@link systemSnapshot}. */
  snapshot<Result>(user: Requester, work: (scope: Scope) => Promise<Result>): Promise<Result> {
    return this.systemSnapshot((manager) => work(new Scope(manager, user)), user.id);
  }

  /**
   * Runs the callback in a read-only transaction whose statements all read the same snapshot; not
   * inside an {@link enclosingTransaction}, whose isolation level is another one.
   */
  async systemSnapshot<Result>(
    work: (manager: EntityManager) => Promise<Result>,
    userId?: UserId,
  ): Promise<Result> {
    if (this.enclosing.getStore()) throw new Error('A snapshot has a transaction of its own');
    return this.connections.use(userId, (runner) =>
      runner.manager.transaction('REPEATABLE READ', async (manager) => {
        const [, result] = await sendTogether([
          manager.query('SET TRANSACTION READ ONLY'),
          work(manager),
        ]);
        return result;
      }),
    );
  }
}
