import { Inject, Injectable } from '@nestjs/common';
import { sendTogether } from '#postgres';
import { datesOfPesos, pesosToConvert } from '../balances/holdings.js';
import { HoldingsService } from '../balances/holdings.service.js';
import { BudgetsService } from '../budgets/budgets.service.js';
import { daysOfStatements } from '../cards/card.js';
import { CardsService, statementsOfAll } from '../cards/cards.service.js';
import { paymentsOf } from '../cards/statements.js';
import { ExchangeRatesService } from '../exchange-rates/exchange-rates.service.js';
import { followingCycles } from '../ledger/following-cycles.js';
import { EntryGenerator, toConvert } from '../ledger/generation/entry-generator.js';
import type { UsedPaymentMethod } from '../payment-methods/payment-method.entity.js';
import { PaymentMethodsService } from '../payment-methods/payment-methods.service.js';
import { SETTINGS } from '../platform/config/config.module.js';
import type { Settings } from '../platform/config/settings.js';
import { Database, type Scope } from '../platform/database/database.js';
import { ResourceNotFoundError } from '../platform/errors/domain-error.js';
import type { AuthenticatedUser } from '../users/authenticated-user.js';
import { countingCards, datesOfPurchasesInUsd, roleOf } from './card-statements.js';
import {
  assertDates,
  changedPlan,
  namedMethods,
  NO_CHANGES,
  toPlanChanges,
  type PlanChanges,
} from './changes.js';
import { listOpenInCompleted } from './completed-cycles.queries.js';
import type { ChangeDto } from './dto/change.dto.js';
import type { ForecastQueryDto, WhatIfDto } from './dto/forecast-query.dto.js';
import { toForecastResponse, type ForecastResponse } from './dto/forecast.dto.js';
import { toWhatIfResponse, type WhatIfResponse } from './dto/what-if.dto.js';
import { forecast } from './forecast.js';
import { listCycles, listOpenEntries, sumOpenEntries } from './forecast.queries.js';
import { occurrencesInForecast, statedIn, toNewEntry, toPlan, type StoredPlan } from './plan.js';
import { periodOf, type PlannedCycle } from './planned-cycle.js';
import { assertNewEntries, MAX_NEW_ENTRIES } from './planned-entry.js';
import { toQuery, type ForecastQuery } from './query.js';
import { budgetedOccurrences, datesOfBudgetsInPesos } from './set-aside.js';
import { listLeft, listOpenPesos } from './set-aside.queries.js';

