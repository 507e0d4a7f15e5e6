import { Controller, Get, Query } from '@nestjs/common';
import { ApiBearerAuth, ApiTags } from '@nestjs/swagger';
import { HasPageLinks } from '../platform/http/page-links.js';
import { Reads } from '../route-decorators.js';
import type { AuthenticatedUser } from '../users/authenticated-user.js';
import { CurrentUser } from '../users/current-user.decorator.js';
import { ExpensePageResponse, SearchExpensesQuery } from './dto/expense-search.dto.js';
import { ExpensesService } from './expenses.service.js';

@ApiTags('Cycle expenses')
@ApiBearerAuth()
@Controller('expenses')
export class ExpenseSearchController {
  constructor(private readonly expenses: ExpensesService) {}

  @Get()
  @HasPageLinks()
  @Reads(ExpensePageResponse, {
    summary: 'Search the expenses of all cycles',
    description:
      'The expenses of the current user by due date, each with its cycle: what is due next week, whatever the ' +
      'cycle. Those of deleted cycles are not included. The summary covers all pages; its amounts exclude cancelled ' +
      'expenses. A page past the end is empty.',
  })
  searchExpenses(
    @CurrentUser() user: AuthenticatedUser,
    @Query() query: SearchExpensesQuery,
  ): Promise<ExpensePageResponse> {
    return this.expenses.search(user, query);
  }
}
