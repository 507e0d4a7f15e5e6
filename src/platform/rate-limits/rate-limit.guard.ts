import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { Request, Response } from 'express';
import { createHash } from 'node:crypto';
import type { RequestWithTokenSubject } from '../http/token-subject.js';
import { rateLimitOf } from '../http/route-decorators.js';
import { normalizeEmail } from '../dto/fields.js';
import { clientNetwork } from './client-network.js';
import { RateLimiter, type Bucket } from './rate-limiter.js';

/**
 * Runs before the user is read, so that rejected requests need no database access. Counts by the user id of a
 * valid token, and login and registration by client network and e-mail.
 */
@Injectable()
export class RateLimitGuard implements CanActivate {
  constructor(private readonly limiter: RateLimiter) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const http = context.switchToHttp();
    const request = http.getRequest<RequestWithTokenSubject>();
    const kind = rateLimitOf(context);
    const userId = request.tokenSubject?.userId;
    const buckets: Bucket[] = [];
    if (userId !== undefined) {
      buckets.push({ policy: 'authenticated', key: userId });
      if (kind === 'reports') buckets.push({ policy: 'reports', key: userId });
    } else if (kind === 'auth') {
      buckets.push(...signInBuckets(request, emailIn(request.body)));
    }
    await this.limiter.count(buckets, http.getResponse<Response>());
    return true;
  }
}

/** The buckets of login, register and password change, by client network and account. */
export function signInBuckets({ ip = '' }: Request, email: string): Bucket[] {
  const network = clientNetwork(ip);
  // A hash, so that keys have a fixed length and the store has no e-mails.
  const key = createHash('sha256').update(`${network} ${email}`).digest('base64url');
  return [
    { policy: 'auth', key },
    { policy: 'auth-address', key: network },
  ];
}

/** The normalized e-mail in a body; empty if there is none. */
function emailIn(body: unknown): string {
  const { username, email } = (body ?? {}) as { username?: unknown; email?: unknown };
  const given = username ?? email;
  return typeof given === 'string' ? normalizeEmail(given) : '';
}
