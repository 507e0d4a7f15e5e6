import { Controller, Get, Inject, Query, Req, Res } from '@nestjs/common';
import { ApiBearerAuth, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { SETTINGS } from '../platform/config/config.module.js';
import type { Settings } from '../platform/config/settings.js';
import { NEXT_PAGE_HEADER, setNextPageLink } from '../platform/http/page-links.js';
import { Reads } from '../route-decorators.js';
import type { AuthenticatedUser } from '../users/authenticated-user.js';
import { CurrentUser } from '../users/current-user.decorator.js';
import { ActivityService } from './activity.service.js';
import { ActivityResponse } from './dto/activity.dto.js';
import { ActivityQuery } from './feed.js';

@ApiTags('Activity and comments')
@ApiBearerAuth()
@Controller('activity')
export class ActivityController {
  constructor(
    private readonly activity: ActivityService,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  @Get()
  @Reads([ActivityResponse], {
    summary: 'List activity records',
    description:
      'The activity of the household, newest first: of an entity (`entity_type` with ' +
      '`entity_id`), of a cycle, its expenses and its incomes (`cycle_id`), of a request ' +
      '(`operation_id`), or several filters combined; empty without a filter. The first record of an entity has all its fields, changed from ' +
      'null; replaying the records results in its current state. Derived values (balances, summaries, `overdue`) are ' +
      'not recorded. Records from before a field existed do not name it: lists were `[]`, `weekend_rule` and ' +
      '`due_weekend_rule` were `keep`, `side` and `autopay` were false, others were null. Records never change. The ' +
      '`Link` header has the URL of the next page, if there is one.',
    headers: NEXT_PAGE_HEADER,
  })
  async listActivity(
    @CurrentUser() reader: AuthenticatedUser,
    @Query() query: ActivityQuery,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<ActivityResponse[]> {
    const { items, hasMore } = await this.activity.list(reader, query);
    if (hasMore) {
      const next = { before: items.at(-1)?.id ?? '' };
      setNextPageLink(request, response, next, this.settings);
    }
    return items;
  }
}
