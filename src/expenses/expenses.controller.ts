import { Body, Controller, Delete, Get, Patch, Post, Put, Query } from '@nestjs/common';
import { ApiBearerAuth, ApiTags } from '@nestjs/swagger';
import { MAX_ENTRIES } from '../ledger/entities/cycle-entry.entity.js';
import { LimitReachedError, ResourceNotFoundError } from '../platform/errors/domain-error.js';
import { HasEtag } from '../platform/http/etag.interceptor.js';
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
import { ExpenseListResponse, ListExpensesQuery } from './dto/expense-list.dto.js';
import {
  CreateExpenseDto,
  ExpenseResponse,
  withDisplayedStatus,
  UpdateExpenseDto,
} from './dto/expense.dto.js';
import { UpdateExpensesDto, UpdatedExpensesResponse } from './dto/update-expenses.dto.js';
import { ExpensesService } from './expenses.service.js';

@ApiTags('Cycle expenses')
@ApiBearerAuth()
@Controller('cycles/:cycle_id/expenses')
export class ExpensesController {
  constructor(private readonly expenses: ExpensesService) {}

  @Get()
  @Reads(ExpenseListResponse, {
    summary: 'List the expenses of a cycle',
    description:
      'By due date. The summary covers the listed expenses: its amounts exclude cancelled ' +
      'ones, `total_count` includes them. A pending expense whose due date is in the past, ' +
      "in the user's time zone, is displayed and filtered as `overdue`.",
    errors: ['CYCLE_NOT_FOUND'],
  })
  listExpenses(
    @CurrentUser() user: AuthenticatedUser,
    @UuidParam('cycle_id', 'cycle') cycleId: string,
    @Query() query: ListExpensesQuery,
  ): Promise<ExpenseListResponse> {
    return this.expenses.list(user, cycleId, query);
  }

  @Post()
  @CreatesRecord(ExpenseResponse, {
    summary: 'Create a manual expense',
    description:
      'Its status is `pending`, which later reads show as `overdue` after the due date, and it has no template. With ' +
      '`paid: true` it is paid at once, in a record of its own beside that of the creation. ' +
      '`amount_usd` is converted by the rate of the due date, which may be outside the cycle. The payment method ' +
      'and the budget must be active.',
    errors: [
      'CYCLE_NOT_FOUND',
      'RESOURCE_NOT_FOUND',
      'CYCLE_ALREADY_COMPLETED',
      new LimitReachedError('cycle_expense', MAX_ENTRIES),
      'CURRENCY_CONVERSION_ERROR',
    ],
    etag: HasEtag(withDisplayedStatus),
  })
  createExpense(
    @CurrentUser() user: AuthenticatedUser,
    @UuidParam('cycle_id', 'cycle') cycleId: string,
    @Body() dto: CreateExpenseDto,
  ): Promise<ExpenseResponse> {
    return this.expenses.create(user, cycleId, dto);
  }

  @Patch()
  @ChangesRecords(UpdatedExpensesResponse, {
    summary: 'Update or delete several expenses',
    description:
      'All elements take effect or none, in the order given, which is that of the response, without deleted ones. ' +
      'Each is a partial update with the fields and rules of `PUT`, on the condition of `if_match` if it is given: ' +
      'one `ETag` or `updated_at`, with or without its quotes. `active: false` deletes the expense and has no other ' +
      'fields beside it; an `id` alone changes nothing. Errors of the body name the path of the field ' +
      '(`expenses.3.amount`). Each further check is made for all elements before the next one: 404 with ' +
      '`details.id`, or `details.index` where the payment method or the budget does not exist; 412 with ' +
      '`details.id`; 409 if the cycle is completed; then an inactive payment method, an inactive budget, a ' +
      '`paid_at` that does not fit and a conversion that is not possible, with `details.index`. There is no ' +
      '`ETag`, and `If-Match` and `Idempotency-Key` are ignored: after a lost response read the list, or send the ' +
      'request again.',
    errors: [
      'CYCLE_NOT_FOUND',
      new ResourceNotFoundError('cycle_expense', { id: EXAMPLE_ID.expense }),
      'PRECONDITION_FAILED',
      'CYCLE_ALREADY_COMPLETED',
      'CURRENCY_CONVERSION_ERROR',
    ],
  })
  updateExpenses(
    @CurrentUser() user: AuthenticatedUser,
    @UuidParam('cycle_id', 'cycle') cycleId: string,
    @Body() dto: UpdateExpensesDto,
  ): Promise<UpdatedExpensesResponse> {
    return this.expenses.updateMany(user, cycleId, dto);
  }

  @Get(':expense_id')
  @ReadsRecord(ExpenseResponse, {
    summary: 'Get an expense',
    description:
      "A pending expense whose due date is in the past, in the user's time zone, is displayed as `overdue`.",
    errors: ['CYCLE_NOT_FOUND', 'RESOURCE_NOT_FOUND'],
  })
  getExpense(
    @CurrentUser() user: AuthenticatedUser,
    @UuidParam('cycle_id', 'cycle') cycleId: string,
    @UuidParam('expense_id', 'expense') entryId: string,
  ): Promise<ExpenseResponse> {
    return this.expenses.get(user, { cycleId, entryId });
  }

  @Put(':expense_id')
  @UpdatesRecord(ExpenseResponse, {
    summary: 'Update an expense',
    description:
      'A partial update: omitted fields keep their values, `null` clears `comments`, ' +
      '`autopay_info` and `budget_id`. `paid` and `status` are always consistent: `paid: true` sets the status ' +
      '`paid`, and `paid_at` to now unless given; `paid: false` sets `pending`; a `status` ' +
      'other than `paid` sets `paid` to false. Contradicting fields are rejected, as is ' +
      '`paid_at` for an unpaid expense. `amount_usd` is converted again when `amount`, ' +
      '`currency` or `due_date` changes. Expenses of a completed cycle cannot change.',
    errors: [
      'CYCLE_NOT_FOUND',
      'RESOURCE_NOT_FOUND',
      'CYCLE_ALREADY_COMPLETED',
      'CURRENCY_CONVERSION_ERROR',
    ],
  })
  updateExpense(
    @CurrentUser() user: AuthenticatedUser,
    @UuidParam('cycle_id', 'cycle') cycleId: string,
    @UuidParam('expense_id', 'expense') entryId: string,
    @Body() dto: UpdateExpenseDto,
    @IfMatch() precondition: Precondition,
  ): Promise<ExpenseResponse> {
    return this.expenses.update(user, { cycleId, entryId }, dto, precondition);
  }

  @Delete(':expense_id')
  @DeletesRecord({
    summary: 'Delete an expense',
    description:
      'A soft deletion: it remains visible only in the activity log, and the remaining ' +
      'balance of the cycle is updated. Expenses of a completed cycle cannot be deleted.',
    errors: ['CYCLE_NOT_FOUND', 'RESOURCE_NOT_FOUND', 'CYCLE_ALREADY_COMPLETED'],
  })
  deleteExpense(
    @CurrentUser() user: AuthenticatedUser,
    @UuidParam('cycle_id', 'cycle') cycleId: string,
    @UuidParam('expense_id', 'expense') entryId: string,
    @IfMatch() precondition: Precondition,
  ): Promise<void> {
    return this.expenses.remove(user, { cycleId, entryId }, precondition);
  }
}
