import { Module } from '@nestjs/common';
import { ThrottlerStorage, ThrottlerStorageService } from '@nestjs/throttler';
import { AuthModule } from '../auth/auth.module.js';
import { RateLimiter } from './rate-limiter.js';

@Module({
  imports: [AuthModule],
  providers: [
    RateLimiter,
    { provide: ThrottlerStorage, useFactory: () => new ThrottlerStorageService() },
  ],
  exports: [RateLimiter, AuthModule],
})
export class RateLimitsModule {}
