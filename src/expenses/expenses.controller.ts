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
  @ApiOperation({ summary: 'List the expenses of a cycle by due date, with their totals' })
  @ApiOkResponse({ type: ExpenseListResponse })
  async list(
    @CurrentUser() user: AuthenticatedUser,
    @UuidParam('cycle_id') cycleId: string,
    @Query() query: ListExpensesQuery,
  ): Promise<ExpenseListResponse> {
    return toExpenseListResponse(await this.expenses.list(user, cycleId, query));
  }

  @Post()
  @ApiOperation({ summary: 'Add a manual expense' })
  @ApiErrors('CYCLE_ALREADY_COMPLETED', 'CURRENCY_CONVERSION_ERROR')
  @ApiCreatedResponse({ type: ExpenseResponse })
  async create(
    @CurrentUser() user: AuthenticatedUser,
    @UuidParam('cycle_id') cycleId: string,
    @Body() dto: CreateExpenseDto,
  ): Promise<ExpenseResponse> {
    return toExpenseResponse(await this.expenses.create(user, cycleId, dto));
  }

  @Get(':expense_id')
  @ApiOperation({ summary: 'Read an expense' })
  @ApiOkResponse({ type: ExpenseResponse })
  async get(
    @CurrentUser() user: AuthenticatedUser,
    @UuidParam('cycle_id') cycleId: string,
    @UuidParam('expense_id') expenseId: string,
  ): Promise<ExpenseResponse> {
    return toExpenseResponse(await this.expenses.get(user, { cycleId, expenseId }));
  }

  @Put(':expense_id')
  @ApiOperation({ summary: 'Change an expense, or mark it paid or unpaid' })
  @ApiErrors('CYCLE_ALREADY_COMPLETED', 'CURRENCY_CONVERSION_ERROR')
  @ApiOkResponse({ type: ExpenseResponse })
  async update(
    @CurrentUser() user: AuthenticatedUser,
    @UuidParam('cycle_id') cycleId: string,
    @UuidParam('expense_id') expenseId: string,
    @Body() dto: UpdateExpenseDto,
  ): Promise<ExpenseResponse> {
    return toExpenseResponse(await this.expenses.update(user, { cycleId, expenseId }, dto));
  }

  @Delete(':expense_id')
  @HttpCode(204)
  @ApiOperation({ summary: 'Delete an expense' })
  @ApiErrors('CYCLE_ALREADY_COMPLETED')
  @ApiNoContentResponse()
  async remove(
    @CurrentUser() user: AuthenticatedUser,
    @UuidParam('cycle_id') cycleId: string,
    @UuidParam('expense_id') expenseId: string,
  ): Promise<void> {
    await this.expenses.remove(user, { cycleId, expenseId });
  }
}
