import { Global, Module, type DynamicModule } from '@nestjs/common';
import { ThrottlerModule } from '@nestjs/throttler';
import { SETTINGS } from '../config/config.module.js';
import type { Settings } from '../config/settings.js';
import { Metrics } from '../metrics/metrics.js';
import type { Throttlers } from './policies.js';
import { RateLimitStorage } from './rate-limit.storage.js';
import { RateLimitsService } from './rate-limits.service.js';

@Global()
@Module({ providers: [RateLimitsService], exports: [RateLimitsService] })
export class RateLimitsModule {
  static forRoot(throttlers: Throttlers): DynamicModule {
    return {
      module: RateLimitsModule,
      imports: [
        ThrottlerModule.forRootAsync({
          inject: [SETTINGS, Metrics],
          useFactory: ({ rateLimits, redisUrl }: Settings, metrics: Metrics) => ({
            throttlers: throttlers(rateLimits),
            storage: new RateLimitStorage(metrics, redisUrl),
          }),
        }),
      ],
    };
  }
}
