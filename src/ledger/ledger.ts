import type { Scope } from '../platform/database/database.js';
import { Injectable } from '@nestjs/common';
import type { ActivityAction } from '../activity/activity-record.entity.js';
import { ActivityService, type ActivityEntry } from '../activity/activity.service.js';
import { changesOfCreation, type Changes } from '../activity/changes.js';
import { describeMutation } from '../activity/mutation.js';
import { ExchangeRatesService } from '../exchange-rates/exchange-rates.service.js';
import { assertWithinLimit } from '../platform/errors/domain-error.js';
import type { Money } from '../platform/values/money.js';
import { PaymentMethodsService } from '../payment-methods/payment-methods.service.js';
import { DEACTIVATION, type Repriced } from './bulk-entries.js';
import { CycleEntries } from './cycle-entries.js';
import type { EntryValues } from './cycle-entries.repository.js';
import type { CycleExpense } from './cycle-expense.entity.js';
import type { CycleIncome } from './cycle-income.entity.js';
import { MAX_CYCLES, type Cycle } from './cycle.entity.js';
import { assertOpen, cycleNotFound } from './cycle-errors.js';
import { CyclesRepository } from './cycles.repository.js';
import { EXPENSES, INCOMES } from './entry-kinds.js';
import type { GeneratedEntries } from './generation.js';
import { cycleSnapshot } from './snapshots.js';
import { growthOf, type TemplateDiff } from './template-diff.js';

/** What a synchronization with the templates changes in a cycle. */
export interface CycleDiff {
  expenses: TemplateDiff<CycleExpense>;
  incomes: TemplateDiff<CycleIncome>;
}

/** The entries of a cycle whose conversion differs by the rates stored now. */
export interface RepricedEntries {
  expenses: Repriced<CycleExpense>[];
  incomes: Repriced<CycleIncome>[];
}

type NewCycle = Pick<Cycle, 'name' | 'startDate' | 'endDate' | 'incomeAmount'>;

/**
 * Writes cycles and their entries (expenses and incomes) and maintains their invariants; no other code writes
 * them:
 * - the remaining balance is the one that `balance.ts` defines;
 * - a completed cycle and its entries do not change;
 * - a deleted cycle's entries are deleted;
 * - every change has an activity record.
 *
 * The cycle is always locked before its entries, so that changes of one cycle are serialized.
 */
@Injectable()
export class Ledger {
  readonly expenses: CycleEntries<CycleExpense>;
  readonly incomes: CycleEntries<CycleIncome>;

  constructor(
    private readonly cycles: CyclesRepository,
    private readonly activity: ActivityService,
    paymentMethods: PaymentMethodsService,
    exchangeRates: ExchangeRatesService,
  ) {
    const services = { cycles, activity, paymentMethods, exchangeRates };
    this.expenses = new CycleEntries(EXPENSES, services);
    this.incomes = new CycleEntries(INCOMES, services);
  }

  /**
   * Inserts a draft without entries, which {@link addGenerated} adds and records.
   *
   * @throws DomainError CYCLE_NAME_EXISTS, RESOURCE_CONFLICT at the limit
   */
  async insertCycle(scope: Scope, values: NewCycle): Promise<Cycle> {
    const remainingBalance = values.incomeAmount;
    const [stored, cycle] = await Promise.all([
      this.cycles.count(scope),
      this.cycles.insert(scope, { ...values, remainingBalance }),
    ]);
    assertWithinLimit('cycle', { stored, limit: MAX_CYCLES });
    return cycle;
  }

  /** Adds the generated entries of a new cycle, and records its creation and theirs. */
  async addGenerated(scope: Scope, cycle: Cycle, generated: GeneratedEntries): Promise<void> {
    const expenses = await this.expenses.insertAll(scope, cycle, generated.expenses);
    const incomes = await this.incomes.insertAll(scope, cycle, generated.incomes);
    await this.cycles.refreshBalance(scope, cycle.id);
    await this.activity.record(scope, [
      cycleCreation(cycle),
      ...this.expenses.creationsOf(expenses),
      ...this.incomes.creationsOf(incomes),
    ]);
  }

  /**
   * Adds complete cycles without entries, in any state, except for those whose id or name exists.
   *
   * @returns the ids of the added ones; if one is missing, the caller must roll back
   */
  async addCycles(scope: Scope, cycles: readonly Cycle[]): Promise<Set<string>> {
    const added = await this.cycles.insertIgnoringConflicts(scope.manager, cycles);
    await this.activity.record(scope, cycles.map(cycleCreation));
    return added;
  }

  /** Recomputes the balances of all cycles of the user, after their entries were added. */
  refreshBalances(scope: Scope): Promise<void> {
    return this.cycles.refreshBalances(scope);
  }

  /**
   * The cycle, not locked.
   *
   * @throws DomainError CYCLE_NOT_FOUND
   */
  async getCycle(scope: Scope, id: string): Promise<Cycle> {
    const cycle = await this.cycles.find(scope, { id });
    if (!cycle) throw cycleNotFound();
    return cycle;
  }

  /**
   * The cycle, locked until the transaction ends.
   *
   * @throws DomainError CYCLE_NOT_FOUND
   */
  lockCycle(scope: Scope, id: string): Promise<Cycle> {
    return this.cycles.lockOrThrow(scope, id);
  }

