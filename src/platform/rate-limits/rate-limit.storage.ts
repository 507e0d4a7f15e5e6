import { Logger, type OnApplicationShutdown } from '@nestjs/common';
import type { ThrottlerStorage } from '@nestjs/throttler';
import { Redis } from 'ioredis';
import { RateLimiterMemory, RateLimiterRedis, type RateLimiterRes } from 'rate-limiter-flexible';
import { SERVICE_NAME } from '../config/project-files.js';
import type { Metrics } from '../metrics/metrics.js';

/** Limit and window are those of each request's policy. */
const COUNTER = { keyPrefix: SERVICE_NAME, points: 0, duration: 0 };
const COMMAND_TIMEOUT_MS = 250;
const CONNECT_TIMEOUT_MS = 1000;
const MAX_RECONNECT_DELAY_MS = 2000;

/**
 * ioredis reports a connection that the server closed at once as an error of its own first command.
 */
const CLOSED = "Stream isn't writeable";
const CLOSED_CAUSE = 'it closes connections at once, as in protected mode';

type ThrottlerRecord = Awaited<ReturnType<ThrottlerStorage['increment']>>;

/**
 * Counts in windows that begin with a key's first request and end for all of its requests at once,
 * so that a count costs the same however many there are: in a Redis that all replicas share, or in
 * memory. While Redis is unavailable requests are still served and each process counts its own: a
 * limit is then as many times wider as there are processes (docs/decisions/0005).
 */
export class RateLimitStorage implements ThrottlerStorage, OnApplicationShutdown {
  private readonly logger = new Logger('RateLimits');
  private readonly memory = new RateLimiterMemory(COUNTER);
  private readonly redis?: Redis;
  private readonly shared?: RateLimiterRedis;
  private isUnavailable = false;

  constructor(
    private readonly metrics: Metrics,
    redisUrl: string | undefined,
  ) {
    if (redisUrl === undefined) return;
    this.redis = new Redis(redisUrl, {
      enableOfflineQueue: false,
      maxRetriesPerRequest: 0,
      connectTimeout: CONNECT_TIMEOUT_MS,
      commandTimeout: COMMAND_TIMEOUT_MS,
      retryStrategy: (times) => Math.min(times * 100, MAX_RECONNECT_DELAY_MS),
    });
    this.shared = new RateLimiterRedis({ ...COUNTER, storeClient: this.redis });
    this.redis.on('error', (error: Error) => this.noteUnavailable(error));
    this.redis.on('ready', () => this.noteAvailable());
  }

  /** Whether the shared Redis is available; undefined when none is configured. */
  get isSharedStoreUp(): boolean | undefined {
    return this.redis ? this.redis.status === 'ready' && !this.isUnavailable : undefined;
  }

  /**
   * Counts a request.
   *
   * @returns the requests in the window, and the seconds until it ends, rounded up
   */
  async increment(
    key: string,
    ttl: number,
    limit: number,
    _blockDuration: number,
    policy: string,
  ): Promise<ThrottlerRecord> {
    const seconds = ttl / 1000;
    const { consumedPoints, msBeforeNext } = await this.count(`${policy}:${key}`, seconds);
    const isBlocked = consumedPoints > limit;
    if (isBlocked) this.metrics.rateLimitHits.inc({ policy });
    // The remaining time is longer than the window after the clock was set back.
    const timeToExpire = Math.min(Math.ceil(msBeforeNext / 1000), seconds);
    return { totalHits: consumedPoints, timeToExpire, isBlocked, timeToBlockExpire: timeToExpire };
  }

  onApplicationShutdown(): void {
    this.redis?.disconnect();
  }

  /** Uses `penalty`, because `consume` refuses requests by a limit of its own. */
  private async count(key: string, customDuration: number): Promise<RateLimiterRes> {
    if (this.shared) {
      try {
        const counted = await this.shared.penalty(key, 1, { customDuration });
        this.noteAvailable();
        return counted;
      } catch (error) {
        // The error event has the cause of a missing connection; the command only knows that it is
        // missing.
        if (this.redis?.status === 'ready') this.noteUnavailable(error as Error);
        this.metrics.rateLimitFallbacks.inc();
      }
    }
    return this.memory.penalty(key, 1, { customDuration });
  }

  private noteUnavailable({ message }: Error): void {
    if (this.isUnavailable) return;
    this.isUnavailable = true;
    const cause = message.startsWith(CLOSED) ? CLOSED_CAUSE : message;
    this.logger.warn(`Redis is unavailable (${cause}): each process counts its own requests`);
  }

  private noteAvailable(): void {
    if (!this.isUnavailable) return;
    this.isUnavailable = false;
    this.logger.log('Redis is available again: all processes count together');
  }
}
