import { Controller, Get } from '@nestjs/common';
import { ApiBearerAuth, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { SERVICE_NAME, SERVICE_VERSION } from '../common/version.js';
import { ENUMERATIONS, Enumerations, HealthReport } from './dto/system.dto.js';

@ApiTags('System')
@ApiBearerAuth()
@Controller()
export class SystemController {
  @Get('enums')
  @ApiOperation({
    summary: 'List the values of every enumeration',
    description: 'They change only with the version of the API.',
  })
  @ApiOkResponse({ type: Enumerations })
  enums(): Enumerations {
    return ENUMERATIONS;
  }

  @Get('health')
  @ApiOperation({
    summary: 'Ask for the version; a token is needed as everywhere',
    description: 'For orchestrators there are `/health/live` and `/health/ready`, which need none.',
  })
  @ApiOkResponse({ type: HealthReport })
  health(): HealthReport {
    return {
      status: 'healthy',
      service: SERVICE_NAME,
      version: SERVICE_VERSION,
      timestamp: new Date().toISOString(),
    };
  }
}
