import { Body, Controller, Get, Put, Query } from '@nestjs/common';
import { ApiBearerAuth, ApiTags } from '@nestjs/swagger';
import { IfMatch } from '../platform/http/if-match.decorator.js';
import { Precondition } from '../platform/values/precondition.js';
import { UuidParam } from '../records/record-ids.js';
import { Reads, ReadsRecord, UpdatesRecord } from '../route-decorators.js';
import type { AuthenticatedUser } from '../users/authenticated-user.js';
import { CurrentUser } from '../users/current-user.decorator.js';
import { CardStatementsService } from './card-statements.service.js';
import { ClosingDateParam } from './closing-date-param.js';
import {
  CardStatementResponse,
  ListStatementsQuery,
  UpdateCardStatementDto,
} from './dto/card-statement.dto.js';

@ApiTags('Card statements')
@ApiBearerAuth()
@Controller('payment-methods/:id/statements')
export class CardStatementsController {
  constructor(private readonly statements: CardStatementsService) {}

  @Get()
  @Reads([CardStatementResponse], {
    summary: 'List the statements of a card',
    description:
      'By closing date; empty for a payment method without statements. A purchase belongs to the first statement ' +
      'that closes on its `due_date` or later, and stays what it is: in its cycle and its budget it counts on its ' +
      'own day. Statements are derived from the expenses and incomes with the card, and stored once something is ' +
      'said of them.',
    errors: ['RESOURCE_NOT_FOUND', 'CURRENCY_CONVERSION_ERROR'],
  })
  listCardStatements(
    @CurrentUser() user: AuthenticatedUser,
    @UuidParam('id', 'paymentMethod') paymentMethodId: string,
    @Query() query: ListStatementsQuery,
  ): Promise<CardStatementResponse[]> {
    return this.statements.list(user, paymentMethodId, query);
  }

  @Get(':closing_date')
  @ReadsRecord(CardStatementResponse, {
    summary: 'Get a statement of a card',
    description: 'By its closing date, at most 400 days after today.',
    errors: ['RESOURCE_NOT_FOUND', 'CURRENCY_CONVERSION_ERROR'],
  })
  getCardStatement(
    @CurrentUser() user: AuthenticatedUser,
    @UuidParam('id', 'paymentMethod') paymentMethodId: string,
    @ClosingDateParam() closingDate: string,
  ): Promise<CardStatementResponse> {
    return this.statements.get(user, { paymentMethodId, closingDate });
  }

  @Put(':closing_date')
  @UpdatesRecord(CardStatementResponse, {
    summary: 'State, pay or move a statement of a card',
    description:
      'A partial update: omitted fields keep their values. It can be stated and paid once its closing date has ' +
      'passed; paying less than `amount` carries the rest to the next statement. Once it is marked as paid, ' +
      'purchases that are entered, changed or deleted later change no statement. An update that changes nothing ' +
      'stores nothing.',
    errors: ['RESOURCE_NOT_FOUND', 'CURRENCY_CONVERSION_ERROR'],
  })
  updateCardStatement(
    @CurrentUser() user: AuthenticatedUser,
    @UuidParam('id', 'paymentMethod') paymentMethodId: string,
    @ClosingDateParam() closingDate: string,
    @Body() dto: UpdateCardStatementDto,
    @IfMatch() precondition: Precondition,
  ): Promise<CardStatementResponse> {
    return this.statements.update(user, { paymentMethodId, closingDate }, dto, precondition);
  }
}
