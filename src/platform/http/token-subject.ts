import type { Request } from 'express';
import type { TokenSubject } from '../values/user-id.js';

/** A request after AccessTokenGuard; it has no subject when it has no valid token. */
export type RequestWithTokenSubject = Request & { tokenSubject?: TokenSubject };
