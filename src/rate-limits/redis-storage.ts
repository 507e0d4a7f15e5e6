import { Logger } from '@nestjs/common';
import type { ThrottlerStorage } from '@nestjs/throttler';
import { Redis } from 'ioredis';
import { RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import type { Metrics } from '../observability/metrics.js';

type Counted = Awaited<ReturnType<ThrottlerStorage['increment']>>;

const KEY_PREFIX = 'expense-service';
/** A request waits no longer than this to be counted. */
const ANSWER_WITHIN_MS = 250;
const CONNECT_WITHIN_MS = 1000;
const LONGEST_PAUSE_MS = 2000;

/**
 * Counts of the rate limits that all replicas share. While Redis is away requests go on and each process
 * counts its own, in the storage given for that: a limit is then as many times wider as there are
 * processes, which is better than none and better than no service (docs/decisions/0005).
 */
export class RedisStorage implements ThrottlerStorage {
  private readonly logger = new Logger('RateLimits');
  private readonly redis: Redis;
  private readonly limiters = new Map<string, RateLimiterRedis>();
  private isAway = false;

  constructor(
    url: string,
    private readonly local: ThrottlerStorage,
    private readonly metrics: Metrics,
  ) {
    this.redis = new Redis(url, {
      enableOfflineQueue: false,
      maxRetriesPerRequest: 0,
      connectTimeout: CONNECT_WITHIN_MS,
      commandTimeout: ANSWER_WITHIN_MS,
      retryStrategy: (times) => Math.min(times * 100, LONGEST_PAUSE_MS),
    });
    this.redis.on('error', (error: Error) => this.noteAway(error));
    this.redis.on('ready', () => this.noteBack());
  }

  get isReady(): boolean {
    return this.redis.status === 'ready' && !this.isAway;
  }

  /** @param ttl the window in milliseconds */
  async increment(
    key: string,
    ttl: number,
    limit: number,
    blockDuration: number,
    throttlerName: string,
  ): Promise<Counted> {
    try {
      const counted = await this.count(key, { ttl, limit, name: throttlerName });
      this.noteBack();
      return counted;
    } catch (error) {
      this.noteAway(error as Error);
      this.metrics.rateLimitFallbacks.inc();
      return this.local.increment(key, ttl, limit, blockDuration, throttlerName);
    }
  }

  close(): void {
    this.redis.disconnect();
  }

  private async count(
    key: string,
    policy: { ttl: number; limit: number; name: string },
  ): Promise<Counted> {
    const { consumedPoints, msBeforeNext } = await this.consume(key, policy);
    const seconds = Math.ceil(msBeforeNext / 1000);
    const isBlocked = consumedPoints > policy.limit;
    return {
      totalHits: consumedPoints,
      timeToExpire: seconds,
      isBlocked,
      timeToBlockExpire: isBlocked ? seconds : 0,
    };
  }

  /** The limiter throws its answer when the limit is passed, and an error when Redis fails. */
  private async consume(
    key: string,
    policy: { ttl: number; limit: number; name: string },
  ): Promise<RateLimiterRes> {
    try {
      return await this.limiterOf(policy).consume(key);
    } catch (refusal) {
      if (refusal instanceof RateLimiterRes) return refusal;
      throw refusal;
    }
  }

  private limiterOf({
    ttl,
    limit,
    name,
  }: {
    ttl: number;
    limit: number;
    name: string;
  }): RateLimiterRedis {
    const known = this.limiters.get(name);
    if (known) return known;
    const limiter = new RateLimiterRedis({
      storeClient: this.redis,
      keyPrefix: KEY_PREFIX,
      points: limit,
      duration: ttl / 1000,
    });
    this.limiters.set(name, limiter);
    return limiter;
  }

  private noteAway({ message }: Error): void {
    if (this.isAway) return;
    this.isAway = true;
    this.logger.warn(`Redis is away (${message}): each process counts its own requests meanwhile`);
  }

  private noteBack(): void {
    if (!this.isAway) return;
    this.isAway = false;
    this.logger.log('Redis is back: all processes count together again');
  }
}
