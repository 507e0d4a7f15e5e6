import { Body, Controller, Post } from '@nestjs/common';
import { ApiBearerAuth, ApiTags } from '@nestjs/swagger';
import { Idempotent } from '../idempotency/idempotency.interceptor.js';
import { MAX_ENTRIES } from '../ledger/entities/cycle-entry.entity.js';
import { LimitReachedError, ResourceNotFoundError } from '../platform/errors/domain-error.js';
import { EXAMPLE_ID, UuidParam } from '../records/record-ids.js';
import { ChangesRecords } from '../route-decorators.js';
import type { AuthenticatedUser } from '../users/authenticated-user.js';
import { CurrentUser } from '../users/current-user.decorator.js';
import { CarryOverService } from './carry-over.service.js';
import { CarryOverDto, CarryOverResponse } from './dto/carry-over.dto.js';

@ApiTags('Cycle expenses')
@ApiBearerAuth()
@Controller('cycles/:id/carry-over')
export class CarryOverController {
  constructor(private readonly carryOver: CarryOverService) {}

  @Post()
  @ChangesRecords(CarryOverResponse, {
    summary: 'Carry open expenses and incomes over to another cycle',
    description:
      'Deletes each expense in its cycle and creates it in the other one as a manual, pending expense: with its ' +
      'fields, amount in USD and rate, also if its payment method or budget is inactive. An income becomes a manual ' +
      'income that is not received, in the same way. A synchronization adds the occurrence to neither cycle, and ' +
      'comments on the old expense or income end with it. Without `expense_ids` and `income_ids`, every expense that ' +
      'reads as `pending` or `overdue` moves and no income; there may be none. All move, or none: an expense that is ' +
      'paid or cancelled and an income that is received are a 422 with `details.index`, one that is not in the cycle ' +
      'a 404 with `details.id`. The activity has a `deactivated` and a `created` record for each, which ' +
      '`POST /activity/operations/{operation_id}/undo` takes back together.',
    errors: [
      'CYCLE_NOT_FOUND',
      new ResourceNotFoundError('cycle_expense', { id: EXAMPLE_ID.expense }),
      new ResourceNotFoundError('cycle_income', { id: EXAMPLE_ID.income }),
      'CYCLE_ALREADY_COMPLETED',
      new LimitReachedError('cycle_expense', MAX_ENTRIES),
      new LimitReachedError('cycle_income', MAX_ENTRIES),
    ],
    idempotency: Idempotent({ hasLongResponse: true }),
  })
  carryOverExpenses(
    @CurrentUser() user: AuthenticatedUser,
    @UuidParam('id', 'cycle') id: string,
    @Body() dto: CarryOverDto,
  ): Promise<CarryOverResponse> {
    return this.carryOver.carryOver(user, id, dto);
  }
}
