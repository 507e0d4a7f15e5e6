import { Controller, Get, Query, Req, Res } from '@nestjs/common';
import { ApiBearerAuth, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { CurrentUser, type AuthenticatedUser } from '../users/current-user.decorator.js';
import { linkToNextPage } from '../common/http/link-header.js';
import { ActivityService } from './activity.service.js';
import { ActivityResponse, ListActivityQuery, toActivityResponse } from './dto/activity.dto.js';

@ApiTags('Activity and comments')
@ApiBearerAuth()
@Controller('activity')
export class ActivityController {
  constructor(private readonly activity: ActivityService) {}

  @Get()
  @ApiOperation({
    summary: 'Read the timeline of an entity or of a cycle',
    description:
      'Newest first; empty without a scope. The Link header has the address of the next page.',
  })
  @ApiOkResponse({ type: [ActivityResponse] })
  async list(
    @CurrentUser() reader: AuthenticatedUser,
    @Query() query: ListActivityQuery,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<ActivityResponse[]> {
    const { entity_type: type, entity_id: id, cycle_id: cycleId, limit, before } = query;
    const entity = type && id ? { type, id } : undefined;
    const page = await this.activity.list(reader, { entity, cycleId }, { limit, before });
    const records = page.records.map(toActivityResponse);
    if (page.hasMore) linkToNextPage(request, response, { before: records.at(-1)?.id ?? '' });
    return records;
  }
}
