import { Controller, Get } from '@nestjs/common';
import { ApiBearerAuth, ApiTags } from '@nestjs/swagger';
import { SERVICE_NAME, SERVICE_VERSION } from '../platform/config/project-files.js';
import { Reads } from '../route-decorators.js';
import { ENUMERATIONS, EnumerationsResponse, HealthResponse } from './dto/system.dto.js';

@ApiTags('System')
@ApiBearerAuth()
@Controller()
export class SystemController {
  @Get('enums')
  @Reads(EnumerationsResponse, {
    summary: 'List enumeration values',
    description:
      'Currencies, types of payment methods, expense categories, recurrence types, and the statuses of cycles and ' +
      'expenses. They change only with the version of the API.',
  })
  getEnums(): EnumerationsResponse {
    return ENUMERATIONS;
  }

  @Get('health')
  @Reads(HealthResponse, {
    summary: 'Get the service status and version',
    description:
      'Requires a token; orchestrators use `/health/live` and `/health/ready`, which require none.',
  })
  getHealth(): HealthResponse {
    return {
      status: 'healthy',
      service: SERVICE_NAME,
      version: SERVICE_VERSION,
      timestamp: new Date().toISOString(),
    };
  }
}
