import { Controller, Get, Query } from '@nestjs/common';
import { ApiBearerAuth, ApiTags } from '@nestjs/swagger';
import { Reads } from '../route-decorators.js';
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
  @Reads(ChangesResponse, {
    summary: 'List what changed',
    description:
      'For clients that keep a copy: payment methods, budgets, balances, stored statements of cards, templates, cycles, expenses and ' +
      'incomes of the current user, and the comments of the household. Without `since`, everything that exists; with the `next` of the previous ' +
      'response, what changed after it. Each change has the present `representation`, or `deleted: true`, even of ' +
      'an entity that no page had before. Apply each page to the copy in its order: an entity can appear on several ' +
      'pages, and the last one wins. A page is empty only where `has_more` is false. No change is missed, whatever ' +
      'the order of commits. Inactive payment methods, budgets and templates are not deleted. A cycle is included when its ' +
      'entries change, a record also when its deletion is undone. Not included: an expense that becomes overdue as ' +
      'time passes, and a new name of a payment method or budget in the entities that refer to it. A cursor stays valid when ' +
      'the service is updated; one of another database, such as the one before a restore, is a 422: read everything ' +
      'again. Later versions may add values of `entity_type`.',
  })
  listChanges(
    @CurrentUser() user: AuthenticatedUser,
    @Query() query: ListChangesQuery,
  ): Promise<ChangesResponse> {
    return this.changes.list(user, query);
  }
}
