import { Module } from '@nestjs/common';
import { ThrottlerModule } from '@nestjs/throttler';
import { SETTINGS } from '../config/config.module.js';
import type { Settings } from '../config/settings.js';
import { Metrics } from '../metrics/metrics.js';
import { throttlersOf } from './policies.js';
import { RateLimitStorage } from './rate-limit.storage.js';
import { RateLimitsService } from './rate-limits.service.js';

@Module({
  imports: [
    ThrottlerModule.forRootAsync({
      inject: [SETTINGS, Metrics],
      useFactory: ({ rateLimits, redisUrl }: Settings, metrics: Metrics) => ({
        throttlers: throttlersOf(rateLimits),
        storage: new RateLimitStorage(metrics, redisUrl),
      }),
    }),
  ],
  providers: [RateLimitsService],
  exports: [RateLimitsService],
})
export class RateLimitsModule {}
