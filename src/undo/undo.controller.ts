import { Controller, Post } from '@nestjs/common';
import { ApiBearerAuth, ApiTags } from '@nestjs/swagger';
import { changedSince, tooManyRecords } from '../activity/undo.js';
import { Idempotent } from '../idempotency/idempotency.interceptor.js';
import { NoBody } from '../platform/dto/request-validation.pipe.js';
import { ResourceNotFoundError } from '../platform/errors/domain-error.js';
import { UuidParam } from '../records/record-ids.js';
import { ChangesRecords } from '../route-decorators.js';
import type { AuthenticatedUser } from '../users/authenticated-user.js';
import { CurrentUser } from '../users/current-user.decorator.js';
import { OperationUndoResponse, UndoResponse } from './dto/undo.dto.js';
import { UndoService } from './undo.service.js';

@ApiTags('Activity and comments')
@ApiBearerAuth()
@Controller('activity')
export class UndoController {
  constructor(private readonly undos: UndoService) {}

  @Post(':id/undo')
  @ChangesRecords(UndoResponse, {
    summary: 'Undo a record of the activity log',
    description:
      'Takes back what the record says of a payment method, budget, balance, statement of a card, template, cycle, ' +
      'expense or income of the current user: the fields in its `changes` have their `from` values again, what it created is deleted (a ' +
      'payment method, budget or template becomes inactive), and what it deleted is there again, a cycle with the ' +
      'entries that were deleted with it. Possible while each field in `changes` has its `to` value (of a ' +
      'creation, all but `id` and the timestamps); else `details.fields` names those that have changed since, so ' +
      'that changes are undone one after another, the latest first. Of a deleted cycle and its entries, only the ' +
      'deletion of the cycle can be undone. The rules of a `PUT` and the limits apply: a name that has been taken ' +
      'meanwhile is a 409, an inactive payment method or budget a 422, but a restored entry keeps its own, and a ' +
      'cycle gets limits of inactive budgets back. Amounts in USD and their rates return to what they were; where ' +
      'another record has changed the rate since, the amount is converted by it. An entry whose change or removal ' +
      'by a synchronization, or whose conversion by `POST /cycles/{id}/reprice`, was undone counts as edited; if ' +
      'another entry has its occurrence meanwhile, it is a 409. The undo is itself a record, with the id of the ' +
      'undone one in `undoes`, and can be undone. Records of a completed cycle and of comments cannot be undone. ' +
      'There is no `ETag`, and `If-Match` is ignored.',
    errors: [
      'RESOURCE_NOT_FOUND',
      'CYCLE_ALREADY_COMPLETED',
      changedSince('cycle_expense', ['amount', 'amount_usd']),
      'CYCLE_NAME_EXISTS',
      'INVALID_CYCLE_DATES',
      'CURRENCY_CONVERSION_ERROR',
    ],
    idempotency: Idempotent({ hasLongResponse: true }),
  })
  undoActivity(
    @CurrentUser() user: AuthenticatedUser,
    @UuidParam('id', 'activity') id: string,
    @NoBody() _body: undefined,
  ): Promise<UndoResponse> {
    return this.undos.undo(user, id);
  }

  @Post('operations/:operation_id/undo')
  @ChangesRecords(OperationUndoResponse, {
    summary: 'Undo all that one request did',
    description:
      'Takes back all records of the activity log with this `operation_id`, which the response to the request has ' +
      'in the header `Operation-Id`: the latest first, each by the rules of `POST /activity/{id}/undo`, all or ' +
      'none. So a generated cycle, a synchronization, a carry-over or a bulk update is undone by one request, and ' +
      'the undo by another. Expenses and incomes of a cycle that the operation created, deleted or brought back go ' +
      'with the cycle, even if they were changed since; beside other records, those of comments and of what an ' +
      'import created inactive are left out. ' +
      '`representation` is the state after the whole undo. If a record cannot be undone, nothing changes, and ' +
      '`details.activity_id` of the error names it. At most 400 records are undone at once, and of several cycles ' +
      '4,000 entries along with them; a larger operation is undone record by record.',
    errors: [
      new ResourceNotFoundError('activity_record'),
      'CYCLE_ALREADY_COMPLETED',
      changedSince('cycle_expense', ['amount', 'amount_usd']),
      tooManyRecords(),
      'CYCLE_NAME_EXISTS',
      'INVALID_CYCLE_DATES',
      'CURRENCY_CONVERSION_ERROR',
    ],
    idempotency: Idempotent({ hasLongResponse: true }),
  })
  undoOperation(
    @CurrentUser() user: AuthenticatedUser,
    @UuidParam('operation_id', 'operation') operationId: string,
    @NoBody() _body: undefined,
  ): Promise<OperationUndoResponse> {
    return this.undos.undoOperation(user, operationId);
  }
}
