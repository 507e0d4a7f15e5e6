import { QueryRunnerAlreadyReleasedError, QueryRunnerProviderAlreadyReleasedError } from 'typeorm';
import { UnsuitableServerError } from '#postgres';

/** Classifies errors of PostgreSQL and its driver that are not caused by the statement itself. */

/** The server accepts no writes: it is a standby, or configured as read-only. */
const READ_ONLY_SQL_TRANSACTION = '25006';

/** The transaction was rolled back because of a concurrent one, and can be retried. */
const TRANSACTION_CONFLICTS = new Set([
  '40001', // serialization_failure
  '40P01', // deadlock_detected
]);

/** The server is unreachable, starting, stopping or out of connections. */
const SERVER_UNAVAILABLE = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  '53300', // too_many_connections
  '57P01', // admin_shutdown
  '57P02', // crash_shutdown
  '57P03', // cannot_connect_now
  '57P05', // idle_session_timeout
]);

/** SQLSTATE class: disk full, out of memory, too many connections. */
const INSUFFICIENT_RESOURCES = '53';

/** A timeout of the server. */
const TIMEOUTS = new Set([
  '55P03', // lock_not_available
  '57014', // query_canceled
  '25P03', // idle_in_transaction_session_timeout
]);

/** The server rejects the connection until a configuration changes. */
const REJECTIONS = new Set([
  '28000', // invalid_authorization_specification
  '28P01', // invalid_password
  '3D000', // invalid_catalog_name: the database does not exist
]);

/** PgBouncer uses this SQLSTATE for all its errors, outages included: only the messages differ. */
const PROTOCOL_VIOLATION = '08P01';
const POOLER_REJECTION =
  /^unsupported .*startup parameter|authentication failed|does not exist|^no such (database|user)|login rejected|is disabled$|^SSL required|no pg_hba\.conf entry/;

/** Where the error of a worker of Citus names the constraint. */
const CONSTRAINT_IN_MESSAGE = /constraint "([^"]+)"$/;
/** What Citus adds to the names of the constraints of a shard. */
const SHARD_ID = /_\d+$/;

/** The driver has no code for a lost connection or a connection timeout. */
const BROKEN_CONNECTION =
  /^(Connection terminated|timeout (exceeded when trying to connect|expired)|Query read timeout|Client (has encountered a connection error|was closed))/;

/**
 * A worker of Citus is lost, at COMMIT too; the coordinator has no SQLSTATE for it. The last ones
 * are of TLS.
 */
const LOST_WORKER =
  /^(could not commit transaction for shard|failure on connection marked as essential|could not find any healthy placement|SSL (SYSCALL )?error|SSL connection has been closed)/;

export const isReadOnly = (error: unknown): boolean => codeOf(error) === READ_ONLY_SQL_TRANSACTION;

export const isTransactionConflict = (error: unknown): boolean =>
  TRANSACTION_CONFLICTS.has(codeOf(error));

export function isServerUnavailable(error: unknown): boolean {
  const code = codeOf(error);
  return (
    SERVER_UNAVAILABLE.has(code) ||
    code.startsWith('08') ||
    BROKEN_CONNECTION.test(messageOf(error)) ||
    LOST_WORKER.test(messageOf(error)) ||
    // The connection was lost between two statements of a transaction.
    error instanceof QueryRunnerAlreadyReleasedError ||
    error instanceof QueryRunnerProviderAlreadyReleasedError
  );
}

/** The server is running and rejects the connection; retrying does not help. */
export function isConnectionRejected(error: unknown): boolean {
  const code = codeOf(error);
  return (
    error instanceof UnsuitableServerError ||
    REJECTIONS.has(code) ||
    (code === PROTOCOL_VIOLATION && POOLER_REJECTION.test(messageOf(error)))
  );
}

/** Neither the request nor the service is at fault; the same request may succeed later. */
export const isTemporaryFailure = (error: unknown): boolean =>
  isServerUnavailable(error) ||
  isConnectionRejected(error) ||
  isReadOnly(error) ||
  isTransactionConflict(error) ||
  TIMEOUTS.has(codeOf(error)) ||
  codeOf(error).startsWith(INSUFFICIENT_RESOURCES);

/** The name of the constraint that an error with this SQLSTATE names; empty for other errors. */
export function violatedConstraint(error: unknown, violation: string): string {
  if (codeOf(error) !== violation) return '';
  const { constraint } = error as { constraint?: string };
  const name = constraint ?? CONSTRAINT_IN_MESSAGE.exec(messageOf(error))?.[1] ?? '';
  return name.replace(SHARD_ID, '');
}

function codeOf(error: unknown): string {
  const { code } = (error ?? {}) as { code?: unknown };
  return typeof code === 'string' ? code : '';
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : '');
