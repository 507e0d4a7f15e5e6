import type { Request } from 'express';
import type { UserId } from '../values/user-id.js';

/** The claims of a valid access token. Whether its user and session exist has not been checked yet. */
export interface TokenSubject {
  userId: UserId;
  /** Undefined in tokens of version 1.0, which had no sessions. */
  sessionId?: string;
  /** Milliseconds since 1970, rounded down to seconds. */
  issuedAt: number;
  /** Milliseconds since 1970. */
  expiresAt: number;
}

/** A request after AccessTokenGuard; it has no subject when it has no valid token. */
export type RequestWithTokenSubject = Request & { tokenSubject?: TokenSubject };
