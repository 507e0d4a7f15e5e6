import { Body, Controller, Delete, Get, HttpCode, Post, Put, Query } from '@nestjs/common';
import {
  ApiBearerAuth,
  ApiCreatedResponse,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
} from '@nestjs/swagger';
import { UuidParam } from '../common/http/uuid.pipe.js';
import { ApiErrors } from '../common/errors/api-errors.decorator.js';
import { CurrentUser, type AuthenticatedUser } from '../users/current-user.decorator.js';
import {
  CreateExpenseDto,
  ExpenseListResponse,
  ExpenseResponse,
  ListExpensesQuery,
  toExpenseListResponse,
  toExpenseResponse,
  UpdateExpenseDto,
} from './dto/expense.dto.js';
import { ExpensesService } from './expenses.service.js';

@ApiTags('Cycle expenses')
@ApiBearerAuth()
@Controller('cycles/:cycle_id/expenses')
export class ExpensesController {
  constructor(private readonly expenses: ExpensesService) {}

  @Get()
  @ApiOperation({
    summary: 'List the expenses of a cycle by due date, with their totals',
    description:
      'The summary is over the expenses listed: its amounts leave out cancelled ones, ' +
      '`total_count` counts them. In an `active` cycle a pending expense whose due date is ' +
      'past (UTC) is shown, filtered and counted as `overdue`.',
  })
  @ApiErrors('CYCLE_NOT_FOUND')
  @ApiOkResponse({ type: ExpenseListResponse })
  async list(
    @CurrentUser() user: AuthenticatedUser,
    @UuidParam('cycle_id', 'cycle') cycleId: string,
    @Query() query: ListExpensesQuery,
  ): Promise<ExpenseListResponse> {
    return toExpenseListResponse(await this.expenses.list(user, cycleId, query));
  }

  @Post()
  @ApiOperation({
    summary: 'Add a manual expense',
    description:
      'It is `pending` and has no template. `amount_usd` is converted by the rate of the ' +
      'due date. The due date may lie outside the cycle; the payment method must be active.',
  })
  @ApiErrors(
    'CYCLE_NOT_FOUND',
    'RESOURCE_NOT_FOUND',
    'CYCLE_ALREADY_COMPLETED',
    'CURRENCY_CONVERSION_ERROR',
  )
  @ApiCreatedResponse({ type: ExpenseResponse })
  async create(
    @CurrentUser() user: AuthenticatedUser,
    @UuidParam('cycle_id', 'cycle') cycleId: string,
    @Body() dto: CreateExpenseDto,
  ): Promise<ExpenseResponse> {
    return toExpenseResponse(await this.expenses.create(user, cycleId, dto));
  }

  @Get(':expense_id')
  @ApiOperation({
    summary: 'Read an expense',
    description:
      'In an `active` cycle a pending expense whose due date is past (UTC) is shown as ' +
      '`overdue`.',
  })
  @ApiErrors('CYCLE_NOT_FOUND', 'RESOURCE_NOT_FOUND')
  @ApiOkResponse({ type: ExpenseResponse })
  async get(
    @CurrentUser() user: AuthenticatedUser,
    @UuidParam('cycle_id', 'cycle') cycleId: string,
    @UuidParam('expense_id', 'expense') expenseId: string,
  ): Promise<ExpenseResponse> {
    return toExpenseResponse(await this.expenses.get(user, { cycleId, expenseId }));
  }

  @Put(':expense_id')
  @ApiOperation({
    summary: 'Change an expense, or mark it paid or unpaid',
    description:
      'A partial update: what is left out stays, `null` clears `comments` and ' +
      '`autopay_info`. `paid` and `status` always agree: `paid: true` gives `paid`, with ' +
      '`paid_at` now unless it is given; `paid: false` gives `pending`; a `status` other ' +
      'than `paid` makes `paid` false. Fields that contradict each other are refused, as is ' +
      '`paid_at` for what is not paid. `amount_usd` is converted anew when `amount`, ' +
      '`currency` or `due_date` changes. Not in a completed cycle.',
  })
  @ApiErrors(
    'CYCLE_NOT_FOUND',
    'RESOURCE_NOT_FOUND',
    'CYCLE_ALREADY_COMPLETED',
    'CURRENCY_CONVERSION_ERROR',
  )
  @ApiOkResponse({ type: ExpenseResponse })
  async update(
    @CurrentUser() user: AuthenticatedUser,
    @UuidParam('cycle_id', 'cycle') cycleId: string,
    @UuidParam('expense_id', 'expense') expenseId: string,
    @Body() dto: UpdateExpenseDto,
  ): Promise<ExpenseResponse> {
    return toExpenseResponse(await this.expenses.update(user, { cycleId, expenseId }, dto));
  }

  @Delete(':expense_id')
  @HttpCode(204)
  @ApiOperation({
    summary: 'Delete an expense',
    description:
      'It is gone from every endpoint except the activity, and the balance of the cycle ' +
      'follows. Not in a completed cycle.',
  })
  @ApiErrors('CYCLE_NOT_FOUND', 'RESOURCE_NOT_FOUND', 'CYCLE_ALREADY_COMPLETED')
  @ApiNoContentResponse()
  async remove(
    @CurrentUser() user: AuthenticatedUser,
    @UuidParam('cycle_id', 'cycle') cycleId: string,
    @UuidParam('expense_id', 'expense') expenseId: string,
  ): Promise<void> {
    await this.expenses.remove(user, { cycleId, expenseId });
  }
}
