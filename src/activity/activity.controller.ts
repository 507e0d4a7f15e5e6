import { Controller, Get, Query, Req, Res } from '@nestjs/common';
import { ApiBearerAuth, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { CurrentUser, type AuthenticatedUser } from '../users/current-user.decorator.js';
import { linkToNextPage, NEXT_PAGE_HEADER } from '../common/http/link-header.js';
import { ActivityService } from './activity.service.js';
import { ActivityResponse, toActivityResponse } from './dto/activity.dto.js';
import { FeedQuery } from './feed.js';

@ApiTags('Activity and comments')
@ApiBearerAuth()
@Controller('activity')
export class ActivityController {
  constructor(private readonly activity: ActivityService) {}

  @Get()
  @ApiOperation({
    summary: 'Read the timeline of an entity or of a cycle',
    description:
      'Of the whole household, newest first: what happened to one entity (`entity_type` ' +
      'with `entity_id`), to a cycle and its expenses (`cycle_id`), or both at once; empty ' +
      'without a scope. The first record of an entity has all its fields, from null; ' +
      'replaying the records gives its present state. Records are never changed or removed. ' +
      'While there are more, the `Link` header has the address of the next page.',
  })
  @ApiOkResponse({ type: [ActivityResponse], headers: NEXT_PAGE_HEADER })
  async list(
    @CurrentUser() reader: AuthenticatedUser,
    @Query() query: FeedQuery,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<ActivityResponse[]> {
    const { items, hasMore } = await this.activity.list(reader, query);
    const records = items.map(toActivityResponse);
    if (hasMore) linkToNextPage(request, response, { before: records.at(-1)?.id ?? '' });
    return records;
  }
}
