import { Body, Controller, Delete, Get, HttpCode, Post, Put, Query } from '@nestjs/common';
import {
  ApiBearerAuth,
  ApiCreatedResponse,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
} from '@nestjs/swagger';
import { Idempotent } from '../idempotency/idempotency.interceptor.js';
import { ApiErrors } from '../platform/errors/api-errors.decorator.js';
import { LimitReachedError } from '../platform/errors/domain-error.js';
import { JsonBody } from '../platform/http/body.interceptor.js';
import { HasEtag } from '../platform/http/etag.interceptor.js';
import { IfMatch } from '../platform/http/if-match.decorator.js';
import { HasOperationId } from '../platform/http/operation-id.interceptor.js';
import { Precondition } from '../platform/values/precondition.js';
import { UuidParam } from '../records/record-ids.js';
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
  @ApiOperation({
    summary: 'List budgets',
    description: 'Newest first; active and inactive ones unless filtered by `active`.',
  })
  @ApiOkResponse({ type: [BudgetResponse] })
  listBudgets(
    @CurrentUser() user: AuthenticatedUser,
    @Query() query: ListBudgetsQuery,
  ): Promise<BudgetResponse[]> {
    return this.budgets.list(user, query);
  }

  @Post()
  @Idempotent()
  @JsonBody()
  @HasEtag()
  @HasOperationId()
  @ApiOperation({
    summary: 'Create a budget',
    description:
      'The name is unique per user, including deleted budgets; on a conflict ' +
      '`details` has the `id` and `active` of the existing one.',
  })
  @ApiErrors('RESOURCE_CONFLICT', new LimitReachedError('budget', MAX_BUDGETS))
  @ApiCreatedResponse({ type: BudgetResponse })
  createBudget(
    @CurrentUser() user: AuthenticatedUser,
    @Body() dto: CreateBudgetDto,
  ): Promise<BudgetResponse> {
    return this.budgets.create(user, dto);
  }

  @Get(':id')
  @HasEtag()
  @ApiOperation({
    summary: 'Get a budget',
    description: 'Also a deleted one, which has `active` false.',
  })
  @ApiErrors('RESOURCE_NOT_FOUND')
  @ApiOkResponse({ type: BudgetResponse })
  getBudget(
    @CurrentUser() user: AuthenticatedUser,
    @UuidParam('id', 'budget') id: string,
  ): Promise<BudgetResponse> {
    return this.budgets.get(user, id);
  }

  @Put(':id')
  @JsonBody()
  @HasEtag()
  @HasOperationId()
  @ApiOperation({
    summary: 'Update a budget',
    description:
      'A partial update: omitted fields keep their values, `null` clears `limit`. A new limit is that of new cycles; ' +
      'update `budget_limits` of a cycle to change it there. ' +
      '`active: true` restores a deleted one, `active: false` deletes it.',
  })
  @ApiErrors('RESOURCE_NOT_FOUND', 'RESOURCE_CONFLICT')
  @ApiOkResponse({ type: BudgetResponse })
  updateBudget(
    @CurrentUser() user: AuthenticatedUser,
    @UuidParam('id', 'budget') id: string,
    @Body() dto: UpdateBudgetDto,
    @IfMatch() precondition: Precondition,
  ): Promise<BudgetResponse> {
    return this.budgets.update(user, id, dto, precondition);
  }

  @Delete(':id')
  @HttpCode(204)
  @HasOperationId()
  @ApiOperation({
    summary: 'Delete a budget',
    description:
      'A soft deletion: it cannot be chosen for templates and expenses, those that have it keep it, and ' +
      'new cycles have no limit of it. Deleting it again changes nothing.',
  })
  @ApiErrors('RESOURCE_NOT_FOUND')
  @ApiNoContentResponse()
  deleteBudget(
    @CurrentUser() user: AuthenticatedUser,
    @UuidParam('id', 'budget') id: string,
    @IfMatch() precondition: Precondition,
  ): Promise<void> {
    return this.budgets.remove(user, id, precondition);
  }
}
