/** How requests of an operation are sent. */
export interface OperationRules {
  /**
   * Which token is sent: none, the current one, or the current one and after its refusal a
   * refreshed one.
   */
  token: 'none' | 'current' | 'refreshed';
  /** Whether the response has the token of a new session. */
  startsSession: boolean;
  /** Whether an `Idempotency-Key` is sent. */
  takesKey: boolean;
  /** Whether the request may be sent again after it may have taken effect. */
  isRepeatable: boolean;
}

const PUBLIC = ['POST /auth/register', 'POST /auth/login'];
const OF_THE_SESSION = ['POST /auth/refresh', 'POST /auth/logout'];
const STARTS_OF_SESSIONS = ['POST /auth/login', 'PUT /auth/me/password'];
/**
 * Sent again, the first two are refused: the account exists, the token and the old password are not
 * valid any more. The last one makes another token.
 */
const NOT_REPEATABLE = ['POST /auth/register', 'PUT /auth/me/password', 'POST /auth/tokens'];

/**
 * PUT and PATCH set fields to values, and a DELETE that has taken effect finds nothing: they may be
 * sent again, as may a POST with a key.
 *
 * @param operation method and path, for example `POST /cycles`
 */
export function rulesOf(operation: string): OperationRules {
  const ownToken = OF_THE_SESSION.includes(operation) ? 'current' : 'refreshed';
  return {
    token: PUBLIC.includes(operation) ? 'none' : ownToken,
    startsSession: STARTS_OF_SESSIONS.includes(operation),
    takesKey: operation.startsWith('POST ') && !operation.startsWith('POST /auth/'),
    isRepeatable: !NOT_REPEATABLE.includes(operation),
  };
}
