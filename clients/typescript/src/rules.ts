export const API_PREFIX = '/api/v1';

/** How requests of an operation are sent. */
export interface OperationRules {
  /** What the path of the OpenAPI document has before that of the client. */
  prefix: typeof API_PREFIX | '';
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
 * Sent again, the first four are refused: the account exists, the token and the old password are
 * not valid any more, the token of the link has been used. The others make another token, and the
 * last one sends another mail.
 */
const NOT_REPEATABLE = [
  'POST /auth/register',
  'PUT /auth/me/password',
  'POST /account/password-reset/confirm',
  'POST /account/reminders/confirm',
  'POST /auth/tokens',
  'POST /account/password-reset',
];

/**
 * PUT and PATCH set fields to values, and a DELETE that has taken effect finds nothing: they may be
 * sent again, as may a POST with a key.
 *
 * @param operation method and path, for example `POST /cycles`
 */
export function rulesOf(operation: string): OperationRules {
  // Below /account no operation takes an access token: a 401 there does not end the session.
  const isOfAccount = / \/account(\/|$)/.test(operation);
  const isPublic = isOfAccount || PUBLIC.includes(operation);
  const ownToken = OF_THE_SESSION.includes(operation) ? 'current' : 'refreshed';
  const takesNoKey = isOfAccount || operation.startsWith('POST /auth/');
  return {
    prefix: isOfAccount ? '' : API_PREFIX,
    token: isPublic ? 'none' : ownToken,
    startsSession: STARTS_OF_SESSIONS.includes(operation),
    takesKey: operation.startsWith('POST ') && !takesNoKey,
    isRepeatable: !NOT_REPEATABLE.includes(operation),
  };
}
