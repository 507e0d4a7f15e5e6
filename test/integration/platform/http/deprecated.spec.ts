import { describe, expect, it } from '@jest/globals';
import { Controller, Get, Module } from '@nestjs/common';
import { ApiBearerAuth, ApiTags } from '@nestjs/swagger';
import { DomainError } from '../../../../src/platform/errors/domain-error.js';
import { Deprecated } from '../../../../src/platform/http/deprecated.decorator.js';
import { Reads } from '../../../../src/route-decorators.js';
import { ProbeResponse } from '../../../../src/system/dto/system.dto.js';
import { expectError } from '../../../support/errors.js';
import { documentOf } from '../../../support/operations.js';
import { useService } from '../../../support/service.js';

const DAYS = { since: '2026-01-15', sunset: '2027-01-15' };
const HEADERS = { deprecation: '@1768435200', sunset: 'Fri, 15 Jan 2027 00:00:00 GMT' };
const OPERATION = { summary: 'An old operation', description: 'Use another one.' };

@ApiTags('System')
@ApiBearerAuth()
@Controller('old')
class OldController {
  @Get('outside')
  @Deprecated(DAYS)
  @Reads(ProbeResponse, OPERATION)
  getOutside(): object {
    return {};
  }

  @Get('inside')
  @Reads(ProbeResponse, OPERATION)
  @Deprecated(DAYS)
  getInside(): object {
    throw new DomainError('CYCLE_NOT_FOUND', 'Cycle not found');
  }
}

@Module({ controllers: [OldController] })
class OldModule {}

describe('@Deprecated', () => {
  const service = useService({}, { module: OldModule });

  it('@Deprecated sets the headers Deprecation and Sunset', async () => {
    const user = await service.signUp();
    const { headers } = await user.get('/old/outside').expect(200);
    expect(headers).toMatchObject(HEADERS);
    const current = await user.get('/enums').expect(200);
    expect(current.get('Deprecation') ?? current.get('Sunset')).toBeUndefined();
  });

  it('@Deprecated sets them for a request that fails, too', async () => {
    const response = await (await service.signUp()).get('/old/inside');
    expectError(response, 404, 'CYCLE_NOT_FOUND');
    expect(response.headers).toMatchObject(HEADERS);
  });

  it('@Deprecated marks the operation in the document, whatever the order of decorators', () => {
    const { paths, components } = documentOf(service.app);
    const reference = (name: string): object => ({ $ref: `#/components/headers/${name}` });
    for (const path of ['/api/v1/old/outside', '/api/v1/old/inside']) {
      const headers = { Deprecation: reference('Deprecation'), Sunset: reference('Sunset') };
      expect(paths[path]?.get).toMatchObject({
        ...OPERATION,
        deprecated: true,
        responses: { 200: { headers } },
      });
    }
    expect(components?.headers).toMatchObject({
      Deprecation: { example: HEADERS.deprecation },
      Sunset: { example: HEADERS.sunset },
    });
  });

  it.each([
    ['2026-01-15', '2027-01-14'],
    ['2026-01-15', '2026-01-15'],
    ['2028-02-29', '2029-02-28'],
    ['2026-1-15', '2028-01-15'],
    ['2026-01-15', 'soon'],
  ])('@Deprecated refuses less than 12 months: from %s to %s', (since, sunset) => {
    expect(() => Deprecated({ since, sunset })).toThrow('At least 12 months');
  });

  it.each([
    ['2026-01-15', '2027-01-15'],
    ['2028-02-29', '2029-03-01'],
  ])('@Deprecated accepts 12 months: from %s to %s', (since, sunset) => {
    expect(() => Deprecated({ since, sunset })).not.toThrow();
  });
});