  /** Like {@link lockCycle}; null if the cycle does not exist. */
  lockCycleIfExists(scope: Scope, id: string): Promise<Cycle | null> {
    return this.cycles.lock(scope, { id });
  }

  /**
   * Adds expenses to a locked cycle in the given order.
   *
   * @throws DomainError CYCLE_ALREADY_COMPLETED
   */
  async addExpenses(
    scope: Scope,
    cycle: Cycle,
    values: readonly EntryValues<CycleExpense>[],
  ): Promise<void> {
    assertOpen(cycle);
    const expenses = await this.expenses.insertAll(scope, cycle, values);
    await this.recordEntries(scope, cycle, this.expenses.creationsOf(expenses));
  }

  /** @throws DomainError CYCLE_ALREADY_COMPLETED */
  async updateCycle(
    scope: Scope,
    cycle: Cycle,
    changed: NewCycle & Pick<Cycle, 'status'>,
  ): Promise<void> {
    assertOpen(cycle);
    const mutation = describeMutation(
      { before: cycleSnapshot(cycle), after: cycleSnapshot({ ...cycle, ...changed }) },
      cycleAction,
    );
    if (!mutation) return;
    await this.cycles.update(scope, cycle, changed);
    await this.cycles.refreshBalance(scope, cycle.id);
    await this.activity.record(scope, [cycleEntry(cycle, mutation)]);
  }

  /**
   * A soft deletion of the cycle and its entries, which only the activity log still shows.
   *
   * @throws DomainError CYCLE_ALREADY_COMPLETED
   */
  async removeCycle(scope: Scope, cycle: Cycle): Promise<void> {
    assertOpen(cycle);
    await this.cycles.update(scope, cycle, { active: false });
    const entries = [
      ...(await this.expenses.removeAll(scope, cycle)),
      ...(await this.incomes.removeAll(scope, cycle)),
    ];
    await this.activity.record(scope, [cycleEntry(cycle, DEACTIVATION), ...entries]);
  }

  /** The difference between a cycle and what its templates give now. */
  async compareWithTemplates(
    scope: Scope,
    cycle: Cycle,
    generated: GeneratedEntries,
  ): Promise<CycleDiff> {
    const [expenses, incomes] = await Promise.all([
      this.expenses.compare(scope, cycle, generated.expenses),
      this.incomes.compare(scope, cycle, generated.incomes),
    ]);
    return { expenses, incomes };
  }

  /**
   * Applies a difference to a locked cycle.
   *
   * @throws DomainError CYCLE_ALREADY_COMPLETED, RESOURCE_CONFLICT when it would have too many entries
   */
  async synchronize(scope: Scope, cycle: Cycle, diff: CycleDiff): Promise<void> {
    assertOpen(cycle);
    const { expenses, incomes } = diff;
    await Promise.all([
      this.expenses.assertWithinLimit(scope, cycle, growthOf(expenses)),
      this.incomes.assertWithinLimit(scope, cycle, growthOf(incomes)),
    ]);
    await this.recordEntries(scope, cycle, [
      ...(await this.expenses.synchronize(scope, cycle, expenses)),
      ...(await this.incomes.synchronize(scope, cycle, incomes)),
    ]);
  }

  /**
   * The entries of a cycle that the rates stored now convert differently; settled ones are not converted again.
   *
   * @throws DomainError CYCLE_ALREADY_COMPLETED, CURRENCY_CONVERSION_ERROR
   */
  async computeRepricing(scope: Scope, cycle: Cycle): Promise<RepricedEntries> {
    assertOpen(cycle);
    return {
      expenses: await this.expenses.computeRepricing(scope, cycle),
      incomes: await this.incomes.computeRepricing(scope, cycle),
    };
  }

  /** The remaining balance in USD of a cycle with the new conversions. */
  balanceAfter({ remainingBalance }: Cycle, repriced: RepricedEntries): Money {
    return remainingBalance
      .plus(this.expenses.effectOf(repriced.expenses))
      .plus(this.incomes.effectOf(repriced.incomes));
  }

  /** Stores new conversions of entries of a locked cycle. */
  async applyRepricing(scope: Scope, cycle: Cycle, repriced: RepricedEntries): Promise<void> {
    await this.recordEntries(scope, cycle, [
      ...(await this.expenses.applyRepricing(scope, cycle, repriced.expenses)),
      ...(await this.incomes.applyRepricing(scope, cycle, repriced.incomes)),
    ]);
  }

  /** Updates the balance of a cycle and records the changes of its entries. */
  private async recordEntries(
    scope: Scope,
    cycle: Cycle,
    entries: readonly ActivityEntry[],
  ): Promise<void> {
    if (entries.length === 0) return;
    await this.cycles.refreshBalance(scope, cycle.id);
    await this.activity.record(scope, entries);
  }
}

const cycleCreation = (cycle: Cycle): ActivityEntry =>
  cycleEntry(cycle, { action: 'created', changes: changesOfCreation(cycleSnapshot(cycle)) });

function cycleEntry(
  cycle: Cycle,
  mutation: Pick<ActivityEntry, 'action' | 'changes'>,
): ActivityEntry {
  return { entityType: 'cycle', entityId: cycle.id, cycleId: cycle.id, ...mutation };
}

function cycleAction({ status }: Changes): ActivityAction | undefined {
  return status?.to === 'completed' ? 'completed' : undefined;
}
