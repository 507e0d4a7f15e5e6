import { Inject, Injectable } from '@nestjs/common';
import { Big } from 'big.js';
import { allInOrder } from '#postgres';
import { ExchangeRatesService } from '../exchange-rates/exchange-rates.service.js';
import { EntryGenerator, toConvert } from '../ledger/generation.js';
import type { PaymentMethodReference } from '../payment-methods/dto/payment-method.dto.js';
import { PaymentMethodsService } from '../payment-methods/payment-methods.service.js';
import { SETTINGS } from '../platform/config/config.module.js';
import type { Settings } from '../platform/config/settings.js';
import { Database, type Scope } from '../platform/database/database.js';
import {
  DomainError,
  ResourceNotFoundError,
  ValidationFailedError,
} from '../platform/errors/domain-error.js';
import type { FieldErrors } from '../platform/errors/field-reasons.js';
import { addDays, daysBetween, type CalendarDate } from '../platform/values/calendar-date.js';
import { formatMoney } from '../platform/values/money.js';
import type { AuthenticatedUser } from '../users/authenticated-user.js';
import {
  addedEntries,
  changedPlan,
  dateErrors,
  hasRates,
  namedMethods,
  type AddedEntry,
} from './changes.js';
import type { ChangeDto } from './dto/change.dto.js';
import type { ForecastQueryDto, WhatIfDto } from './dto/forecast-query.dto.js';
import type { ForecastResponse } from './dto/forecast.dto.js';
import type { WhatIfResponse } from './dto/what-if.dto.js';
import { forecast } from './forecast.js';
import { listCycles, listOpenEntries, sumOpenEntries } from './forecast.queries.js';
import {
  followingCycles,
  periodOf,
  toPlan,
  countedDue,
  type ForecastQuery,
  type StoredPlan,
} from './plan.js';

const DEFAULT_DAYS = 180;
const MAX_DAYS = 400;
const LAST_DATE = '2999-12-31';

/** Entries of the cycles that would follow and those that changes add, before filters. */
const MAX_NEW_ENTRIES = 5000;

