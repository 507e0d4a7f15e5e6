import { Controller, Get } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { HealthCheckService } from '@nestjs/terminus';
import { Public } from '../auth/public.decorator.js';
import { ApiErrors } from '../common/errors/api-errors.decorator.js';
import { DatabaseHealth } from './database.health.js';
import { ProbeReport } from './dto/system.dto.js';

/** For orchestrators: outside the prefix and without a token. */
@ApiTags('Probes')
@Public()
@Controller('health')
export class ProbesController {
  constructor(
    private readonly health: HealthCheckService,
    private readonly database: DatabaseHealth,
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
    description: 'An orchestrator sends no requests while it fails.',
  })
  @ApiErrors('SERVICE_UNAVAILABLE')
  @ApiOkResponse({ type: ProbeReport })
  async ready(): Promise<ProbeReport> {
    await this.health.check([() => this.database.check()]);
    return { status: 'ok' };
  }
}
