import { Controller, HttpCode, Post } from '@nestjs/common';
import { ApiBearerAuth, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { changedSince } from '../activity/undo.js';
import { Idempotent } from '../idempotency/idempotency.interceptor.js';
import { NoBody } from '../platform/dto/request-validation.pipe.js';
import { ApiErrors } from '../platform/errors/api-errors.decorator.js';
import { JsonBody } from '../platform/http/body.interceptor.js';
import { UuidParam } from '../platform/http/uuid.pipe.js';
import type { AuthenticatedUser } from '../users/authenticated-user.js';
import { CurrentUser } from '../users/current-user.decorator.js';
import { UndoResponse } from './dto/undo.dto.js';
import { UndoService } from './undo.service.js';

@ApiTags('Activity and comments')
@ApiBearerAuth()
@Controller('activity')
export class UndoController {
  constructor(private readonly undos: UndoService) {}

  @Post(':id/undo')
  @Idempotent()
  @JsonBody()
  @HttpCode(200)
  @ApiOperation({
    summary: 'Undo a record of the activity log',
    description:
      'Takes back what the record says of a payment method, template, cycle, expense or income of the current user: the ' +
      'fields in its `changes` have their `from` values again, what it created is deleted, and what it deleted is there ' +
      'again, a cycle with the entries that were deleted with it. Possible while each field in `changes` has its `to` ' +
      'value; else `details.fields` names those that have changed since. Amounts in USD return to what they were. The ' +
      'undo is itself a record and can be undone. Records of a completed cycle and of comments cannot be undone.',
  })
  @ApiErrors(
    'RESOURCE_NOT_FOUND',
    'CYCLE_ALREADY_COMPLETED',
    changedSince('cycle_expense', ['amount', 'amount_usd']),
    'CYCLE_NAME_EXISTS',
    'INVALID_CYCLE_DATES',
    'CURRENCY_CONVERSION_ERROR',
  )
  @ApiOkResponse({ type: UndoResponse })
  undoActivity(
    @CurrentUser() user: AuthenticatedUser,
    @UuidParam('id', 'activity') id: string,
    @NoBody() _body: undefined,
  ): Promise<UndoResponse> {
    return this.undos.undo(user, id);
  }
}
