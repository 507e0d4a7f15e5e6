import { Client, DatabaseError, Query, type ClientConfig, type QueryResult } from 'pg';

/** Prepared statements per connection, bounded because generated SQL has many variants. */
const MAX_PREPARED_STATEMENTS = 300;

/** The characters of the statements that are not awaited. Above it the next one waits, so that memory is bounded. */
const MAX_DEFERRED_LENGTH = 1_000_000;

/** The error of every statement after a failed one until the transaction is rolled back. */
const IN_FAILED_SQL_TRANSACTION = '25P02';

/** The statement that TypeORM sends. */
const BEGIN = 'START TRANSACTION';

const SELECT = /^\s*SELECT\b/i;
const WRITE_WITHOUT_RESULT = /^\s*(INSERT|UPDATE|DELETE)\b(?!.*\bRETURNING\b)/is;

/** The result of a statement that is not awaited. */
const DEFERRED_RESULT: QueryResult = { command: '', rowCount: null, oid: 0, rows: [], fields: [] };

const ignore = (): void => undefined;

/**
 * A connection in the driver's pipeline mode: statements are sent without waiting for earlier results, and the
 * server runs them in the order in which they were sent.
 * - Statements with parameters are prepared once per connection.
 * - BEGIN is sent together with the first statement of the transaction if that is a SELECT, which is harmless
 *   if BEGIN fails; any other statement waits for BEGIN.
 * - In a transaction, an INSERT, UPDATE or DELETE without RETURNING is not awaited: COMMIT waits for it and fails with
 *   its error. Callers that need the number of rows use RETURNING. Many large ones are awaited nevertheless.
 * - Statements sent in the same turn of the event loop are combined into one socket write.
 */
export class PipelinedClient extends Client {
  private readonly statementNames = new Map<string, string>();
  private begin: Promise<QueryResult> | undefined;
  private isInTransaction = false;
  private deferredLength = 0;
  /** The first error of the transaction. */
  private transactionError: unknown;

  constructor(config: ClientConfig) {
    super({ ...config, pipeline: true });
    // A lost connection rejects its statements; without a listener the event would end the process.
    this.on('error', ignore);
  }

  /** The return type `never` is assignable to the results of all overloads of the driver. */
  override query(...args: unknown[]): never {
    const [text, values, callback] = args;
    const isAwaited = typeof text === 'string' && callback === undefined;
    return (isAwaited ? this.run(text, values) : this.send(...args)) as never;
  }

  private async run(text: string, values: unknown): Promise<QueryResult> {
    if (text === BEGIN) {
      this.isInTransaction = true;
      this.begin = this.send(text);
      // A failure is reported by the first statement.
      this.begin.catch(ignore);
      return DEFERRED_RESULT;
    }
    const { begin } = this;
    this.begin = undefined;
    if (!SELECT.test(text)) await begin;
    const result = this.execute(text, values, begin);
    if (text === 'COMMIT' || text === 'ROLLBACK') return this.finish(text, result);
    if (!this.isInTransaction || !WRITE_WITHOUT_RESULT.test(text)) return result;
    return this.defer(result, lengthOf(values));
  }

  private async defer(result: Promise<QueryResult>, length: number): Promise<QueryResult> {
    this.deferredLength += length;
    const completed = result.finally(() => (this.deferredLength -= length));
    completed.catch(ignore);
    return this.deferredLength > MAX_DEFERRED_LENGTH ? completed : DEFERRED_RESULT;
  }

  /** Reports what failed before COMMIT: PostgreSQL treats it as ROLLBACK then, without an error. */
  private async finish(
    command: 'COMMIT' | 'ROLLBACK',
    result: Promise<QueryResult>,
  ): Promise<QueryResult> {
    this.isInTransaction = false;
    const finished = await result;
    if (finished.command !== command) throw this.transactionError;
    return finished;
  }

  private async execute(
    text: string,
    values: unknown,
    begin: Promise<QueryResult> | undefined,
  ): Promise<QueryResult> {
    try {
      const isPrepared = Array.isArray(values) && values.length > 0;
      const result = isPrepared ? this.sendPrepared(text, values) : this.send(text);
      return (await Promise.all([begin, result]))[1];
    } catch (error) {
      // Statements sent before the first failure was known fail too; report the original error.
      const isSubsequentError =
        error instanceof DatabaseError && error.code === IN_FAILED_SQL_TRANSACTION;
      if (!isSubsequentError) this.transactionError = error;
      throw this.transactionError;
    }
  }

  /** Not as an object with text, name and values: the driver would copy it, which takes a tenth of the CPU of a read. */
  private sendPrepared(text: string, values: unknown[]): Promise<QueryResult> {
    return new Promise((resolve, reject) => {
      const query = new Query(text, values, (error: Error | undefined, result: QueryResult) => {
        if (error) reject(error);
        else resolve(result);
      });
      void this.send(Object.assign(query, { name: this.nameOf(text) }));
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

  /** The name of the prepared statement; undefined above the maximum, so that it is not prepared. */
  private nameOf(text: string): string | undefined {
    const name = this.statementNames.get(text);
    if (name !== undefined || this.statementNames.size === MAX_PREPARED_STATEMENTS) return name;
    const newName = `s${this.statementNames.size + 1}`;
    this.statementNames.set(text, newName);
    return newName;
  }
}

function lengthOf(values: unknown): number {
  if (!Array.isArray(values)) return 0;
  return values.reduce<number>(
    (length, value) => length + (typeof value === 'string' ? value.length : 0),
    0,
  );
}
