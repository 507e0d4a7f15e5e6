import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request, Response } from 'express';
import type { AuthenticatedUser } from '../users/current-user.decorator.js';
import { limitOf, signInBuckets } from './rate-limit.guard.js';
import { RateLimiter } from './rate-limiter.js';

/** After the token: a password change counts where signing in to the account does. */
@Injectable()
export class AccountLimitGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly limiter: RateLimiter,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const http = context.switchToHttp();
    const request = http.getRequest<Request & { user?: AuthenticatedUser }>();
    if (request.user && limitOf(this.reflector, context) === 'auth') {
      const buckets = signInBuckets(request, request.user.email);
      await this.limiter.count(buckets, http.getResponse<Response>());
    }
    return true;
  }
}
