import { Logger } from '@nestjs/common';
import type { ThrottlerStorage } from '@nestjs/throttler';
import { Redis } from 'ioredis';
import { RateLimiterRedis } from 'rate-limiter-flexible';
import type { Metrics } from '../observability/metrics.js';
import { WindowStorage } from './window-storage.js';

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
  private readonly shared: ThrottlerStorage;
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
    this.shared = new WindowStorage(
      (quota) => new RateLimiterRedis({ ...quota, storeClient: this.redis, keyPrefix: KEY_PREFIX }),
    );
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
      const counted = await this.shared.increment(key, ttl, limit, blockDuration, throttlerName);
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
