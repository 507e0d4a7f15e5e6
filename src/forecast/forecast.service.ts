import { Inject, Injectable } from '@nestjs/common';
import { Big } from 'big.js';
import { allInOrder } from '#postgres';
import { BudgetsService } from '../budgets/budgets.service.js';
import { ExchangeRatesService } from '../exchange-rates/exchange-rates.service.js';
import { EntryGenerator, toConvert } from '../ledger/generation/entry-generator.js';
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
import {
  listCycles,
  listLeft,
  listOpenEntries,
  listOpenPesos,
  sumOpenEntries,
} from './forecast.queries.js';
import {
  followingCycles,
  periodOf,
  toPlan,
  countedDue,
  type ForecastQuery,
  type Plan,
  type PlannedEntry,
  type StoredPlan,
} from './plan.js';
import { budgetedDue, plannedBudgets, setAside } from './set-aside.js';

const DEFAULT_DAYS = 180;
const MAX_DAYS = 400;
const LAST_DATE = '2999-12-31';

/** Entries of the cycles that would follow, those that changes add, before filters, and of budgets. */
const MAX_NEW_ENTRIES = 5000;

/** What is left until each pay day, beyond the stored cycles. */
@Injectable()
export class ForecastService {
  constructor(
    private readonly database: Database,
    private readonly generator: EntryGenerator,
    private readonly exchangeRates: ExchangeRatesService,
    private readonly paymentMethods: PaymentMethodsService,
    private readonly budgets: BudgetsService,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** @throws ValidationFailedError; DomainError CYCLE_GENERATION_ERROR */
  async forecast(user: AuthenticatedUser, dto: ForecastQueryDto): Promise<ForecastResponse> {
    const query = toQuery(user.today, dto); // 422
    const countNew = newEntryCounter();
    const stored = await this.database.snapshot(user, (scope) =>
      this.read(scope, query, { added: [], countNew }),
    );
    const plan = await planOf(stored, query); // 422: a template without a rate
    const aside = setAside(plan.budgets, query);
    countNew(aside.length); // 422: too many
    return forecast(withEntries(plan, aside), query);
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
    const countNew = newEntryCounter();
    const [stored, added] = await this.database.snapshot(user, async (scope) => {
      const methods = await this.readMethods(scope, changes); // 404
      const allAdded = addedEntries(changes, query, methods, countNew); // 422: too many
      const needsRows = hasRates(changes);
      return [await this.read(scope, query, { added: allAdded, needsRows, countNew }), allAdded];
    });
    const plan = await planOf(stored, query); // 422: a template without a rate
    const aside = setAside(plan.budgets, query);
    countNew(aside.length); // 422: too many
    const base = await forecast(withEntries(plan, aside), query);
    const { today } = query;
    const { converter } = stored;
    const changed = await changedPlan(plan, added, changes, { today, converter }); // 422: no rate
    const changedAside = setAside(changed.budgets, query);
    countNew(Math.max(0, changedAside.length - aside.length)); // 422: too many
    return withDifference(base, await forecast(withEntries(changed, changedAside), query));
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
    const [stored, limited] = await allInOrder([
      listCycles(scope),
      query.setsBudgetsAside ? this.budgets.listLimited(scope) : [],
    ]);
    const following = followingCycles(stored, query, this.settings.cycleMaxDays);
    const periods = following.cycles.map(periodOf);
    const due = await this.generator.planMissing(scope, periods, countNew);
    const generated = due.map((ofCycle) => countedDue(query, ofCycle));
    const budgeted = budgetedDue({ limited, due }, following.cycles, query);
    const converted = [...generated.flat(), ...budgeted];
    const [left, pesos, open, converter] = await allInOrder([
      query.setsBudgetsAside
        ? listLeft(scope, query, { withExhausted: needsRows, max: MAX_NEW_ENTRIES + 1 })
        : [],
      query.setsBudgetsAside && needsRows ? listOpenPesos(scope, query) : [],
      needsRows || query.include.includes('entries')
        ? listOpenEntries(scope, query)
        : sumOpenEntries(scope, query),
      this.exchangeRates.usdConverter(scope, [...converted.map(toConvert), ...added]),
    ]);
    if (left.length > MAX_NEW_ENTRIES) countNew(left.length);
    const budgets = { left, pesos, limited, due };
    return { stored, following, open, generated, budgets, converter };
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
    // It would not count, as it is in USD and has no payment method.
    setsBudgetsAside:
      dto.set_aside === 'budgets' &&
      dto.currency !== 'MXN' &&
      (dto.payment_method_id ?? null) === null,
  };
}

async function planOf(stored: StoredPlan, query: ForecastQuery): Promise<Plan> {
  const plan = await toPlan(stored, query);
  return { ...plan, budgets: await plannedBudgets(stored, plan.cycles, query) };
}

const withEntries = (plan: Plan, entries: readonly PlannedEntry[]): Plan => ({
  ...plan,
  entries: [...plan.entries, ...entries],
});

/** Why the last day is refused; undefined if it is not. */
function lastDayErrors(today: CalendarDate, to: CalendarDate): FieldErrors | undefined {
  const days = daysBetween({ from: today, to });
  if (days < 0) return { to: [{ reason: 'out_of_order', message: 'to must not be before today' }] };
  if (days <= MAX_DAYS) return undefined;
  const message = `to must be at most ${MAX_DAYS} days after today`;
  return { to: [{ reason: 'too_far_apart', message }] };
}

/**
 * Counts generated and added entries, and those of what is left of budgets.
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
      `Templates, changes and budgets give more than ${MAX_NEW_ENTRIES} entries in the forecast`,
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
