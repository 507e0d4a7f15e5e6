import type { EntityManager } from 'typeorm';

/** Statements that are added to the transaction of an operation. */
export interface TransactionExtension<Response> {
  onBegin: (manager: EntityManager) => Promise<void>;
  /** Gets what the operation returned. */
  beforeCommit: (manager: EntityManager, response: Response) => Promise<void>;
}

type Work<Result> = (manager: EntityManager) => Promise<Result>;

/** Runs a transaction; retries a conflict while `mayRetry` returns true. */
type RunTransaction = <Result>(work: Work<Result>, mayRetry: () => boolean) => Promise<Result>;

/**
 * The transaction of an operation whose response is stored in that transaction. The response is known only
 * after the callback of the transaction has returned, so that the transaction stays open until then.
 */
export class ExtendedTransaction<Response> {
  /** Ends with the commit or the rollback; undefined before the first transaction and after a failed one. */
  private transaction?: Promise<void>;
  private hasReturned = false;
  private respond!: (response: Response) => void;
  private reject!: (error: unknown) => void;
  private readonly response: Promise<Response>;

  constructor(
    private readonly runTransaction: RunTransaction,
    private readonly extension: TransactionExtension<Response>,
  ) {
    this.response = new Promise((resolve, reject) => {
      this.respond = resolve;
      this.reject = reject;
    });
    // A failure is reported by `fail`.
    this.response.catch(() => undefined);
  }

  /** Returns the result of the callback while the transaction is still open. */
  run<Result>(work: Work<Result>): Promise<Result> {
    if (this.transaction) throw new Error('The operation has more than one transaction');
    return new Promise((resolve, reject) => {
      this.transaction = this.runTransaction(
        async (manager) => {
          await this.extension.onBegin(manager);
          const result = await work(manager);
          this.hasReturned = true;
          resolve(result);
          await this.extension.beforeCommit(manager, await this.response);
        },
        // The callback has returned its result; running it again would repeat its effects.
        () => !this.hasReturned,
      ).catch((error: unknown) => {
        if (!this.hasReturned) this.transaction = undefined;
        throw error;
      });
      this.transaction.catch(reject);
    });
  }

  /** Stores the response and commits. */
  async commit(response: Response): Promise<void> {
    // Without a transaction of its own the operation has no effect, and its response is stored by itself.
    const run = this.transaction ? undefined : this.run(() => Promise.resolve());
    this.respond(response);
    await Promise.all([run, this.transaction]);
  }

  /** Rolls back. */
  async fail(error: unknown): Promise<void> {
    this.reject(error);
    await this.transaction?.catch(() => undefined);
  }
}
