import {
  applyDecorators,
  Controller,
  Get,
  Res,
  UseGuards,
  UseInterceptors,
  type StreamableFile,
} from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiParam, ApiProduces, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { Public } from '../auth/access-token.guard.js';
import { ApiErrors } from '../platform/errors/api-errors.decorator.js';
import { fileDownload } from '../platform/http/file-download.js';
import { concurrencyLimit } from '../platform/rate-limits/concurrency-limit.decorator.js';
import { CalendarFeedGuard, CalendarFeedLimit, CurrentFeed } from './calendar-feed.guard.js';
import { CalendarFeedsService, type RequestedFeed } from './calendar-feeds.service.js';
import { EXAMPLE_CALENDAR_TOKEN } from './dto/calendar-feed.dto.js';
import { beginCalendar, endCalendar } from './icalendar.js';

const CALENDAR_TYPE = 'text/calendar';

/** How long a request waits until its calendar is written. */
const MAX_WAIT_MS = 10_000;

/** How long a client may take to read a calendar. */
const MAX_SENDING_MS = 30_000;

/** A request waits first, and is counted when its calendar is written. */
const CALENDARS = applyDecorators(
  concurrencyLimit({
    work: 'calendars',
    max: 4,
    maxWaiting: 20,
    maxWaitingOfUser: 4,
    timeoutMs: MAX_WAIT_MS,
  }),
  UseInterceptors(CalendarFeedLimit),
);

/** Calendars for applications that cannot send an access token: outside the API prefix. */
@ApiTags('Calendar feeds')
@Public()
@Controller('calendar')
export class CalendarController {
  constructor(private readonly feeds: CalendarFeedsService) {}

  @Get(':token.ics')
  @UseGuards(CalendarFeedGuard)
  @CALENDARS
  @ApiOperation({
    summary: 'Read a calendar',
    description:
      'iCalendar (RFC 5545) with an all-day event for each expense that is not cancelled and each income of the ' +
      'draft (`TENTATIVE`) and active (`CONFIRMED`) cycles, from 400 days before today to 800 days after, at most ' +
      'the 5,000 nearest to today, and for each statement of a card of which something is to be paid, on its due ' +
      'date, at most 1,000. `UID` is the id of the expense or income, in every feed. `DTSTAMP` and ' +
      '`LAST-MODIFIED` are the time of the last change of anything that the event may show, rounded up to a second; ' +
      'of an overdue expense at least the beginning of the day after its due date. Days, and with them the status ' +
      '`overdue`, are those of the time zone of the user. With `alarm_days` a statement and an open ' +
      'expense of none have an alarm (`VALARM`) at 09:00 in the time zone of the application; some applications drop alarms ' +
      'of calendars that they subscribe to. There is no `ETag`. The token is the authentication; a wrong or revoked ' +
      'one is not found. A feed can be read 60 times an hour. A process writes four calendars at a time, one of each ' +
      'user; others wait for ten seconds, four of each user and 20 in all, or get a 503 with `Retry-After: 5`. A ' +
      'calendar has to be read within 30 seconds.',
  })
  @ApiParam({
    name: 'token',
    description: 'The secret token in the URL of the feed',
    schema: { type: 'string', example: EXAMPLE_CALENDAR_TOKEN },
  })
  @ApiErrors('RESOURCE_NOT_FOUND')
  @ApiProduces(CALENDAR_TYPE)
  @ApiOkResponse({
    schema: { type: 'string', example: beginCalendar('Gastos') + endCalendar() },
  })
  async getCalendar(
    @CurrentFeed() feed: RequestedFeed,
    @Res({ passthrough: true }) response: Response,
  ): Promise<StreamableFile> {
    const file = await this.feeds.write(feed);
    return fileDownload(response, file, { type: CALENDAR_TYPE, maxSendingMs: MAX_SENDING_MS });
  }
}
