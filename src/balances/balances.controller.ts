import { Body, Controller, Delete, Get, Inject, Post, Query, Req, Res } from '@nestjs/common';
import { ApiBearerAuth, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Idempotent } from '../idempotency/idempotency.interceptor.js';
import { SETTINGS } from '../platform/config/config.module.js';
import type { Settings } from '../platform/config/settings.js';
import { LimitReachedError, ResourceNotFoundError } from '../platform/errors/domain-error.js';
import { IfMatch } from '../platform/http/if-match.decorator.js';
import { NEXT_PAGE_HEADER, setNextPageLink } from '../platform/http/page-links.js';
import { Precondition } from '../platform/values/precondition.js';
import { UuidParam } from '../records/record-ids.js';
import { CreatesRecords, DeletesRecord, Reads, ReadsRecord } from '../route-decorators.js';
import type { AuthenticatedUser } from '../users/authenticated-user.js';
import { CurrentUser } from '../users/current-user.decorator.js';
import { MAX_BALANCES } from './balance.entity.js';
import { BalancesService } from './balances.service.js';
import {
  BalanceResponse,
  CreateBalancesDto,
  CreatedBalancesResponse,
  ListBalancesQuery,
} from './dto/balance.dto.js';
import { CurrentBalancesResponse } from './dto/current-balances.dto.js';
import { HoldingsService } from './holdings.service.js';

@ApiTags('Balances')
@ApiBearerAuth()
@Controller('balances')
export class BalancesController {
  constructor(
    private readonly balances: BalancesService,
    private readonly holdings: HoldingsService,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  @Get()
  @Reads([BalanceResponse], {
    summary: 'List balances',
    description:
      'The latest `stated_at` first, of equal ones the one that was created later; without deleted ones. The ' +
      '`Link` header has the URL of the next page, if there is one.',
    headers: NEXT_PAGE_HEADER,
  })
  async listBalances(
    @CurrentUser() user: AuthenticatedUser,
    @Query() query: ListBalancesQuery,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<BalanceResponse[]> {
    const { items, hasMore } = await this.balances.list(user, query);
    if (hasMore) {
      const next = { before: items.at(-1)?.id ?? '' };
      setNextPageLink(request, response, next, this.settings);
    }
    return items;
  }

  @Post()
  @CreatesRecords(CreatedBalancesResponse, {
    summary: 'State balances',
    description:
      'How much there is, or was, in 1 to 50 payment methods, all or none. A balance is in the `default_currency` that its ' +
      'payment method has then. It changes no entry and no total; `expected` says what there should have been, and is ' +
      'not computed again. A balance cannot be changed: state another one. The activity has a record of each, and ' +
      'one undo of the operation takes all of them back.',
    errors: [
      new ResourceNotFoundError('payment_method', { index: 0 }),
      new LimitReachedError('balance', MAX_BALANCES),
      'CURRENCY_CONVERSION_ERROR',
    ],
    idempotency: Idempotent({ hasLongResponse: true }),
  })
  createBalances(
    @CurrentUser() user: AuthenticatedUser,
    @Body() dto: CreateBalancesDto,
  ): Promise<CreatedBalancesResponse> {
    return this.balances.create(user, dto);
  }

  @Get('current')
  @Reads(CurrentBalancesResponse, {
    summary: 'Get what there is now',
    description:
      'What there is in each active payment method that has a balance: its latest balance, plus what was received ' +
      'and minus what was paid with it after that instant, by `received_at` and `paid_at`, in all cycles. The main ' +
      'one is the oldest `debit` one, else `transfer`, `cash`, `credit`: with it counts also what has no payment ' +
      'method, and what was settled with payment methods that never had a balance. It receives the `income_amount` ' +
      'of each cycle that began after the day of its balance and before today. USD counts in pesos, and pesos in ' +
      'USD, by the rate in force on its own date.',
    errors: ['CURRENCY_CONVERSION_ERROR'],
  })
  getCurrentBalances(@CurrentUser() user: AuthenticatedUser): Promise<CurrentBalancesResponse> {
    return this.holdings.current(user);
  }

  @Get(':id')
  @ReadsRecord(BalanceResponse, {
    summary: 'Get a balance',
    description: 'One that is not deleted.',
    errors: ['RESOURCE_NOT_FOUND'],
  })
  getBalance(
    @CurrentUser() user: AuthenticatedUser,
    @UuidParam('id', 'balance') id: string,
  ): Promise<BalanceResponse> {
    return this.balances.get(user, id);
  }

  @Delete(':id')
  @DeletesRecord({
    summary: 'Delete a balance',
    description: 'A soft deletion: no endpoint shows it any more; the undo of its record does.',
    errors: ['RESOURCE_NOT_FOUND'],
  })
  deleteBalance(
    @CurrentUser() user: AuthenticatedUser,
    @UuidParam('id', 'balance') id: string,
    @IfMatch() precondition: Precondition,
  ): Promise<void> {
    return this.balances.remove(user, id, precondition);
  }
}
