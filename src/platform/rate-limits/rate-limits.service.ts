import { Inject, Injectable } from '@nestjs/common';
import { InjectThrottlerStorage, type ThrottlerStorage } from '@nestjs/throttler';
import type { Response } from 'express';
import { SETTINGS } from '../config/config.module.js';
import type { Settings } from '../config/settings.js';
import { DomainError } from '../errors/domain-error.js';
import type { Policy } from './policies.js';

/** Counts requests whose key RateLimitGuard cannot know: it is in the body or in the database. */
@Injectable()
export class RateLimitsService {
  constructor(
    @InjectThrottlerStorage() private readonly storage: ThrottlerStorage,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** @throws DomainError RATE_LIMIT_EXCEEDED */
  async count(response: Response, policy: Policy, key: string): Promise<void> {
    if (!this.settings.rateLimits.enabled) return;
    if (!(await countRequest(this.storage, response, policy, key))) {
      throw rateLimitExceeded(response);
    }
  }
}

/**
 * Counts a request and reports the count in the headers of the IETF draft "RateLimit header fields
 * for HTTP".
 *
 * @returns whether the request is within the limit; if not, `Retry-After` is set
 */
export async function countRequest(
  storage: ThrottlerStorage,
  response: Response,
  { name, limit, ttl }: Policy,
  key: string,
): Promise<boolean> {
  const { totalHits, timeToExpire, isBlocked } = await storage.increment(key, ttl, limit, 0, name);
  response.appendHeader('RateLimit-Policy', `"${name}";q=${limit};w=${ttl / 1000}`);
  response.appendHeader(
    'RateLimit',
    `"${name}";r=${Math.max(0, limit - totalHits)};t=${timeToExpire}`,
  );
  if (isBlocked) response.setHeader('Retry-After', Math.max(retryAfterOf(response), timeToExpire));
  return !isBlocked;
}

/** The error for a response with `Retry-After`. */
export function rateLimitExceeded(response: Response): DomainError {
  const retryAfter = retryAfterOf(response);
  const message = `Too many requests; retry in ${retryAfter} s`;
  return new DomainError('RATE_LIMIT_EXCEEDED', message, { retry_after: retryAfter });
}

const retryAfterOf = (response: Response): number => Number(response.getHeader('Retry-After') ?? 0);
