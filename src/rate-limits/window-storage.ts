import type { ThrottlerStorage } from '@nestjs/throttler';
import { RateLimiterRes, type RateLimiterAbstract } from 'rate-limiter-flexible';

type Counted = Awaited<ReturnType<ThrottlerStorage['increment']>>;

/** A policy as the limiters take it: so many requests in so many seconds. */
interface Quota {
  points: number;
  duration: number;
}

/**
 * Counts in windows that begin with a key's first request and end for all of its requests at once, so that
 * a count costs the same however many there are. Where it counts is the limiter's business.
 */
export class WindowStorage implements ThrottlerStorage {
  private readonly limiters = new Map<string, RateLimiterAbstract>();

  constructor(private readonly create: (quota: Quota) => RateLimiterAbstract) {}

  /** @param ttl the window in milliseconds */
  async increment(
    key: string,
    ttl: number,
    limit: number,
    _blockDuration: number,
    throttlerName: string,
  ): Promise<Counted> {
    const limiter = this.limiterOf(throttlerName, { points: limit, duration: ttl / 1000 });
    const { consumedPoints, msBeforeNext } = await consume(limiter, key);
    // Where the clock was set back, more would seem to be left of the window than it has.
    const seconds = Math.ceil(Math.min(msBeforeNext, ttl) / 1000);
    const isBlocked = consumedPoints > limit;
    return {
      totalHits: consumedPoints,
      timeToExpire: seconds,
      isBlocked,
      timeToBlockExpire: isBlocked ? seconds : 0,
    };
  }

  private limiterOf(name: string, quota: Quota): RateLimiterAbstract {
    const limiter = this.limiters.get(name) ?? this.create(quota);
    this.limiters.set(name, limiter);
    return limiter;
  }
}

/** The limiter throws its answer when the quota is used up, and an error when it cannot count. */
async function consume(limiter: RateLimiterAbstract, key: string): Promise<RateLimiterRes> {
  try {
    return await limiter.consume(key);
  } catch (refusal) {
    if (refusal instanceof RateLimiterRes) return refusal;
    throw refusal;
  }
}