/** What is left until each pay day, beyond the stored cycles. */
@Injectable()
export class ForecastService {
  constructor(
    private readonly database: Database,
    private readonly generator: EntryGenerator,
    private readonly exchangeRates: ExchangeRatesService,
    private readonly paymentMethods: PaymentMethodsService,
    private readonly budgets: BudgetsService,
    private readonly holdings: HoldingsService,
    private readonly cards: CardsService,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** @throws ValidationFailedError; DomainError CYCLE_GENERATION_ERROR */
  async forecast(user: AuthenticatedUser, dto: ForecastQueryDto): Promise<ForecastResponse> {
    const query = toQuery(user, dto); // 422
    const stored = await this.database.snapshot(user, (scope) => this.readPlan(scope, user, query));
    const plan = await toPlan(stored, query); // 422: a template without a rate
    return toForecastResponse(await forecast(plan, query));
  }

  /**
   * The forecast as it is, the one with changes, and their difference.
   *
   * @throws ValidationFailedError; ResourceNotFoundError with the index of the first change whose
   *   payment method is not the user's; DomainError CYCLE_GENERATION_ERROR
   */
  async compare(user: AuthenticatedUser, dto: WhatIfDto): Promise<WhatIfResponse> {
    const query = toQuery(user, dto); // 422
    const requested = dto.changes ?? [];
    assertDates(requested, query); // 422
    const { changes, stored } = await this.database.snapshot(user, async (scope) => {
      const methods = await this.readMethods(scope, requested); // 404
      const changes = toPlanChanges(requested, query, methods); // 422: too many
      return { changes, stored: await this.readPlan(scope, user, query, changes) };
    });
    const plan = await toPlan(stored, query); // 422: a template without a rate
    const base = await forecast(plan, query); // 422: too many
    const changed = await changedPlan(plan, changes, query, stored.converter); // 422: no rate
    return toWhatIfResponse(base, await forecast(changed, query));
  }

  private async readMethods(
    scope: Scope,
    changes: readonly ChangeDto[],
  ): Promise<ReadonlyMap<string, UsedPaymentMethod>> {
    const named = namedMethods(changes);
    if (named.length === 0) return new Map();
    const ids = [...new Set(named.map(({ id }) => id))];
    const methods = await this.paymentMethods.listByIds(scope, ids);
    const byId = new Map(
      methods.map(({ id, name, method_type: methodType, active }) => [
        id,
        { id, name, methodType, active },
      ]),
    );
    const missing = named.find(({ id }) => !byId.has(id));
    if (missing) throw new ResourceNotFoundError('payment_method', { index: missing.index });
    return byId;
  }

  /** @throws DomainError CYCLE_GENERATION_ERROR with the limit that is exceeded */
  private async readPlan(
    scope: Scope,
    user: AuthenticatedUser,
    query: ForecastQuery,
    { added, rates }: PlanChanges = NO_CHANGES,
  ): Promise<StoredPlan> {
    const { today, freeUntil, setsBudgetsAside } = query;
    // Other rates convert and round each entry, so that sums are not enough.
    const hasRates = rates.length > 0;
    const [allCards, allLimited, left] = await sendTogether([
      this.cards.list(scope, freeUntil),
      setsBudgetsAside ? this.budgets.listLimited(scope) : [],
      setsBudgetsAside
        ? listLeft(scope, query, { withExhausted: hasRates, max: MAX_NEW_ENTRIES + 1 })
        : [],
    ]);
    assertNewEntries(left.length);
    const limited = allLimited.filter(
      ({ currency }) => query.currency === null || currency === query.currency,
    );
    const days = allCards.flatMap(daysOfStatements);
    const [storedCycles, sums] = await sendTogether([
      listCycles(scope, days),
      this.cards.sumUnpaid(scope, allCards),
    ]);
    const payments = paymentsOf(await statementsOfAll(allCards, sums, scope), scope);
    const { cycles, gaps } = followingCycles(
      storedCycles,
      { today, to: freeUntil },
      { maxDays: this.settings.cycleMaxDays, nextIncomeAmount: user.nextIncomeAmount },
    );
    const [rows, { following, newEntryCount }] = await sendTogether([
      this.holdings.listStated(scope, { days, payments }),
      this.readFollowing(scope, cycles, added.length),
    ]);
    const stated = statedIn(rows, [...storedCycles, ...cycles], query, scope.timeZone);
    const mainId = rows.find(({ isMain }) => isMain)?.id ?? null;
    const counting = countingCards(allCards, query, mainId);
    const cards = { counting, sums, timeZone: scope.timeZone };
    const newEntries = [
      ...occurrencesInForecast(following, query, cards).map(toNewEntry),
      ...added.filter((entry) => roleOf(entry, query, cards) !== null),
    ];
    // With a filter, what a statement takes is in the currency of the filter.
    const dueCurrencies = allCards.map((card) => ({ currency: query.currency ?? card.currency }));
    const amounts = [
      ...newEntries,
      ...budgetedOccurrences(following, limited).map(toConvert),
      ...pesosToConvert([...rows, ...dueCurrencies, ...left, ...limited], today),
      ...payments,
    ];
    const pesosOn = [
      ...datesOfPesos(rows, stated.incomeAmounts),
      ...datesOfPurchasesInUsd(newEntries, cards),
      ...datesOfBudgetsInPesos(following, limited),
    ];
    const needsEntries = hasRates || query.include.includes('entries');
    const options = {
      cycles: new Map(storedCycles.map((cycle) => [cycle.id, cycle])),
      // With a payment method, entries with others do not count: a card's count by themselves.
      days: query.paymentMethodId === null ? days : [],
    };
    const [pesos, open, openInCompleted, converter] = await sendTogether([
      setsBudgetsAside && hasRates ? listOpenPesos(scope, query, days) : [],
      needsEntries ? listOpenEntries(scope, query, options) : sumOpenEntries(scope, query, options),
      listOpenInCompleted(scope, query, days),
      this.exchangeRates.usdConverter(scope, amounts, pesosOn),
    ]);
    const budgets = { left, pesos, limited };
    return {
      ...{ storedCycles, following, open, newEntryCount, budgets, stated, gaps, openInCompleted },
      ...{ cards, payments, converter },
    };
  }

  /** The cycles that would follow, with what templates give in them that no stored cycle has. */
  private async readFollowing(
    scope: Scope,
    cycles: readonly PlannedCycle[],
    addedCount: number,
  ): Promise<Pick<StoredPlan, 'following' | 'newEntryCount'>> {
    const max = MAX_NEW_ENTRIES - addedCount;
    const planned = await this.generator.plan(scope, cycles.map(periodOf), max);
    const newEntryCount = addedCount + planned.flat().length;
    assertNewEntries(newEntryCount);
    const missing = await this.generator.withoutStored(scope, planned);
    const following = cycles.map((cycle, index) => ({ cycle, occurrences: missing[index] ?? [] }));
    return { following, newEntryCount };
  }
}
