import { QueryRunnerAlreadyReleasedError, QueryRunnerProviderAlreadyReleasedError } from 'typeorm';

/** What PostgreSQL and its driver say when the fault is not in the statement. */

/** A transaction that met another one: nothing of it happened, and run again it may succeed. */
const COLLISIONS = new Set([
  '40001', // serialization_failure
  '40P01', // deadlock_detected
]);

/** The server cannot be reached, starts, stops or has no connection left. */
const AWAY = new Set([
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
]);

/** SQLSTATE's class of what has run out: the disk is full, there is no memory, no connection. */
const INSUFFICIENT_RESOURCES = '53';

/** It answers, but not in time. */
const TOO_SLOW = new Set([
  '55P03', // lock_not_available
  '57014', // query_canceled
  '25P03', // idle_in_transaction_session_timeout
]);

const FOREIGN_KEY_VIOLATION = '23503';

const OWNERS = new Set<unknown>([
  'fk_payment_methods_user_id',
  'fk_expense_templates_user_id',
  'fk_cycles_user_id',
]);

/** The driver has no code for a connection that broke off or did not come about in time. */
const BROKEN_CONNECTION =
  /^(Connection terminated|timeout (exceeded when trying to connect|expired)|Client (has encountered a connection error|was closed))/;

export const isCollision = (error: unknown): boolean => COLLISIONS.has(codeOf(error));

export function isServerAway(error: unknown): boolean {
  const code = codeOf(error);
  return (
    AWAY.has(code) ||
    code.startsWith('08') ||
    BROKEN_CONNECTION.test(messageOf(error)) ||
    // The connection broke off between two statements of a transaction.
    error instanceof QueryRunnerAlreadyReleasedError ||
    error instanceof QueryRunnerProviderAlreadyReleasedError
  );
}

/** The request may be right and the service sound: the same again can succeed later. */
export const isTemporaryFailure = (error: unknown): boolean =>
  isServerAway(error) ||
  isCollision(error) ||
  TOO_SLOW.has(codeOf(error)) ||
  codeOf(error).startsWith(INSUFFICIENT_RESOURCES);

/** A user's own record refers to a user who is not there. */
export function isOwnerMissing(error: unknown): boolean {
  const { constraint } = (error ?? {}) as { constraint?: unknown };
  return codeOf(error) === FOREIGN_KEY_VIOLATION && OWNERS.has(constraint);
}

function codeOf(error: unknown): string {
  const { code } = (error ?? {}) as { code?: unknown };
  return typeof code === 'string' ? code : '';
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : '');
