import { Body, Controller, Get, Post } from '@nestjs/common';
import { ApiBearerAuth, ApiBody, ApiTags } from '@nestjs/swagger';
import { Idempotent } from '../idempotency/idempotency.interceptor.js';
import { MAX_ENTRIES } from '../ledger/entities/cycle-entry.entity.js';
import { NoBody } from '../platform/dto/request-validation.pipe.js';
import { LimitReachedError } from '../platform/errors/domain-error.js';
import { UuidParam } from '../records/record-ids.js';
import { ChangesRecords, Reads } from '../route-decorators.js';
import type { AuthenticatedUser } from '../users/authenticated-user.js';
import { CurrentUser } from '../users/current-user.decorator.js';
import { CycleMaintenanceService } from './cycle-maintenance.service.js';
import { RepriceDto, RepriceResponse } from './dto/reprice.dto.js';
import { SyncResponse } from './dto/sync.dto.js';

@ApiTags('Planning')
@ApiBearerAuth()
@Controller('cycles/:id')
export class CycleMaintenanceController {
  constructor(private readonly maintenance: CycleMaintenanceService) {}

  @Get('sync')
  @Reads(SyncResponse, {
    summary: 'Compare a cycle with its templates',
    description:
      'What `POST /cycles/{id}/sync` would do now. Entries are compared with what generation would give today. ' +
      'Manual entries are not included.',
    errors: ['CYCLE_NOT_FOUND', 'CYCLE_ALREADY_COMPLETED', 'CYCLE_GENERATION_ERROR'],
  })
  compareCycleWithTemplates(
    @CurrentUser() user: AuthenticatedUser,
    @UuidParam('id', 'cycle') id: string,
  ): Promise<SyncResponse> {
    return this.maintenance.compare(user, id);
  }

  @Post('sync')
  @ChangesRecords(SyncResponse, {
    summary: 'Synchronize a cycle with its templates',
    description:
      'Adds the occurrences without an entry, in this cycle or another, changes the entries that differ from their ' +
      'occurrence, and removes those whose occurrence no longer exists. Entries that are paid, received, cancelled ' +
      'or edited do not change, and an occurrence whose entry a user deleted is not added again; `protected` has ' +
      'them, with the first reason that applies. An entry is edited if its description, currency, amount, payment ' +
      'method, date, category or `autopay_info` is not what was generated or last synchronized, or if a ' +
      'synchronization of it was undone; `comments` and the budget do not count. An entry without a budget gets ' +
      'that of its template, also if it was cleared by hand; another budget stays. Where a changed `weekend_rule` ' +
      'moves an occurrence to another cycle, synchronize the cycle that it leaves first. The response says what was ' +
      'done; repeating the request changes nothing.',
    errors: [
      'CYCLE_NOT_FOUND',
      'CYCLE_ALREADY_COMPLETED',
      new LimitReachedError('cycle_expense', MAX_ENTRIES),
      'CYCLE_GENERATION_ERROR',
    ],
    idempotency: Idempotent({ hasLongResponse: true }),
  })
  syncCycle(
    @CurrentUser() user: AuthenticatedUser,
    @UuidParam('id', 'cycle') id: string,
    @NoBody() _body: undefined,
  ): Promise<SyncResponse> {
    return this.maintenance.synchronize(user, id);
  }

  @Post('reprice')
  @ApiBody({ type: RepriceDto, required: false })
  @ChangesRecords(RepriceResponse, {
    summary: 'Convert the open entries of a cycle again',
    description:
      'Converts expenses that are neither paid nor cancelled, and incomes that are not received, by the exchange ' +
      'rates stored now. With `dry_run`, nothing is stored.',
    errors: ['CYCLE_NOT_FOUND', 'CYCLE_ALREADY_COMPLETED', 'CURRENCY_CONVERSION_ERROR'],
    idempotency: Idempotent({
      isDryRun: ({ body }) => (body as RepriceDto | undefined)?.dry_run === true,
      hasLongResponse: true,
    }),
  })
  repriceCycle(
    @CurrentUser() user: AuthenticatedUser,
    @UuidParam('id', 'cycle') id: string,
    @Body() dto: RepriceDto,
  ): Promise<RepriceResponse> {
    return this.maintenance.reprice(user, id, dto.dry_run ?? false);
  }
}
