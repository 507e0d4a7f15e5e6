import { Inject, Module, type OnApplicationShutdown } from '@nestjs/common';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { SETTINGS } from '../config/config.module.js';
import type { Settings } from '../config/settings.js';
import { Metrics } from '../metrics/metrics.js';
import { RateLimiter, REQUEST_COUNTER } from './rate-limiter.js';
import { RedisCounter } from './redis-counter.js';
import { WindowCounter, type RequestCounter } from './request-counter.js';

function createCounter({ redisUrl }: Settings, metrics: Metrics): RequestCounter {
  const local = new WindowCounter((options) => new RateLimiterMemory(options));
  return redisUrl === undefined ? local : new RedisCounter(redisUrl, local, metrics);
}

@Module({
  providers: [
    RateLimiter,
    { provide: REQUEST_COUNTER, inject: [SETTINGS, Metrics], useFactory: createCounter },
  ],
  exports: [RateLimiter],
})
export class RateLimitsModule implements OnApplicationShutdown {
  constructor(@Inject(REQUEST_COUNTER) private readonly counter: RequestCounter) {}

  onApplicationShutdown(): void {
    if (this.counter instanceof RedisCounter) this.counter.close();
  }
}
