import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { Public } from '../../auth/access-token.guard.js';
import { DateField } from '../../platform/dto/fields.js';
import { OptionalBody } from '../../platform/dto/request-validation.pipe.js';
import { JsonBody } from '../../platform/http/body.interceptor.js';
import type { CalendarDate } from '../../platform/values/calendar-date.js';
import { SandboxService } from './sandbox.service.js';

@OptionalBody()
class SandboxDayDto {
  /** null: the day of the clock; undefined: that of the start. */
  @DateField({ optional: true })
  today?: CalendarDate | null;
}

/** Serves end-to-end tests of front ends, outside the API prefix and without a token. */
@Public()
@Controller('sandbox')
export class SandboxController {
  constructor(private readonly sandbox: SandboxService) {}

  @Post('reset')
  @HttpCode(204)
  @JsonBody()
  resetSandbox(@Body() { today }: SandboxDayDto): Promise<void> {
    return this.sandbox.reset(today);
  }

  @Post('today')
  @HttpCode(204)
  @JsonBody()
  setSandboxDay(@Body() { today }: SandboxDayDto): void {
    this.sandbox.setToday(today);
  }
}
