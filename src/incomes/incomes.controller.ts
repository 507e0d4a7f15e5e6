import { Body, Controller, Delete, Get, Patch, Post, Put, Query } from '@nestjs/common';
import { ApiBearerAuth, ApiTags } from '@nestjs/swagger';
import { MAX_ENTRIES } from '../ledger/entities/cycle-entry.entity.js';
import { LimitReachedError, ResourceNotFoundError } from '../platform/errors/domain-error.js';
import { IfMatch } from '../platform/http/if-match.decorator.js';
import { Precondition } from '../platform/values/precondition.js';
import { EXAMPLE_ID, UuidParam } from '../records/record-ids.js';
import {
  ChangesRecords,
  CreatesRecord,
  DeletesRecord,
  Reads,
  ReadsRecord,
  UpdatesRecord,
} from '../route-decorators.js';
import type { AuthenticatedUser } from '../users/authenticated-user.js';
import { CurrentUser } from '../users/current-user.decorator.js';
import {
  CreateIncomeDto,
  IncomeListResponse,
  IncomeResponse,
  ListIncomesQuery,
  UpdateIncomeDto,
} from './dto/income.dto.js';
import { UpdateIncomesDto, UpdatedIncomesResponse } from './dto/update-incomes.dto.js';
import { IncomesService } from './incomes.service.js';

@ApiTags('Cycle incomes')
@ApiBearerAuth()
@Controller('cycles/:cycle_id/incomes')
export class IncomesController {
  constructor(private readonly incomes: IncomesService) {}

  @Get()
  @Reads(IncomeListResponse, {
    summary: 'List the incomes of a cycle',
    description:
      'By income date. The summary covers the listed incomes; `expected_amount` is the amount not ' +
      'yet received.',
    errors: ['CYCLE_NOT_FOUND'],
  })
  listIncomes(
    @CurrentUser() user: AuthenticatedUser,
    @UuidParam('cycle_id', 'cycle') cycleId: string,
    @Query() query: ListIncomesQuery,
  ): Promise<IncomeListResponse> {
    return this.incomes.list(user, cycleId, query);
  }

  @Post()
  @CreatesRecord(IncomeResponse, {
    summary: 'Create a manual income',
    description:
      'It has no template. With `received: true` it is received at once, in a record of its own beside that of ' +
      'the creation. `amount_usd` is converted by the rate of the income date, which may be outside the cycle. The ' +
      'payment method and the budget, if any, must be active. ' +
      'The remaining balance includes the income whether or not it is received.',
    errors: [
      'CYCLE_NOT_FOUND',
      'RESOURCE_NOT_FOUND',
      'CYCLE_ALREADY_COMPLETED',
      new LimitReachedError('cycle_income', MAX_ENTRIES),
      'CURRENCY_CONVERSION_ERROR',
    ],
  })
  createIncome(
    @CurrentUser() user: AuthenticatedUser,
    @UuidParam('cycle_id', 'cycle') cycleId: string,
    @Body() dto: CreateIncomeDto,
  ): Promise<IncomeResponse> {
    return this.incomes.create(user, cycleId, dto);
  }

  @Patch()
  @ChangesRecords(UpdatedIncomesResponse, {
    summary: 'Update or delete several incomes',
    description:
      'All elements take effect or none, in the order given, which is that of the response, without deleted ones. ' +
      'Each is a partial update with the fields and rules of `PUT`, on the condition of `if_match` if it is given: ' +
      'one `ETag` or `updated_at`, with or without its quotes. `active: false` deletes the income and has no other ' +
      'fields beside it; an `id` alone changes nothing. Errors of the body name the path of the field ' +
      '(`incomes.3.amount`). Each further check is made for all elements before the next one: 404 with ' +
      '`details.id`, or `details.index` where the payment method or the budget does not exist; 412 with ' +
      '`details.id`; 409 if the cycle is completed; then an inactive payment method, an inactive budget, a ' +
      '`received_at` that does not fit and a conversion that is not possible, with `details.index`. There is no ' +
      '`ETag`, and `If-Match` and `Idempotency-Key` are ignored: after a lost response read the list, or send the ' +
      'request again.',
    errors: [
      'CYCLE_NOT_FOUND',
      new ResourceNotFoundError('cycle_income', { id: EXAMPLE_ID.income }),
      'PRECONDITION_FAILED',
      'CYCLE_ALREADY_COMPLETED',
      'CURRENCY_CONVERSION_ERROR',
    ],
  })
  updateIncomes(
    @CurrentUser() user: AuthenticatedUser,
    @UuidParam('cycle_id', 'cycle') cycleId: string,
    @Body() dto: UpdateIncomesDto,
  ): Promise<UpdatedIncomesResponse> {
    return this.incomes.updateMany(user, cycleId, dto);
  }

  @Get(':income_id')
  @ReadsRecord(IncomeResponse, {
    summary: 'Get an income',
    description: 'Deleted incomes are not found.',
    errors: ['CYCLE_NOT_FOUND', 'RESOURCE_NOT_FOUND'],
  })
  getIncome(
    @CurrentUser() user: AuthenticatedUser,
    @UuidParam('cycle_id', 'cycle') cycleId: string,
    @UuidParam('income_id', 'income') entryId: string,
  ): Promise<IncomeResponse> {
    return this.incomes.get(user, { cycleId, entryId });
  }

  @Put(':income_id')
  @UpdatesRecord(IncomeResponse, {
    summary: 'Update an income',
    description:
      'A partial update: omitted fields keep their values, `null` clears `comments`, ' +
      '`payment_method_id` and `budget_id`. `received: true` sets `received_at` to now unless given; ' +
      '`received: false` clears it; `received_at` for an income that is not received is ' +
      'rejected. `amount_usd` is converted again when `amount`, `currency` or `income_date` ' +
      'changes. Incomes of a completed cycle cannot change.',
    errors: [
      'CYCLE_NOT_FOUND',
      'RESOURCE_NOT_FOUND',
      'CYCLE_ALREADY_COMPLETED',
      'CURRENCY_CONVERSION_ERROR',
    ],
  })
  updateIncome(
    @CurrentUser() user: AuthenticatedUser,
    @UuidParam('cycle_id', 'cycle') cycleId: string,
    @UuidParam('income_id', 'income') entryId: string,
    @Body() dto: UpdateIncomeDto,
    @IfMatch() precondition: Precondition,
  ): Promise<IncomeResponse> {
    return this.incomes.update(user, { cycleId, entryId }, dto, precondition);
  }

  @Delete(':income_id')
  @DeletesRecord({
    summary: 'Delete an income',
    description:
      'A soft deletion: it remains visible only in the activity log, and the remaining ' +
      'balance of the cycle is updated. Incomes of a completed cycle cannot be deleted.',
    errors: ['CYCLE_NOT_FOUND', 'RESOURCE_NOT_FOUND', 'CYCLE_ALREADY_COMPLETED'],
  })
  deleteIncome(
    @CurrentUser() user: AuthenticatedUser,
    @UuidParam('cycle_id', 'cycle') cycleId: string,
    @UuidParam('income_id', 'income') entryId: string,
    @IfMatch() precondition: Precondition,
  ): Promise<void> {
    return this.incomes.remove(user, { cycleId, entryId }, precondition);
  }
}
