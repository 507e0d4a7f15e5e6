import { Controller, Get, Query } from '@nestjs/common';
import { ApiBearerAuth, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { AuthenticatedUser } from '../users/authenticated-user.js';
import { CurrentUser } from '../users/current-user.decorator.js';
import { ChangesService } from './changes.service.js';
import { ChangesResponse, ListChangesQuery } from './dto/changes.dto.js';

@ApiTags('Changes')
@ApiBearerAuth()
@Controller('changes')
export class ChangesController {
  constructor(private readonly changes: ChangesService) {}

  @Get()
  @ApiOperation({
    summary: 'List what changed',
    description:
      'For clients that keep a copy: payment methods, templates, cycles, expenses and incomes of the current user, ' +
      'and the comments of the household. Without `since`, everything that exists; with the `next` of the previous ' +
      'response, what changed after it. No change is missed. Inactive payment methods and templates are not ' +
      'deleted. A cycle is included when its entries change. Not included: an expense that becomes overdue as time ' +
      'passes, and a new name of a payment method in the entities that refer to it. An entity can appear on several ' +
      'pages; the last occurrence wins. A page is empty only where `has_more` is false.',
  })
  @ApiOkResponse({ type: ChangesResponse })
  listChanges(
    @CurrentUser() user: AuthenticatedUser,
    @Query() query: ListChangesQuery,
  ): Promise<ChangesResponse> {
    return this.changes.list(user, query);
  }
}
