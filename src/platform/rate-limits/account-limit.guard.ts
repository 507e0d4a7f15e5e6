import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { Request, Response } from 'express';
import { rateLimitOf } from '../http/route-decorators.js';
import { signInBuckets } from './rate-limit.guard.js';
import { RateLimiter } from './rate-limiter.js';

/** Runs after AccountGuard: a password change counts towards the same limit as login to the account. */
@Injectable()
export class AccountLimitGuard implements CanActivate {
  constructor(private readonly limiter: RateLimiter) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const http = context.switchToHttp();
    const request = http.getRequest<Request & { user?: { email: string } }>();
    if (request.user && rateLimitOf(context) === 'auth') {
      const buckets = signInBuckets(request, request.user.email);
      await this.limiter.count(buckets, http.getResponse<Response>());
    }
    return true;
  }
}
