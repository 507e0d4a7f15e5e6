import {
  RateLimiterRes,
  type IRateLimiterOptions,
  type RateLimiterAbstract,
} from 'rate-limiter-flexible';
import type { Policy, PolicyName } from './policies.js';

/** The requests of one key in its current window. */
export interface WindowCount {
  requests: number;
  /** Seconds until the window ends, rounded up. */
  resetSeconds: number;
}

export interface RequestCounter {
  /** Counts one request of the key and returns how many there are in its window. */
  count(policy: Policy, key: string): Promise<WindowCount>;
}

/**
 * Counts in windows that begin with a key's first request and end for all of its requests at once, so that
 * a count costs the same however many there are. The limiter decides where the counts are stored.
 */
export class WindowCounter implements RequestCounter {
  private readonly limiters = new Map<PolicyName, RateLimiterAbstract>();

  constructor(
    private readonly createLimiter: (options: IRateLimiterOptions) => RateLimiterAbstract,
  ) {}

  async count(policy: Policy, key: string): Promise<WindowCount> {
    const { consumedPoints, msBeforeNext } = await consume(
      this.limiterOf(policy),
      `${policy.name}:${key}`,
    );
    // The remaining time is longer than the window after the clock was set back.
    const seconds = Math.min(Math.ceil(msBeforeNext / 1000), policy.windowSeconds);
    return { requests: consumedPoints, resetSeconds: seconds };
  }

  private limiterOf({ name, quota, windowSeconds }: Policy): RateLimiterAbstract {
    const limiter =
      this.limiters.get(name) ?? this.createLimiter({ points: quota, duration: windowSeconds });
    this.limiters.set(name, limiter);
    return limiter;
  }
}

/** The limiter throws its result when the quota is used up, and an error when it cannot count. */
async function consume(limiter: RateLimiterAbstract, key: string): Promise<RateLimiterRes> {
  try {
    return await limiter.consume(key);
  } catch (refusal) {
    if (refusal instanceof RateLimiterRes) return refusal;
    throw refusal;
  }
}
