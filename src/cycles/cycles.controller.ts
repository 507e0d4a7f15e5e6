import { Body, Controller, Delete, Get, Post, Put, Query } from '@nestjs/common';
import { ApiBearerAuth, ApiTags } from '@nestjs/swagger';
import { MAX_CYCLES } from '../ledger/entities/cycle.entity.js';
import { LimitReachedError, ResourceNotFoundError } from '../platform/errors/domain-error.js';
import { IfMatch } from '../platform/http/if-match.decorator.js';
import { HasPageLinks } from '../platform/http/page-links.js';
import { Precondition } from '../platform/values/precondition.js';
import { UuidParam } from '../records/record-ids.js';
import {
  Computes,
  CreatesRecord,
  DeletesRecord,
  Reads,
  ReadsRecord,
  UpdatesRecord,
} from '../route-decorators.js';
import type { AuthenticatedUser } from '../users/authenticated-user.js';
import { CurrentUser } from '../users/current-user.decorator.js';
import { CyclePlanningService } from './cycle-planning.service.js';
import { CyclesService } from './cycles.service.js';
import { CashFlowQuery, CashFlowResponse } from './dto/cash-flow.dto.js';
import {
  CreateCycleDto,
  CyclePageResponse,
  CycleResponse,
  ListCyclesQuery,
  UpdateCycleDto,
} from './dto/cycle.dto.js';
import { NextCycleResponse } from './dto/next-cycle.dto.js';
import { PreviewCycleDto, PreviewResponse } from './dto/preview.dto.js';
import { PreviewService } from './preview.service.js';

@ApiBearerAuth()
@Controller('cycles')
export class CyclesController {
  constructor(
    private readonly cycles: CyclesService,
    private readonly planning: CyclePlanningService,
    private readonly previews: PreviewService,
  ) {}

  @Get()
  @ApiTags('Cycles')
  @HasPageLinks()
  @Reads(CyclePageResponse, {
    summary: 'List cycles',
    description:
      'Paginated, latest start date first, each with its summary. A page past the end is ' +
      'empty.',
  })
  listCycles(
    @CurrentUser() user: AuthenticatedUser,
    @Query() query: ListCyclesQuery,
  ): Promise<CyclePageResponse> {
    return this.cycles.list(user, query);
  }

  @Post()
  @ApiTags('Cycles')
  @CreatesRecord(CycleResponse, {
    summary: 'Create a cycle and generate its expenses and incomes',
    description:
      'A new cycle is a `draft`. Unless `generate_from_templates` is false, its default with `side`, each occurrence ' +
      'of each active template between `start_date` and `end_date`, both included, becomes ' +
      'a pending expense or an income that is not yet received, converted to USD by the rate of its date. If one of ' +
      'them cannot be generated, no cycle is created. It has the limits of all active budgets. `end_date` is after ' +
      '`start_date` and at most 45 days later (operators can configure another maximum). The name is unique among ' +
      'the cycles that are not deleted.',
    errors: [
      'CYCLE_NAME_EXISTS',
      new LimitReachedError('cycle', MAX_CYCLES),
      'INVALID_CYCLE_DATES',
      'CYCLE_GENERATION_ERROR',
    ],
  })
  createCycle(
    @CurrentUser() user: AuthenticatedUser,
    @Body() dto: CreateCycleDto,
  ): Promise<CycleResponse> {
    return this.cycles.create(user, dto);
  }

  @Post('preview')
  @ApiTags('Planning')
  @Computes(PreviewResponse, {
    summary: 'Preview a cycle',
    description:
      'What `POST /cycles` with this body would create now: the cycle, its expenses and incomes and its cash flow. ' +
      'Nothing is stored. The `name` may be omitted. `opening_balance` is added to every balance of the cash flow, ' +
      'so that it decides about `negative_balance`. Each of `warnings` appears at most once: `name_taken`, ' +
      '`overlaps_cycle`, `gap_to_previous` (days without a cycle), `inactive_payment_method`, `future_rate` and ' +
      '`stale_rate` (converted by a rate after the date, or more than 35 days before it), `negative_balance`, ' +
      '`over_limit` (of budgets).',
    errors: ['INVALID_CYCLE_DATES', 'CYCLE_GENERATION_ERROR', 'CURRENCY_CONVERSION_ERROR'],
  })
  previewCycle(
    @CurrentUser() user: AuthenticatedUser,
    @Body() dto: PreviewCycleDto,
  ): Promise<PreviewResponse> {
    return this.previews.preview(user, dto);
  }

