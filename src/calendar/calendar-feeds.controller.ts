import { Body, Controller, Delete, Get, HttpCode, Inject, Post, Put, Req } from '@nestjs/common';
import {
  ApiBearerAuth,
  ApiCreatedResponse,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
} from '@nestjs/swagger';
import type { Request } from 'express';
import { Idempotent } from '../idempotency/idempotency.interceptor.js';
import { SETTINGS } from '../platform/config/config.module.js';
import type { Settings } from '../platform/config/settings.js';
import { ApiErrors } from '../platform/errors/api-errors.decorator.js';
import { LimitReachedError } from '../platform/errors/domain-error.js';
import { JsonBody } from '../platform/http/body.interceptor.js';
import { publicUrlFor } from '../platform/http/public-url.js';
import { UuidParam } from '../records/record-ids.js';
import { Intercepted, Reads } from '../route-decorators.js';
import type { AuthenticatedUser } from '../users/authenticated-user.js';
import { CurrentUser } from '../users/current-user.decorator.js';
import { RequiresSignIn } from '../users/requires-sign-in.decorator.js';
import { MAX_CALENDAR_FEEDS } from './calendar-feed.entity.js';
import { CalendarFeedsService } from './calendar-feeds.service.js';
import {
  CalendarFeedResponse,
  CreateCalendarFeedDto,
  CreatedCalendarFeedResponse,
  UpdateCalendarFeedDto,
} from './dto/calendar-feed.dto.js';

@ApiTags('Calendar feeds')
@ApiBearerAuth()
@Controller('calendar-feeds')
export class CalendarFeedsController {
  constructor(
    private readonly feeds: CalendarFeedsService,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  @Post()
  @RequiresSignIn()
  @Intercepted({ body: JsonBody(), idempotency: Idempotent({ secretField: 'url' }) })
  @ApiOperation({
    summary: 'Create a calendar feed',
    description:
      'A calendar application, which cannot send an access token, subscribes to `url` and shows the expenses and ' +
      'incomes of the draft and active cycles. Only this response has it; the service stores a hash of its token. ' +
      'Whoever has the URL can read them until the feed is revoked or the account deactivated.',
  })
  @ApiErrors('RESOURCE_NOT_FOUND', new LimitReachedError('calendar_feed', MAX_CALENDAR_FEEDS))
  @ApiCreatedResponse({ type: CreatedCalendarFeedResponse })
  createCalendarFeed(
    @CurrentUser() user: AuthenticatedUser,
    @Body() dto: CreateCalendarFeedDto,
    @Req() request: Request,
  ): Promise<CreatedCalendarFeedResponse> {
    return this.feeds.create(user, dto, publicUrlFor(request, this.settings));
  }

  @Get()
  @Reads([CalendarFeedResponse], {
    summary: 'List calendar feeds',
    description: 'Those of the current user, newest first, without their URLs.',
  })
  listCalendarFeeds(@CurrentUser() user: AuthenticatedUser): Promise<CalendarFeedResponse[]> {
    return this.feeds.list(user);
  }

  @Put(':id')
  @RequiresSignIn()
  @JsonBody()
  @ApiOperation({
    summary: 'Update a calendar feed',
    description:
      'A partial update: omitted fields keep their values, `null` clears `payment_method_id` and `alarm_days`. The ' +
      'URL stays the same; an application has the change when it reads the calendar again.',
  })
  @ApiErrors('RESOURCE_NOT_FOUND')
  @ApiOkResponse({ type: CalendarFeedResponse })
  updateCalendarFeed(
    @CurrentUser() user: AuthenticatedUser,
    @UuidParam('id', 'calendarFeed') id: string,
    @Body() dto: UpdateCalendarFeedDto,
  ): Promise<CalendarFeedResponse> {
    return this.feeds.update(user, id, dto);
  }

  @Delete(':id')
  @HttpCode(204)
  @ApiOperation({
    summary: 'Revoke a calendar feed',
    description: 'From then on, its URL responds with 404.',
  })
  @ApiErrors('RESOURCE_NOT_FOUND')
  @ApiNoContentResponse()
  async revokeCalendarFeed(
    @CurrentUser() user: AuthenticatedUser,
    @UuidParam('id', 'calendarFeed') id: string,
  ): Promise<void> {
    await this.feeds.remove(user, id);
  }
}
