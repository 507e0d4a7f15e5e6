import { Controller, Get, StreamableFile, UseGuards } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiParam, ApiProduces, ApiTags } from '@nestjs/swagger';
import { Public } from '../auth/access-token.guard.js';
import { EXAMPLE_CALENDAR_TOKEN } from '../platform/dto/example-values.js';
import { ApiErrors } from '../platform/errors/api-errors.decorator.js';
import { CalendarFeedGuard, CurrentFeed } from './calendar-feed.guard.js';
import { CalendarFeedsService } from './calendar-feeds.service.js';
import type { ReadableFeed } from './calendar.queries.js';
import { toCalendarFile } from './dto/calendar-feed.dto.js';
import { writeCalendar } from './icalendar.js';

const CALENDAR_TYPE = 'text/calendar';

/** Calendars for applications that cannot send an access token: outside the API prefix. */
@ApiTags('Calendar feeds')
@Public()
@Controller('calendar')
export class CalendarController {
  constructor(private readonly feeds: CalendarFeedsService) {}

  @Get(':token.ics')
  @UseGuards(CalendarFeedGuard)
  @ApiOperation({
    summary: 'Read a calendar',
    description:
      'iCalendar (RFC 5545) with an all-day event for each expense that is not cancelled and each income of the draft ' +
      '(`TENTATIVE`) and active (`CONFIRMED`) cycles, from 400 days before today to 800 days after, at most the 5,000 ' +
      'nearest to today. The token is the authentication; a wrong or revoked one is not found. A feed can be read 60 ' +
      'times an hour.',
  })
  @ApiParam({
    name: 'token',
    description: 'The secret token in the URL of the feed',
    schema: { type: 'string', example: EXAMPLE_CALENDAR_TOKEN },
  })
  @ApiErrors('RESOURCE_NOT_FOUND')
  @ApiProduces(CALENDAR_TYPE)
  @ApiOkResponse({
    schema: { type: 'string', example: [...writeCalendar('Gastos', [])].join('') },
  })
  async getCalendar(@CurrentFeed() feed: ReadableFeed): Promise<StreamableFile> {
    return new StreamableFile(await toCalendarFile(await this.feeds.read(feed)), {
      type: `${CALENDAR_TYPE}; charset=utf-8`,
    });
  }
}