  @Get('next')
  @ApiTags('Planning')
  @Reads(NextCycleResponse, {
    summary: 'Propose the next cycle',
    description:
      'The cycle that follows the one with the latest end date (of several, the one created last), without those ' +
      'with `side`: it starts on the day after, and has a name that is not used and the same income, or 0.00 with ' +
      '`next_income_amount` `zero` of the user. After a calendar month it is the next month; after a month from ' +
      'another day, such as the 15th to the 14th, the next such month (28 days are one only if the cycle that ended ' +
      'on the day before is one, or there is none); after the first half of a month (1st to 15th) the second (16th ' +
      'to last day), and the reverse; else it has as many days. Without a cycle it starts today, has 42 days and no ' +
      'income. A month or half that would be longer than cycles may be has as many days as the cycle before. ' +
      'Without `follows`, the response is a valid body of `POST /cycles`.',
    errors: ['INVALID_CYCLE_DATES'],
  })
  proposeNextCycle(@CurrentUser() user: AuthenticatedUser): Promise<NextCycleResponse> {
    return this.planning.next(user);
  }

  @Get(':id')
  @ApiTags('Cycles')
  @ReadsRecord(CycleResponse, {
    summary: 'Get a cycle',
    description:
      'With its summary. `remaining_balance` is `income_amount` plus the USD amounts of the incomes, minus those of ' +
      'the expenses that are not cancelled.',
    errors: ['CYCLE_NOT_FOUND'],
  })
  getCycle(
    @CurrentUser() user: AuthenticatedUser,
    @UuidParam('id', 'cycle') id: string,
  ): Promise<CycleResponse> {
    return this.cycles.get(user, id);
  }

  @Put(':id')
  @ApiTags('Cycles')
  @UpdatesRecord(CycleResponse, {
    summary: 'Update a cycle',
    description:
      'A partial update: omitted fields keep their values. Every change of `status` is ' +
      'allowed, except that a completed cycle, its expenses and its incomes cannot change. Changing the ' +
      'dates neither generates nor removes expenses or incomes. `budget_limits` replaces all limits.',
    errors: [
      'CYCLE_NOT_FOUND',
      new ResourceNotFoundError('budget', { index: 0 }),
      'CYCLE_NAME_EXISTS',
      'CYCLE_ALREADY_COMPLETED',
      'INVALID_CYCLE_DATES',
    ],
  })
  updateCycle(
    @CurrentUser() user: AuthenticatedUser,
    @UuidParam('id', 'cycle') id: string,
    @Body() dto: UpdateCycleDto,
    @IfMatch() precondition: Precondition,
  ): Promise<CycleResponse> {
    return this.cycles.update(user, id, dto, precondition);
  }

  @Delete(':id')
  @ApiTags('Cycles')
  @DeletesRecord({
    summary: 'Delete a cycle with its expenses and incomes',
    description:
      'A soft deletion: they remain visible only in the activity log, and the name can be ' +
      'used again. A completed cycle cannot be deleted.',
    errors: ['CYCLE_NOT_FOUND', 'CYCLE_ALREADY_COMPLETED'],
  })
  deleteCycle(
    @CurrentUser() user: AuthenticatedUser,
    @UuidParam('id', 'cycle') id: string,
    @IfMatch() precondition: Precondition,
  ): Promise<void> {
    return this.cycles.remove(user, id, precondition);
  }

  @Get(':id/cash-flow')
  @ApiTags('Planning')
  @Reads(CashFlowResponse, {
    summary: 'Get the cash flow of a cycle',
    description:
      'The balance of each day of the cycle. `income_amount` is available on the first day; entries dated before ' +
      'the cycle count on its first day, entries dated after it on its last. Cancelled expenses do not count. ' +
      '`opening_balance` is added to every balance; without it the closing balance is the remaining balance of the ' +
      'cycle.',
    errors: ['CYCLE_NOT_FOUND'],
  })
  getCashFlow(
    @CurrentUser() user: AuthenticatedUser,
    @UuidParam('id', 'cycle') id: string,
    @Query() query: CashFlowQuery,
  ): Promise<CashFlowResponse> {
    return this.planning.cashFlow(user, id, query);
  }
}
