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
import { CyclesService } from './cycles.service.js';
import {
  CreateCycleDto,
  CyclePage,
  CycleResponse,
  ListCyclesQuery,
  toCyclePage,
  toCycleResponse,
  UpdateCycleDto,
} from './dto/cycle.dto.js';

@ApiTags('Cycles')
@ApiBearerAuth()
@Controller('cycles')
export class CyclesController {
  constructor(private readonly cycles: CyclesService) {}

  @Get()
  @ApiOperation({
    summary: 'List cycles a page at a time, latest start first',
    description:
      'Each with its summary. A page past the end is empty; `pages` is 0 when there is ' +
      'nothing.',
  })
  @ApiOkResponse({ type: CyclePage })
  async list(
    @CurrentUser() user: AuthenticatedUser,
    @Query() query: ListCyclesQuery,
  ): Promise<CyclePage> {
    return toCyclePage(query, await this.cycles.list(user, query));
  }

  @Post()
  @ApiOperation({
    summary: 'Create a cycle and generate its expenses',
    description:
      'A new cycle is a `draft`. Unless `generate_from_templates` is false, each occurrence ' +
      'of each active template between `start_date` and `end_date`, both included, becomes ' +
      'a pending expense, converted to USD by the rate of its due date. All or nothing: a ' +
      'template that cannot be generated leaves no cycle behind. The end is after the start ' +
      'and at most 45 days later (the operator may have set another maximum). The name is ' +
      'unique among the cycles that are not deleted.',
  })
  @ApiErrors('CYCLE_NAME_EXISTS', 'INVALID_CYCLE_DATES', 'CYCLE_GENERATION_ERROR')
  @ApiCreatedResponse({ type: CycleResponse })
  async create(
    @CurrentUser() user: AuthenticatedUser,
    @Body() dto: CreateCycleDto,
  ): Promise<CycleResponse> {
    return toCycleResponse(await this.cycles.create(user, dto));
  }

  @Get(':id')
  @ApiOperation({
    summary: 'Read a cycle',
    description:
      'With its summary. `remaining_balance` is the income less the USD amounts of the ' +
      'expenses that are not cancelled.',
  })
  @ApiErrors('CYCLE_NOT_FOUND')
  @ApiOkResponse({ type: CycleResponse })
  async get(
    @CurrentUser() user: AuthenticatedUser,
    @UuidParam('id', 'cycle') id: string,
  ): Promise<CycleResponse> {
    return toCycleResponse(await this.cycles.get(user, id));
  }

  @Put(':id')
  @ApiOperation({
    summary: 'Change a cycle that is not completed',
    description:
      'A partial update: what is left out stays. Any `status` may follow any other, except ' +
      'that `completed` is final: from then on nothing in the cycle changes. Moving the ' +
      'dates neither generates nor removes expenses.',
  })
  @ApiErrors(
    'CYCLE_NOT_FOUND',
    'CYCLE_NAME_EXISTS',
    'CYCLE_ALREADY_COMPLETED',
    'INVALID_CYCLE_DATES',
  )
  @ApiOkResponse({ type: CycleResponse })
  async update(
    @CurrentUser() user: AuthenticatedUser,
    @UuidParam('id', 'cycle') id: string,
    @Body() dto: UpdateCycleDto,
  ): Promise<CycleResponse> {
    return toCycleResponse(await this.cycles.update(user, id, dto));
  }

  @Delete(':id')
  @HttpCode(204)
  @ApiOperation({
    summary: 'Delete a cycle and all its expenses',
    description:
      'Unless it is completed. Both are gone from every endpoint except the activity, and ' +
      'the name is free again.',
  })
  @ApiErrors('CYCLE_NOT_FOUND', 'CYCLE_ALREADY_COMPLETED')
  @ApiNoContentResponse()
  async remove(
    @CurrentUser() user: AuthenticatedUser,
    @UuidParam('id', 'cycle') id: string,
  ): Promise<void> {
    await this.cycles.remove(user, id);
  }
}
