import { Inject, Injectable } from '@nestjs/common';
import { ThrottlerStorage } from '@nestjs/throttler';
import type { Response } from 'express';
import { DomainError } from '../common/errors/domain-error.js';
import { SETTINGS } from '../config/config.module.js';
import type { Settings } from '../config/settings.js';
import { Metrics } from '../observability/metrics.js';
import { policiesOf, type Policy, type PolicyName } from './policies.js';
import { RedisStorage } from './redis-storage.js';

/** Whose requests count together under a policy. */
export interface Bucket {
  policy: PolicyName;
  key: string;
}

/**
 * Counts requests and tells the client where it stands, in the headers of the IETF draft
 * "RateLimit header fields for HTTP". A window begins with the first request and ends for all of them at
 * once, so waiting for `Retry-After` is always enough.
 */
@Injectable()
export class RateLimiter {
  private readonly policies: Record<PolicyName, Policy>;
  private readonly isEnabled: boolean;

  constructor(
    @Inject(SETTINGS) settings: Settings,
    @Inject(ThrottlerStorage) private readonly storage: ThrottlerStorage,
    private readonly metrics: Metrics,
  ) {
    this.policies = policiesOf(settings.rateLimits);
    this.isEnabled = settings.rateLimits.enabled;
  }

  /** Of the Redis that replicas share; nothing where there is none. */
  get isSharedStoreUp(): boolean | undefined {
    return this.storage instanceof RedisStorage ? this.storage.isReady : undefined;
  }

  /**
   * Counts the request in every bucket.
   *
   * @throws DomainError RATE_LIMIT_EXCEEDED when one of them is full
   */
  async count(buckets: readonly Bucket[], response: Response): Promise<void> {
    if (!this.isEnabled) return;
    if (buckets.length === 0) return;
    let retryAfter = 0;
    const policies: string[] = [];
    const standings: string[] = [];
    for (const bucket of buckets) {
      const policy = this.policies[bucket.policy];
      const counted = await this.storage.increment(
        `${policy.name}:${bucket.key}`,
        policy.windowSeconds * 1000,
        policy.quota,
        0,
        policy.name,
      );
      const wait = counted.isBlocked ? counted.timeToBlockExpire : 0;
      retryAfter = Math.max(retryAfter, wait);
      if (counted.isBlocked) this.metrics.rateLimitHits.inc({ policy: policy.name });
      const remaining = Math.max(0, policy.quota - counted.totalHits);
      const reset = wait || counted.timeToExpire;
      policies.push(`"${policy.name}";q=${policy.quota};w=${policy.windowSeconds}`);
      standings.push(`"${policy.name}";r=${remaining};t=${reset}`);
    }
    response.appendHeader('RateLimit-Policy', policies);
    response.appendHeader('RateLimit', standings);
    if (retryAfter > 0) {
      response.setHeader('Retry-After', retryAfter);
      throw new DomainError('RATE_LIMIT_EXCEEDED', `Too many requests; retry in ${retryAfter} s`, {
        retry_after: retryAfter,
      });
    }
  }
}
