import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { Request, Response } from 'express';
import { rateLimitOf } from '../common/http/rate-limited.decorator.js';
import type { AuthenticatedUser } from '../users/current-user.decorator.js';
import { signInBuckets } from './rate-limit.guard.js';
import { RateLimiter } from './rate-limiter.js';

/** After the token: a password change counts where signing in to the account does. */
@Injectable()
export class AccountLimitGuard implements CanActivate {
  constructor(private readonly limiter: RateLimiter) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const http = context.switchToHttp();
    const request = http.getRequest<Request & { user?: AuthenticatedUser }>();
    if (request.user && rateLimitOf(context) === 'auth') {
      const buckets = signInBuckets(request, request.user.email);
      await this.limiter.count(buckets, http.getResponse<Response>());
    }
    return true;
  }
}
