import { Controller, Get, Query } from '@nestjs/common';
import { ApiBearerAuth, ApiTags } from '@nestjs/swagger';
import { HasPageLinks } from '../platform/http/page-links.js';
import { Reads } from '../route-decorators.js';
import type { AuthenticatedUser } from '../users/authenticated-user.js';
import { CurrentUser } from '../users/current-user.decorator.js';
import { IncomePageResponse, SearchIncomesQuery } from './dto/income-search.dto.js';
import { IncomesService } from './incomes.service.js';

@ApiTags('Cycle incomes')
@ApiBearerAuth()
@Controller('incomes')
export class IncomeSearchController {
  constructor(private readonly incomes: IncomesService) {}

  @Get()
  @HasPageLinks()
  @Reads(IncomePageResponse, {
    summary: 'Search the incomes of all cycles',
    description:
      'The incomes of the current user by income date, each with its cycle. Those of deleted cycles are not ' +
      'included. The summary covers all pages. A page past the end is empty.',
  })
  searchIncomes(
    @CurrentUser() user: AuthenticatedUser,
    @Query() query: SearchIncomesQuery,
  ): Promise<IncomePageResponse> {
    return this.incomes.search(user, query);
  }
}
