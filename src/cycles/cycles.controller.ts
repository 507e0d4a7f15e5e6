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
import { JsonBody } from '../platform/http/body.interceptor.js';
import { HasEtag } from '../platform/http/etag.interceptor.js';
import { IfMatch } from '../platform/http/if-match.decorator.js';
import { UuidParam } from '../platform/http/uuid.pipe.js';
import { Precondition } from '../platform/values/precondition.js';
import { CurrentUser, type AuthenticatedUser } from '../users/current-user.decorator.js';
import { CyclesService } from './cycles.service.js';
import {
  CreateCycleDto,
  CyclePage,
  CycleResponse,
  ListCyclesQuery,
  UpdateCycleDto,
} from './dto/cycle.dto.js';

@ApiTags('Cycles')
@ApiBearerAuth()
@Controller('cycles')
export class CyclesController {
  constructor(private readonly cycles: CyclesService) {}

  @Get()
  @ApiOperation({
    summary: 'List cycles',
    description:
      'Paginated, latest start date first, each with its summary. A page past the end is ' +
      'empty.',
  })
  @ApiOkResponse({ type: CyclePage })
  listCycles(
    @CurrentUser() user: AuthenticatedUser,
    @Query() query: ListCyclesQuery,
  ): Promise<CyclePage> {
    return this.cycles.list(user, query);
  }

  @Post()
  @Idempotent()
  @JsonBody()
  @HasEtag()
  @ApiOperation({
    summary: 'Create a cycle and generate its expenses and incomes',
    description:
      'A new cycle is a `draft`. Unless `generate_from_templates` is false, each occurrence ' +
      'of each active template between `start_date` and `end_date`, both included, becomes ' +
      'a pending expense or an income that is not yet received, converted to USD by the rate of its date. If one of ' +
      'them cannot be generated, no cycle is created. `end_date` is after `start_date` and at most 45 ' +
      'days later (operators can configure another maximum). The name is unique among the ' +
      'cycles that are not deleted.',
  })
  @ApiErrors(
    'CYCLE_NAME_EXISTS',
    'RESOURCE_CONFLICT',
    'INVALID_CYCLE_DATES',
    'CYCLE_GENERATION_ERROR',
  )
  @ApiCreatedResponse({ type: CycleResponse })
  createCycle(
    @CurrentUser() user: AuthenticatedUser,
    @Body() dto: CreateCycleDto,
  ): Promise<CycleResponse> {
    return this.cycles.create(user, dto);
  }

  @Get(':id')
  @HasEtag()
  @ApiOperation({
    summary: 'Get a cycle',
    description:
      'With its summary. `remaining_balance` is `income_amount` plus the USD amounts of the incomes, minus those of ' +
      'the expenses that are not cancelled.',
  })
  @ApiErrors('CYCLE_NOT_FOUND')
  @ApiOkResponse({ type: CycleResponse })
  getCycle(
    @CurrentUser() user: AuthenticatedUser,
    @UuidParam('id', 'cycle') id: string,
  ): Promise<CycleResponse> {
    return this.cycles.get(user, id);
  }

  @Put(':id')
  @JsonBody()
  @HasEtag()
  @ApiOperation({
    summary: 'Update a cycle',
    description:
      'A partial update: omitted fields keep their values. Every change of `status` is ' +
      'allowed, except that a completed cycle, its expenses and its incomes cannot change. Changing the ' +
      'dates neither generates nor removes expenses or incomes.',
  })
  @ApiErrors(
    'CYCLE_NOT_FOUND',
    'CYCLE_NAME_EXISTS',
    'CYCLE_ALREADY_COMPLETED',
    'INVALID_CYCLE_DATES',
  )
  @ApiOkResponse({ type: CycleResponse })
  updateCycle(
    @CurrentUser() user: AuthenticatedUser,
    @UuidParam('id', 'cycle') id: string,
    @Body() dto: UpdateCycleDto,
    @IfMatch() precondition: Precondition,
  ): Promise<CycleResponse> {
    return this.cycles.update(user, id, dto, precondition);
  }

  @Delete(':id')
  @HttpCode(204)
  @ApiOperation({
    summary: 'Delete a cycle with its expenses and incomes',
    description:
      'A soft deletion: they remain visible only in the activity log, and the name can be ' +
      'used again. A completed cycle cannot be deleted.',
  })
  @ApiErrors('CYCLE_NOT_FOUND', 'CYCLE_ALREADY_COMPLETED')
  @ApiNoContentResponse()
  deleteCycle(
    @CurrentUser() user: AuthenticatedUser,
    @UuidParam('id', 'cycle') id: string,
    @IfMatch() precondition: Precondition,
  ): Promise<void> {
    return this.cycles.remove(user, id, precondition);
  }
}
