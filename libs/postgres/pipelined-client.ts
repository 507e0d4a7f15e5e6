import { Client, DatabaseError, Query, type ClientConfig, type QueryResult } from 'pg';

/** Prepared statements per connection, bounded because generated SQL has many variants. */
const MAX_PREPARED_STATEMENTS = 300;

/** The error of every statement after a failed one until the transaction is rolled back. */
const IN_FAILED_SQL_TRANSACTION = '25P02';

/** The statement that TypeORM sends. */
const BEGIN = 'START TRANSACTION';

const SELECT = /^\s*SELECT\b/i;

/** The result of BEGIN, whose answer the first statements wait for. */
const BEGUN: QueryResult = { command: '', rowCount: null, oid: 0, rows: [], fields: [] };

const ignore = (): void => undefined;

interface Transaction {
  /** The answer to BEGIN. */
  begin: Promise<QueryResult>;
  /** Whether a statement has waited: all that follow do too, so that they keep their order. */
  waitsForBegin: boolean;
  /** The first error of a statement. */
  error?: Error;
}

/**
 * A connection in the driver's pipeline mode: statements are sent without waiting for earlier
 * results, and the server runs them in the order in which they were sent.
 * - Statements with parameters are prepared once per connection.
 * - BEGIN is sent together with the SELECT statements that follow it, which are harmless if BEGIN
 *   fails; the first other statement, and all after it, wait for its answer.
 * - The first error of a transaction is also that of its later statements and of COMMIT, so that a
 *   caller who needs no result need not await a statement.
 * - Statements sent in the same turn of the event loop are combined into one socket write.
 */
export class PipelinedClient extends Client {
  private readonly statementNames = new Map<string, string>();
  private transaction: Transaction | undefined;

  constructor(config: ClientConfig) {
    super({ ...config, pipeline: true });
    // A lost connection rejects its statements; without a listener the event would end the process.
    this.on('error', ignore);
  }

  /** The return type `never` is assignable to the results of all overloads of the driver. */
  override query(...args: unknown[]): never {
    const [text, values, callback] = args;
    const returnsPromise = typeof text === 'string' && callback === undefined;
    return (returnsPromise ? this.run(text, values) : this.send(...args)) as never;
  }

  private async run(text: string, values: unknown): Promise<QueryResult> {
    if (text === BEGIN) {
      const begin = this.send(BEGIN);
      // A failure is reported by the statements that follow.
      begin.catch(ignore);
      this.transaction = { begin, waitsForBegin: false };
      return BEGUN;
    }
    const { transaction } = this;
    if (!transaction) return this.execute(text, values);
    if (text === 'ROLLBACK') this.transaction = undefined;
    transaction.waitsForBegin ||= !SELECT.test(text);
    if (transaction.waitsForBegin) await transaction.begin;
    if (text === 'COMMIT') return this.commit(transaction);
    return (await Promise.all([transaction.begin, this.execute(text, values, transaction)]))[1];
  }

  /** @throws the first error of a statement of the transaction, which must be rolled back then */
  private async commit(transaction: Transaction): Promise<QueryResult> {
    // The server does not know of a statement that failed before it was sent.
    if (!transaction.error) {
      const result = await this.execute('COMMIT', undefined, transaction);
      // PostgreSQL treats COMMIT as ROLLBACK after a failed statement, without an error.
      if (result.command === 'COMMIT') {
        this.transaction = undefined;
        return result;
      }
    }
    throw transaction.error ?? new Error('The transaction was rolled back');
  }

  /**
   * Not as an object with text, name and values: the driver would copy it, which takes a tenth of
   * the CPU of a read.
   */
  private execute(text: string, values: unknown, transaction?: Transaction): Promise<QueryResult> {
    return new Promise((resolve, reject) => {
      const isPrepared = Array.isArray(values) && values.length > 0;
      // Called before `send` returns if a value cannot be sent, so that COMMIT finds the error.
      const callback = (error: Error | undefined, result: QueryResult): void => {
        if (error) reject(transaction ? reasonOf(error, transaction) : error);
        else resolve(result);
      };
      const query = new Query(text, isPrepared ? values : undefined, callback);
      void this.send(isPrepared ? Object.assign(query, { name: this.nameOf(text) }) : query);
    });
  }

  private send(...args: unknown[]): Promise<QueryResult> {
    const { stream } = this.connection;
    stream.cork();
    process.nextTick(() => {
      stream.uncork();
    });
    return super.query(...(args as [text: string]));
  }

  /**
   * The name of the prepared statement; undefined above the maximum, so that it is not prepared.
   */
  private nameOf(text: string): string | undefined {
    const name = this.statementNames.get(text);
    if (name !== undefined || this.statementNames.size === MAX_PREPARED_STATEMENTS) return name;
    const newName = `s${this.statementNames.size + 1}`;
    this.statementNames.set(text, newName);
    return newName;
  }
}

/** The first error of the transaction for an error that only says that an earlier one failed. */
function reasonOf(error: Error, transaction: Transaction): Error {
  transaction.error ??= error;
  const isSubsequent = error instanceof DatabaseError && error.code === IN_FAILED_SQL_TRANSACTION;
  return isSubsequent ? transaction.error : error;
}
