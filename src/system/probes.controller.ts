import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { HealthCheckService } from '@nestjs/terminus';
import { InjectThrottlerStorage } from '@nestjs/throttler';
import { Public } from '../auth/access-token.guard.js';
import { DomainError } from '../platform/errors/domain-error.js';
import { Uncounted } from '../platform/openapi/uncounted.decorator.js';
import { Lifecycle } from '../platform/process/lifecycle.js';
import type { RateLimitStorage } from '../platform/rate-limits/rate-limit.storage.js';
import { Reads } from '../route-decorators.js';
import { DatabaseHealth } from './database.health.js';
import { ProbeResponse, ReadinessResponse } from './dto/system.dto.js';

export const PROBES_TAG = 'Probes';

/** Health probes for orchestrators: outside the API prefix and without a token. */
@ApiTags(PROBES_TAG)
@Public()
@Uncounted()
@Controller('health')
export class ProbesController {
  constructor(
    private readonly health: HealthCheckService,
    private readonly database: DatabaseHealth,
    @InjectThrottlerStorage() private readonly rateLimits: RateLimitStorage,
    private readonly lifecycle: Lifecycle,
  ) {}

  @Get('live')
  @Reads(ProbeResponse, {
    summary: 'Liveness probe',
    description:
      'Whether the process responds. Checks no other component, because orchestrators restart the process when it fails.',
  })
  checkLiveness(): ProbeResponse {
    return { status: 'ok' };
  }

  @Get('ready')
  @Reads(ReadinessResponse, {
    summary: 'Readiness probe',
    description:
      'Whether requests can be served. Fails while the database does not respond or is read-only, and while the ' +
      'process shuts down. `redis` is present if Redis is configured; while Redis is down, requests are served ' +
      'and each process counts its own.',
    errors: ['SERVICE_UNAVAILABLE'],
  })
  async checkReadiness(): Promise<ReadinessResponse> {
    if (this.lifecycle.isDraining) {
      throw new DomainError('SERVICE_UNAVAILABLE', 'The process is shutting down');
    }
    await this.health.check([() => this.database.check()]);
    const { isSharedStoreUp } = this.rateLimits;
    return {
      status: 'ok',
      database: 'up',
      ...(isSharedStoreUp !== undefined && { redis: isSharedStoreUp ? 'up' : 'down' }),
    };
  }
}
