import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { Request, Response } from 'express';
import { createHash } from 'node:crypto';
import type { CheckedRequest } from '../auth/access-token.guard.js';
import { rateLimitOf } from '../common/http/rate-limited.decorator.js';
import { RateLimiter, type Bucket } from './rate-limiter.js';

/**
 * Before the token's user is looked up: a limit that is hit costs the database nothing. Counts by the
 * user that a valid token names, and sign-in and registration by address and e-mail.
 */
@Injectable()
export class RateLimitGuard implements CanActivate {
  constructor(private readonly limiter: RateLimiter) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const http = context.switchToHttp();
    const request = http.getRequest<CheckedRequest>();
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

/** One bucket for everything that takes a password, by address and account. */
export function signInBuckets({ ip = '' }: Request, email: string): Bucket[] {
  // Of fixed length, whatever the client sends as an e-mail, and none that could be read in the storage.
  const key = createHash('sha256').update(`${ip} ${email}`).digest('base64url');
  return [
    { policy: 'auth', key },
    { policy: 'auth-address', key: ip },
  ];
}

/** As the account has it; empty for a body that names none. */
function emailIn(body: unknown): string {
  const { username, email } = (body ?? {}) as { username?: unknown; email?: unknown };
  const given = username ?? email;
  return typeof given === 'string' ? given.trim().toLowerCase() : '';
}
