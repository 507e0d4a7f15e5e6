import { Inject, Injectable, type ExecutionContext } from '@nestjs/common';
import { ThrottlerGuard, type ThrottlerRequest } from '@nestjs/throttler';
import type { Response } from 'express';
import { SETTINGS } from '../config/config.module.js';
import type { Settings } from '../config/settings.js';
import { countRequest, rateLimitExceeded } from './rate-limits.service.js';

/**
 * Counts a request in every policy that applies to it (policies.ts), also after one of them is
 * exceeded.
 */
@Injectable()
export class RateLimitGuard extends ThrottlerGuard {
  @Inject(SETTINGS) private readonly settings!: Settings;

  /** @throws DomainError RATE_LIMIT_EXCEEDED */
  override async canActivate(context: ExecutionContext): Promise<boolean> {
    const isWithinLimits = await super.canActivate(context);
    if (!isWithinLimits) throw rateLimitExceeded(context.switchToHttp().getResponse());
    return true;
  }

  protected override shouldSkip(): Promise<boolean> {
    return Promise.resolve(!this.settings.rateLimits.enabled);
  }

  /** Replaces the headers of the library, which have other names for each policy. */
  protected override async handleRequest(request: ThrottlerRequest): Promise<boolean> {
    const { context, throttler, limit, ttl, getTracker } = request;
    const http = context.switchToHttp();
    const key = await getTracker(http.getRequest(), context);
    const policy = { name: throttler.name ?? '', limit, ttl };
    return countRequest(this.storageService, http.getResponse<Response>(), policy, key);
  }
}
