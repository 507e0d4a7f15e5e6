import { Logger } from '@nestjs/common';
import { Redis } from 'ioredis';
import { RateLimiterRedis } from 'rate-limiter-flexible';
import type { Metrics } from '../metrics/metrics.js';
import type { Policy } from './policies.js';
import { WindowCounter, type RequestCounter, type WindowCount } from './request-counter.js';

const KEY_PREFIX = 'expense-service';
const COMMAND_TIMEOUT_MS = 250;
const CONNECT_TIMEOUT_MS = 1000;
const MAX_RECONNECT_DELAY_MS = 2000;

/**
 * Counts in a Redis that all replicas share. While Redis is unavailable requests are still served and each
 * process counts its own with `local`: a limit is then as many times wider as there are processes
 * (docs/decisions/0005).
 */
export class RedisCounter implements RequestCounter {
  private readonly logger = new Logger('RateLimits');
  private readonly redis: Redis;
  private readonly shared: RequestCounter;
  private isUnavailable = false;

  constructor(
    url: string,
    private readonly local: RequestCounter,
    private readonly metrics: Metrics,
  ) {
    this.redis = new Redis(url, {
      enableOfflineQueue: false,
      maxRetriesPerRequest: 0,
      connectTimeout: CONNECT_TIMEOUT_MS,
      commandTimeout: COMMAND_TIMEOUT_MS,
      retryStrategy: (times) => Math.min(times * 100, MAX_RECONNECT_DELAY_MS),
    });
    this.shared = new WindowCounter(
      (options) =>
        new RateLimiterRedis({ ...options, storeClient: this.redis, keyPrefix: KEY_PREFIX }),
    );
    this.redis.on('error', (error: Error) => this.noteUnavailable(error));
    this.redis.on('ready', () => this.noteAvailable());
  }

  get isReady(): boolean {
    return this.redis.status === 'ready' && !this.isUnavailable;
  }

  async count(policy: Policy, key: string): Promise<WindowCount> {
    try {
      const counted = await this.shared.count(policy, key);
      this.noteAvailable();
      return counted;
    } catch (error) {
      this.noteUnavailable(error as Error);
      this.metrics.rateLimitFallbacks.inc();
      return this.local.count(policy, key);
    }
  }

  close(): void {
    this.redis.disconnect();
  }

  private noteUnavailable({ message }: Error): void {
    if (this.isUnavailable) return;
    this.isUnavailable = true;
    this.logger.warn(`Redis is unavailable (${message}): each process counts its own requests`);
  }

  private noteAvailable(): void {
    if (!this.isUnavailable) return;
    this.isUnavailable = false;
    this.logger.log('Redis is available again: all processes count together');
  }
}
