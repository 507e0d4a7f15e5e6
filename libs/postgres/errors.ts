/** The server is reachable but its configuration is unsuitable; the message states the problem. */
export class UnsuitableServerError extends Error {}

/**
 * The server is read-only, detected before a statement was rejected; has PostgreSQL's code for it.
 */
export class ReadOnlyServerError extends Error {
  /** read_only_sql_transaction */
  readonly code = '25006';

  constructor() {
    super('the server is read-only');
  }
}
