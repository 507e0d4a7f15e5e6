import { Inject, Injectable } from '@nestjs/common';
import type { Response } from 'express';
import { DomainError } from '../errors/domain-error.js';
import { SETTINGS } from '../config/config.module.js';
import type { Settings } from '../config/settings.js';
import { Metrics } from '../metrics/metrics.js';
import { policiesOf, type Policy, type PolicyName } from './policies.js';
import { RedisCounter } from './redis-counter.js';
import type { RequestCounter } from './request-counter.js';

export const REQUEST_COUNTER = Symbol('REQUEST_COUNTER');

/** Requests that are counted together under a policy. */
export interface Bucket {
  policy: PolicyName;
  key: string;
}

/**
 * Counts requests and reports the counts in the headers of the IETF draft
 * "RateLimit header fields for HTTP". Windows are fixed: a window begins with the first request, and after
 * `Retry-After` the full quota is available again.
 */
@Injectable()
export class RateLimiter {
  private readonly policies: Record<PolicyName, Policy>;
  private readonly isEnabled: boolean;

  constructor(
    @Inject(SETTINGS) settings: Settings,
    @Inject(REQUEST_COUNTER) private readonly counter: RequestCounter,
    private readonly metrics: Metrics,
  ) {
    this.policies = policiesOf(settings.rateLimits);
    this.isEnabled = settings.rateLimits.enabled;
  }

  /** Whether the shared Redis is available; undefined when none is configured. */
  get isSharedStoreUp(): boolean | undefined {
    return this.counter instanceof RedisCounter ? this.counter.isReady : undefined;
  }

  /**
   * Counts the request in every bucket.
   *
   * @throws DomainError RATE_LIMIT_EXCEEDED when a quota is exceeded
   */
  async count(buckets: readonly Bucket[], response: Response): Promise<void> {
    if (!this.isEnabled) return;
    if (buckets.length === 0) return;
    let retryAfter = 0;
    const policies: string[] = [];
    const limits: string[] = [];
    for (const { policy: name, key } of buckets) {
      const policy = this.policies[name];
      const { requests, resetSeconds } = await this.counter.count(policy, key);
      if (requests > policy.quota) {
        retryAfter = Math.max(retryAfter, resetSeconds);
        this.metrics.rateLimitHits.inc({ policy: name });
      }
      const remaining = Math.max(0, policy.quota - requests);
      policies.push(`"${name}";q=${policy.quota};w=${policy.windowSeconds}`);
      limits.push(`"${name}";r=${remaining};t=${resetSeconds}`);
    }
    response.appendHeader('RateLimit-Policy', policies);
    response.appendHeader('RateLimit', limits);
    if (retryAfter > 0) {
      response.setHeader('Retry-After', retryAfter);
      throw new DomainError('RATE_LIMIT_EXCEEDED', `Too many requests; retry in ${retryAfter} s`, {
        retry_after: retryAfter,
      });
    }
  }
}
