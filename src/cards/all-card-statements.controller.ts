import { Controller, Get, Query } from '@nestjs/common';
import { ApiBearerAuth, ApiTags } from '@nestjs/swagger';
import { Reads } from '../route-decorators.js';
import type { AuthenticatedUser } from '../users/authenticated-user.js';
import { CurrentUser } from '../users/current-user.decorator.js';
import { CardStatementsService } from './card-statements.service.js';
import { CardStatementResponse, ListStatementsQuery } from './dto/card-statement.dto.js';

@ApiTags('Card statements')
@ApiBearerAuth()
@Controller('card-statements')
export class AllCardStatementsController {
  constructor(private readonly statements: CardStatementsService) {}

  @Get()
  @Reads([CardStatementResponse], {
    summary: 'List the statements of all cards',
    description:
      'In the order of `GET /payment-methods`, those of a card by closing date. The defaults of `from` and `to` are ' +
      'those of each card by itself.',
    errors: ['CURRENCY_CONVERSION_ERROR'],
  })
  listAllCardStatements(
    @CurrentUser() user: AuthenticatedUser,
    @Query() query: ListStatementsQuery,
  ): Promise<CardStatementResponse[]> {
    return this.statements.listOfAll(user, query);
  }
}
