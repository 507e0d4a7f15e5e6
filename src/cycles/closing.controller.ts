import { Body, Controller, Get, Post } from '@nestjs/common';
import { ApiBearerAuth, ApiBody, ApiTags } from '@nestjs/swagger';
import { Idempotent } from '../idempotency/idempotency.interceptor.js';
import { MAX_ENTRIES } from '../ledger/entities/cycle-entry.entity.js';
import { LimitReachedError } from '../platform/errors/domain-error.js';
import { UuidParam } from '../records/record-ids.js';
import { ChangesRecords, Reads } from '../route-decorators.js';
import type { AuthenticatedUser } from '../users/authenticated-user.js';
import { CurrentUser } from '../users/current-user.decorator.js';
import { ClosingService } from './closing.service.js';
import {
  CloseCycleDto,
  ClosedCycleResponse,
  ClosingResponse,
  openEntriesRemain,
} from './dto/closing.dto.js';

@ApiTags('Cycles')
@ApiBearerAuth()
@Controller('cycles/:id/close')
export class ClosingController {
  constructor(private readonly closing: ClosingService) {}

  @Get()
  @Reads(ClosingResponse, {
    summary: 'See what is open and left over before closing a cycle',
    description:
      'Open are expenses that are neither paid nor cancelled, and incomes that are not received. `left_over` is the ' +
      '`remaining_balance` that the cycle has once they are carried over. Closing cannot be undone, so that this is ' +
      'what to show a person before.',
    errors: ['CYCLE_NOT_FOUND', 'CYCLE_ALREADY_COMPLETED'],
  })
  previewClosing(
    @CurrentUser() user: AuthenticatedUser,
    @UuidParam('id', 'cycle') id: string,
  ): Promise<ClosingResponse> {
    return this.closing.preview(user, id);
  }

  @Post()
  @ApiBody({ type: CloseCycleDto, required: false })
  @ChangesRecords(ClosedCycleResponse, {
    summary: 'Close a cycle',
    description:
      'Carries open expenses and incomes over to the cycle `to_cycle_id`, as `POST /cycles/{id}/carry-over` does, or ' +
      'leaves them as they are with `leave_open`, and completes the cycle; all of it or nothing. Without either, a ' +
      'cycle with open expenses or incomes is a 409 with their numbers in `details`. Like every completion this ' +
      'cannot be undone. There is no `ETag`, and `If-Match` is ignored.',
    errors: [
      'CYCLE_NOT_FOUND',
      'CYCLE_ALREADY_COMPLETED',
      openEntriesRemain({ open_expense_count: 1, open_income_count: 1 }),
      new LimitReachedError('cycle_expense', MAX_ENTRIES),
      new LimitReachedError('cycle_income', MAX_ENTRIES),
    ],
    idempotency: Idempotent({ hasLongResponse: true }),
  })
  closeCycle(
    @CurrentUser() user: AuthenticatedUser,
    @UuidParam('id', 'cycle') id: string,
    @Body() dto: CloseCycleDto,
  ): Promise<ClosedCycleResponse> {
    return this.closing.close(user, id, dto);
  }
}
