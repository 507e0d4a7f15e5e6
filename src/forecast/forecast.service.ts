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
import { PaymentMethodsService } from '../payment-methods/payment-methods.service.js';
import { SETTINGS } from '../platform/config/config.module.js';
import type { Settings } from '../platform/config/settings.js';
import { Database, type Scope } from '../platform/database/database.js';
import { ResourceNotFoundError } from '../platform/errors/domain-error.js';
import { ExpenseTemplatesService } from '../templates/expense-templates.service.js';
import { IncomeTemplatesService } from '../templates/income-templates.service.js';
import type { AuthenticatedUser } from '../users/authenticated-user.js';
import { countingCards, datesOfPurchasesInUsd, roleOf } from './card-statements.js';
import {
  assertDates,
  changedPlan,
  namedRecords,
  NO_CHANGES,
  toPlanChanges,
  type NamedRecord,
  type NamedRecords,
  type PlanChanges,
} from './changes.js';
import { listOpenInCompleted } from './completed-cycles.queries.js';
import type { ChangeDto } from './dto/change.dto.js';
import type { ForecastQueryDto, WhatIfDto } from './dto/forecast-query.dto.js';
import { toForecastResponse, type ForecastResponse } from './dto/forecast.dto.js';
import { toWhatIfResponse, type WhatIfResponse } from './dto/what-if.dto.js';
import { forecast } from './forecast.js';
import {
  listCycles,
  listOccurrences,
  listOpenEntries,
  sumOpenEntries,
} from './forecast.queries.js';
import { occurrencesInForecast, statedIn, toNewEntry, toPlan, type StoredPlan } from './plan.js';
import { periodOf, type PlannedCycle } from './planned-cycle.js';
import { assertNewEntries, MAX_NEW_ENTRIES } from './planned-entry.js';
import { toQuery, type ForecastQuery } from './query.js';
import { budgetedOccurrences, datesOfBudgetsInPesos } from './set-aside.js';
import { listLeft, listOpenPesos } from './set-aside.queries.js';
import {
  datesOfChangesInPesos,
  occurrencesToConvert,
  withTemplateChanges,
} from './template-changes.js';

/** What is left until each pay day, beyond the stored cycles. */
@Injectable()
export class ForecastService {
  constructor(
    private readonly database: Database,
    private readonly generator: EntryGenerator,
    private readonly exchangeRates: ExchangeRatesService,
    private readonly paymentMethods: PaymentMethodsService,
    private readonly expenseTemplates: ExpenseTemplatesService,
    private readonly incomeTemplates: IncomeTemplatesService,
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
   *   payment method or template is not the user's; DomainError CYCLE_GENERATION_ERROR
   */
  async compare(user: AuthenticatedUser, dto: WhatIfDto): Promise<WhatIfResponse> {
    const query = toQuery(user, dto); // 422
    const requested = dto.changes ?? [];
    assertDates(requested, query); // 422
    const { changes, stored } = await this.database.snapshot(user, async (scope) => {
      const named = await this.readNamed(scope, requested); // 404
      const changes = toPlanChanges(requested, query, named); // 422: too many
      return { changes, stored: await this.readPlan(scope, user, query, changes) };
    });
    const plan = await toPlan(stored, query); // 422: a template without a rate
    const base = await forecast(plan, query); // 422: too many
    const ofTemplates = await withTemplateChanges(stored, changes.templates, query); // 422: no rate
    const changedFrom = ofTemplates === stored ? plan : await toPlan(ofTemplates, query);
    const changed = await changedPlan(changedFrom, changes, query, stored.converter); // 422: no rate
    return toWhatIfResponse(base, await forecast(changed, query));
  }

  private async readNamed(scope: Scope, changes: readonly ChangeDto[]): Promise<NamedRecords> {
    const named = namedRecords(changes);
    const idsOf = (resource: NamedRecord['resource']): string[] => [
      ...new Set(named.filter((one) => one.resource === resource).map(({ id }) => id)),
    ];
    const [methodIds, templateIds] = [idsOf('payment_method'), idsOf('template')];
    const [methods, expenseTemplates, incomeTemplates] = await sendTogether([
      methodIds.length > 0 ? this.paymentMethods.listByIds(scope, methodIds) : [],
      templateIds.length > 0 ? this.expenseTemplates.listByIds(scope, templateIds) : [],
      templateIds.length > 0 ? this.incomeTemplates.listByIds(scope, templateIds) : [],
    ]);
    const records = {
      methods: new Map(
        methods.map(({ id, name, method_type: methodType, active }) => [
          id,
          { id, name, methodType, active },
        ]),
      ),
      templates: new Map(
        [...expenseTemplates, ...incomeTemplates].map(({ id, currency }) => [id, currency]),
      ),
    };
    const missing = named.find(
      ({ resource, id }) =>
        !(resource === 'template' ? records.templates : records.methods).has(id),
    );
    if (missing) throw new ResourceNotFoundError(missing.resource, { index: missing.index });
    return records;
  }

  /** @throws DomainError CYCLE_GENERATION_ERROR with the limit that is exceeded */
  private async readPlan(
    scope: Scope,
    user: AuthenticatedUser,
    query: ForecastQuery,
    { added, rates, templates }: PlanChanges = NO_CHANGES,
  ): Promise<StoredPlan> {
    const { today, freeUntil, setsBudgetsAside } = query;
    const templateIds = [...templates.currencies.keys()];
    // Other rates convert and round each entry, and others replace some: sums are not enough.
    const hasRates = rates.length > 0;
    const changesEntries = hasRates || templateIds.length > 0;
    const [allCards, allLimited, left] = await sendTogether([
      this.cards.list(scope, freeUntil),
      setsBudgetsAside ? this.budgets.listLimited(scope) : [],
      setsBudgetsAside
        ? listLeft(scope, query, { withExhausted: changesEntries, max: MAX_NEW_ENTRIES + 1 })
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
    const cyclesById = new Map(storedCycles.map((cycle) => [cycle.id, cycle]));
    const [rows, { following, newEntryCount }, occurrences] = await sendTogether([
      this.holdings.listStated(scope, { days, payments }),
      this.readFollowing(scope, cycles, added.length),
      templateIds.length > 0
        ? listOccurrences(scope, query, { templateIds, cycles: cyclesById })
        : [],
    ]);
    const stated = statedIn(rows, [...storedCycles, ...cycles], query, scope.timeZone);
    const mainId = rows.find(({ isMain }) => isMain)?.id ?? null;
    const counting = countingCards(allCards, query, mainId);
    const cards = { counting, sums, timeZone: scope.timeZone };
    const changedEntries = occurrencesToConvert(occurrences, templates);
    const newEntries = [
      ...occurrencesInForecast(following, query, cards).map(toNewEntry),
      ...added.filter((entry) => roleOf(entry, query, cards) !== null),
      ...changedEntries,
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
      ...datesOfChangesInPesos(changedEntries, left),
    ];
    const needsEntries = changesEntries || query.include.includes('entries');
    const options = {
      cycles: cyclesById,
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
      ...{ occurrences, purchases: [], cards, payments, converter },
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