/** What is left until each pay day, beyond the stored cycles. */
@Injectable()
export class ForecastService {
  constructor(
    private readonly database: Database,
    private readonly generator: EntryGenerator,
    private readonly exchangeRates: ExchangeRatesService,
    private readonly paymentMethods: PaymentMethodsService,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** @throws ValidationFailedError; DomainError CYCLE_GENERATION_ERROR */
  async forecast(user: AuthenticatedUser, dto: ForecastQueryDto): Promise<ForecastResponse> {
    const query = toQuery(user.today, dto); // 422
    const stored = await this.database.snapshot(user, (scope) =>
      this.read(scope, query, { added: [], countNew: newEntryCounter() }),
    );
    return forecast(await toPlan(stored, query), query); // 422: a template without a rate
  }

  /**
   * The forecast as it is, the one with changes, and their difference.
   *
   * @throws ValidationFailedError; ResourceNotFoundError with the index of the first change whose
   *   payment method is not the user's; DomainError CYCLE_GENERATION_ERROR
   */
  async compare(user: AuthenticatedUser, dto: WhatIfDto): Promise<WhatIfResponse> {
    const changes = dto.changes ?? [];
    const query = toQuery(user.today, dto, changes); // 422
    const [stored, added] = await this.database.snapshot(user, async (scope) => {
      const methods = await this.readMethods(scope, changes); // 404
      const countNew = newEntryCounter();
      const allAdded = addedEntries(changes, query, methods, countNew); // 422: too many
      const needsRows = hasRates(changes);
      return [await this.read(scope, query, { added: allAdded, needsRows, countNew }), allAdded];
    });
    const plan = await toPlan(stored, query); // 422: a template without a rate
    const base = await forecast(plan, query);
    const { today } = query;
    const { converter } = stored;
    const changed = await changedPlan(plan, added, changes, { today, converter }); // 422: no rate
    return withDifference(base, await forecast(changed, query));
  }

  /** @throws DomainError CYCLE_GENERATION_ERROR with the limit that is exceeded */
  private async read(
    scope: Scope,
    query: ForecastQuery,
    {
      added,
      needsRows = false,
      countNew,
    }: {
      added: readonly AddedEntry[];
      needsRows?: boolean;
      countNew: (count: number) => void;
    },
  ): Promise<StoredPlan> {
    const stored = await listCycles(scope);
    const following = followingCycles(stored, query, this.settings.cycleMaxDays);
    const due = await this.generator.plan(scope, following.cycles.map(periodOf), countNew);
    const generated = due.map((ofCycle) => countedDue(query, ofCycle));
    const [open, converter] = await allInOrder([
      needsRows || query.include.includes('entries')
        ? listOpenEntries(scope, query)
        : sumOpenEntries(scope, query),
      this.exchangeRates.usdConverter(scope, [...generated.flat().map(toConvert), ...added]),
    ]);
    return { stored, following, open, generated, converter };
  }

  private async readMethods(
    scope: Scope,
    changes: readonly ChangeDto[],
  ): Promise<ReadonlyMap<string, PaymentMethodReference>> {
    const named = namedMethods(changes);
    if (named.length === 0) return new Map();
    const ids = [...new Set(named.map(({ id }) => id))];
    const methods = await this.paymentMethods.listByIds(scope, ids);
    const byId = new Map(methods.map((method) => [method.id, method]));
    const missing = named.find(({ id }) => !byId.has(id));
    if (missing) throw new ResourceNotFoundError('payment_method', { index: missing.index });
    return byId;
  }
}

/** @throws ValidationFailedError for days that depend on today */
function toQuery(
  today: CalendarDate,
  dto: ForecastQueryDto | WhatIfDto,
  changes: readonly ChangeDto[] = [],
): ForecastQuery {
  const byDefault = addDays(today, DEFAULT_DAYS);
  const to = dto.to ?? (byDefault < LAST_DATE ? byDefault : LAST_DATE);
  const errors = lastDayErrors(today, to) ?? dateErrors(changes, { today, to });
  if (Object.keys(errors).length > 0) throw new ValidationFailedError(errors);
  return {
    today,
    to,
    currency: dto.currency ?? null,
    paymentMethodId: dto.payment_method_id ?? null,
    openingBalance: dto.opening_balance ?? null,
    minimumBalance: dto.minimum_balance ?? new Big(0),
    include: dto.include ?? [],
  };
}

/** Why the last day is refused; undefined if it is not. */
function lastDayErrors(today: CalendarDate, to: CalendarDate): FieldErrors | undefined {
  const days = daysBetween({ from: today, to });
  if (days < 0) return { to: [{ reason: 'out_of_order', message: 'to must not be before today' }] };
  if (days <= MAX_DAYS) return undefined;
  const message = `to must be at most ${MAX_DAYS} days after today`;
  return { to: [{ reason: 'too_far_apart', message }] };
}

/**
 * Counts generated and added entries.
 *
 * @returns a function that throws DomainError CYCLE_GENERATION_ERROR when there are too many
 */
function newEntryCounter(): (count: number) => void {
  let total = 0;
  return (count) => {
    total += count;
    if (total <= MAX_NEW_ENTRIES) return;
    throw new DomainError(
      'CYCLE_GENERATION_ERROR',
      `Templates and changes give more than ${MAX_NEW_ENTRIES} expenses and incomes in the forecast`,
      { limit: MAX_NEW_ENTRIES },
    );
  };
}

function withDifference(base: ForecastResponse, changed: ForecastResponse): WhatIfResponse {
  const difference = (of: (forecast: ForecastResponse) => string | undefined): string =>
    formatMoney(new Big(of(changed) ?? 0).minus(of(base) ?? 0));
  return {
    base,
    changed,
    difference: {
      closing_balance: difference(({ closing_balance }) => closing_balance),
      lowest_balance: difference(({ lowest }) => lowest.balance),
      free: difference(({ pay_windows: [first] }) => first?.free),
    },
  };
}
