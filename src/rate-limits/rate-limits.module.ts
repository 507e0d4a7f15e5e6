import { Inject, Module, type OnApplicationShutdown } from '@nestjs/common';
import { ThrottlerStorage } from '@nestjs/throttler';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { AuthModule } from '../auth/auth.module.js';
import { SETTINGS } from '../config/config.module.js';
import type { Settings } from '../config/settings.js';
import { Metrics } from '../observability/metrics.js';
import { RateLimiter } from './rate-limiter.js';
import { RedisStorage } from './redis-storage.js';
import { WindowStorage } from './window-storage.js';

function createStorage({ redisUrl }: Settings, metrics: Metrics): ThrottlerStorage {
  const local = new WindowStorage((quota) => new RateLimiterMemory(quota));
  return redisUrl === undefined ? local : new RedisStorage(redisUrl, local, metrics);
}

@Module({
  imports: [AuthModule],
  providers: [
    RateLimiter,
    { provide: ThrottlerStorage, inject: [SETTINGS, Metrics], useFactory: createStorage },
  ],
  exports: [RateLimiter, AuthModule],
})
export class RateLimitsModule implements OnApplicationShutdown {
  constructor(@Inject(ThrottlerStorage) private readonly storage: ThrottlerStorage) {}

  onApplicationShutdown(): void {
    if (this.storage instanceof RedisStorage) this.storage.close();
  }
}
