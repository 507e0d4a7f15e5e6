import { Body, Controller, Delete, Get, Post, Put, Query } from '@nestjs/common';
import { ApiBearerAuth, ApiTags } from '@nestjs/swagger';
import { LimitReachedError } from '../platform/errors/domain-error.js';
import { IfMatch } from '../platform/http/if-match.decorator.js';
import { Precondition } from '../platform/values/precondition.js';
import { UuidParam } from '../records/record-ids.js';
import {
  CreatesRecord,
  DeletesRecord,
  Reads,
  ReadsRecord,
  UpdatesRecord,
} from '../route-decorators.js';
import type { AuthenticatedUser } from '../users/authenticated-user.js';
import { CurrentUser } from '../users/current-user.decorator.js';
import { MAX_BUDGETS } from './budget.entity.js';
import { BudgetsService } from './budgets.service.js';
import {
  BudgetResponse,
  CreateBudgetDto,
  ListBudgetsQuery,
  UpdateBudgetDto,
} from './dto/budget.dto.js';

@ApiTags('Budgets')
@ApiBearerAuth()
@Controller('budgets')
export class BudgetsController {
  constructor(private readonly budgets: BudgetsService) {}

  @Get()
  @Reads([BudgetResponse], {
    summary: 'List budgets',
    description: 'Newest first; active and inactive ones unless filtered by `active`.',
  })
  listBudgets(
    @CurrentUser() user: AuthenticatedUser,
    @Query() query: ListBudgetsQuery,
  ): Promise<BudgetResponse[]> {
    return this.budgets.list(user, query);
  }

  @Post()
  @CreatesRecord(BudgetResponse, {
    summary: 'Create a budget',
    description:
      'The name is unique per user, including deleted budgets; on a conflict ' +
      '`details` has the `id` and `active` of the existing one.',
    errors: ['RESOURCE_CONFLICT', new LimitReachedError('budget', MAX_BUDGETS)],
  })
  createBudget(
    @CurrentUser() user: AuthenticatedUser,
    @Body() dto: CreateBudgetDto,
  ): Promise<BudgetResponse> {
    return this.budgets.create(user, dto);
  }

  @Get(':id')
  @ReadsRecord(BudgetResponse, {
    summary: 'Get a budget',
    description: 'Also a deleted one, which has `active` false.',
    errors: ['RESOURCE_NOT_FOUND'],
  })
  getBudget(
    @CurrentUser() user: AuthenticatedUser,
    @UuidParam('id', 'budget') id: string,
  ): Promise<BudgetResponse> {
    return this.budgets.get(user, id);
  }

  @Put(':id')
  @UpdatesRecord(BudgetResponse, {
    summary: 'Update a budget',
    description:
      'A partial update: omitted fields keep their values, `null` clears `limit`. A new limit is that of new cycles; ' +
      'update `budget_limits` of a cycle to change it there. ' +
      '`active: true` restores a deleted one, `active: false` deletes it.',
    errors: ['RESOURCE_NOT_FOUND', 'RESOURCE_CONFLICT'],
  })
  updateBudget(
    @CurrentUser() user: AuthenticatedUser,
    @UuidParam('id', 'budget') id: string,
    @Body() dto: UpdateBudgetDto,
    @IfMatch() precondition: Precondition,
  ): Promise<BudgetResponse> {
    return this.budgets.update(user, id, dto, precondition);
  }

  @Delete(':id')
  @DeletesRecord({
    summary: 'Delete a budget',
    description:
      'A soft deletion: it cannot be chosen for templates and expenses, those that have it keep it, and ' +
      'new cycles have no limit of it. Deleting it again changes nothing.',
    errors: ['RESOURCE_NOT_FOUND'],
  })
  deleteBudget(
    @CurrentUser() user: AuthenticatedUser,
    @UuidParam('id', 'budget') id: string,
    @IfMatch() precondition: Precondition,
  ): Promise<void> {
    return this.budgets.remove(user, id, precondition);
  }
}
