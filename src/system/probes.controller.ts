import { Controller, Get } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { HealthCheckService } from '@nestjs/terminus';
import { Public } from '../auth/public.decorator.js';
import { ApiErrors } from '../common/errors/api-errors.decorator.js';
import { DatabaseHealth } from './database.health.js';
import { DomainError } from '../common/errors/domain-error.js';
import { RateLimiter } from '../rate-limits/rate-limiter.js';
import { ProbeReport, ReadinessReport } from './dto/system.dto.js';
import { Lifecycle } from './lifecycle.js';

/** For orchestrators: outside the prefix and without a token. */
@ApiTags('Probes')
@Public()
@Controller('health')
export class ProbesController {
  constructor(
    private readonly health: HealthCheckService,
    private readonly database: DatabaseHealth,
    private readonly limiter: RateLimiter,
    private readonly lifecycle: Lifecycle,
  ) {}

  @Get('live')
  @ApiOperation({
    summary: 'Whether the process answers',
    description: 'Looks at nothing else: an orchestrator restarts the process when it fails.',
  })
  @ApiOkResponse({ type: ProbeReport })
  live(): ProbeReport {
    return { status: 'ok' };
  }

  @Get('ready')
  @ApiOperation({
    summary: 'Whether requests can be served: the database answers',
    description:
      'An orchestrator sends no requests while it fails: the database does not answer, or the process is ' +
      'about to end. `redis` is there where one is set; without it requests are served all the same, ' +
      'and counted by each process.',
  })
  @ApiErrors('SERVICE_UNAVAILABLE')
  @ApiOkResponse({ type: ReadinessReport })
  async ready(): Promise<ReadinessReport> {
    if (this.lifecycle.isDraining) {
      throw new DomainError('SERVICE_UNAVAILABLE', 'The process is about to end');
    }
    await this.health.check([() => this.database.check()]);
    const { isSharedStoreUp } = this.limiter;
    return {
      status: 'ok',
      database: 'up',
      ...(isSharedStoreUp !== undefined && { redis: isSharedStoreUp ? 'up' : 'down' }),
    };
  }
}
