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
  @ApiOperation({ summary: 'List cycles a page at a time, latest start first' })
  @ApiOkResponse({ type: CyclePage })
  async list(
    @CurrentUser() user: AuthenticatedUser,
    @Query() query: ListCyclesQuery,
  ): Promise<CyclePage> {
    return toCyclePage(query, await this.cycles.list(user, query));
  }

  @Post()
  @ApiOperation({ summary: 'Create a cycle and generate its expenses' })
  @ApiErrors('CYCLE_NAME_EXISTS', 'INVALID_CYCLE_DATES', 'CYCLE_GENERATION_ERROR')
  @ApiCreatedResponse({ type: CycleResponse })
  async create(
    @CurrentUser() user: AuthenticatedUser,
    @Body() dto: CreateCycleDto,
  ): Promise<CycleResponse> {
    return toCycleResponse(await this.cycles.create(user, dto));
  }

  @Get(':id')
  @ApiOperation({ summary: 'Read a cycle' })
  @ApiOkResponse({ type: CycleResponse })
  async get(
    @CurrentUser() user: AuthenticatedUser,
    @UuidParam('id') id: string,
  ): Promise<CycleResponse> {
    return toCycleResponse(await this.cycles.get(user, id));
  }

  @Put(':id')
  @ApiOperation({ summary: 'Change a cycle that is not completed' })
  @ApiErrors('CYCLE_NAME_EXISTS', 'CYCLE_ALREADY_COMPLETED', 'INVALID_CYCLE_DATES')
  @ApiOkResponse({ type: CycleResponse })
  async update(
    @CurrentUser() user: AuthenticatedUser,
    @UuidParam('id') id: string,
    @Body() dto: UpdateCycleDto,
  ): Promise<CycleResponse> {
    return toCycleResponse(await this.cycles.update(user, id, dto));
  }

  @Delete(':id')
  @HttpCode(204)
  @ApiOperation({ summary: 'Delete a cycle and all its expenses' })
  @ApiErrors('CYCLE_ALREADY_COMPLETED')
  @ApiNoContentResponse()
  async remove(@CurrentUser() user: AuthenticatedUser, @UuidParam('id') id: string): Promise<void> {
    await this.cycles.remove(user, id);
  }
}
