import { Controller, Get } from '@nestjs/common';
import {
  ApiOkResponse,
  ApiOperation,
  ApiServiceUnavailableResponse,
  ApiTags,
} from '@nestjs/swagger';
import { HealthCheckService } from '@nestjs/terminus';
import { Public } from '../auth/public.decorator.js';
import { ErrorBody } from '../common/errors/error-body.js';
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
  @ApiOperation({ summary: 'Whether the process answers' })
  @ApiOkResponse({ type: ProbeReport })
  live(): ProbeReport {
    return { status: 'ok' };
  }

  @Get('ready')
  @ApiOperation({ summary: 'Whether requests can be served: the database answers' })
  @ApiOkResponse({ type: ProbeReport })
  @ApiServiceUnavailableResponse({ type: ErrorBody })
  async ready(): Promise<ProbeReport> {
    await this.health.check([() => this.database.check()]);
    return { status: 'ok' };
  }
}
