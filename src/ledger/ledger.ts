import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { ActivityAction } from '../activity/activity-record.entity.js';
import { ActivityService, type ActivityEntry } from '../activity/activity.service.js';
import { changesOfCreation, type Changes } from '../activity/changes.js';
import { describeMutation } from '../activity/mutation.js';
import { ExchangeRatesService } from '../exchange-rates/exchange-rates.service.js';
import type { Money } from '../platform/values/money.js';
import { PaymentMethodsService } from '../payment-methods/payment-methods.service.js';
import type { AuthenticatedUser } from '../users/current-user.decorator.js';
import { DEACTIVATION, type Repriced } from './bulk-entries.js';
import { CycleEntries } from './cycle-entries.js';
import type { EntryValues } from './cycle-entries.repository.js';
import type { CycleExpense } from './cycle-expense.entity.js';
import type { CycleIncome } from './cycle-income.entity.js';
import type { Cycle } from './cycle.entity.js';
import { assertOpen, cycleNotFound } from './cycle-errors.js';
import { CyclesRepository } from './cycles.repository.js';
import { EXPENSES, INCOMES } from './entry-kinds.js';
import type { GeneratedEntries } from './generation.js';
import { cycleSnapshot } from './snapshots.js';
import type { TemplateDiff } from './template-diff.js';

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

  /** Creates a draft with its generated entries. */
  async createCycle(
    manager: EntityManager,
    user: AuthenticatedUser,
    values: NewCycle,
    generated: GeneratedEntries,
  ): Promise<Cycle> {
    const remainingBalance = values.incomeAmount;
    const cycle = await this.cycles.insert(user, manager, { ...values, remainingBalance });
    const expenses = await this.expenses.insertAll(manager, user, cycle, generated.expenses);
    const incomes = await this.incomes.insertAll(manager, user, cycle, generated.incomes);
    await this.cycles.refreshBalance(user, manager, cycle.id);
    await this.activity.record(manager, user, [
      cycleCreation(cycle),
      ...this.expenses.creationsOf(expenses),
      ...this.incomes.creationsOf(incomes),
    ]);
    return cycle;
  }

  /**
   * Adds complete cycles without entries, in any state, except for those whose id or name exists.
   *
   * @returns the ids of the added ones; if one is missing, the caller must roll back
   */
  async addCycles(
    manager: EntityManager,
    user: AuthenticatedUser,
    cycles: readonly Cycle[],
  ): Promise<Set<string>> {
    const added = await this.cycles.insertIgnoringConflicts(manager, cycles);
    await this.activity.record(manager, user, cycles.map(cycleCreation));
    return added;
  }

  /** Recomputes the balances of all cycles of the user, after their entries were added. */
  refreshBalances(manager: EntityManager, user: AuthenticatedUser): Promise<void> {
    return this.cycles.refreshBalances(user, manager);
  }

  /**
   * The cycle, not locked.
   *
   * @throws DomainError CYCLE_NOT_FOUND
   */
  async getCycle(manager: EntityManager, user: AuthenticatedUser, id: string): Promise<Cycle> {
    const cycle = await this.cycles.find(user, manager, { id });
    if (!cycle) throw cycleNotFound();
    return cycle;
  }

  /**
   * The cycle, locked until the transaction ends.
   *
   * @throws DomainError CYCLE_NOT_FOUND
   */
  lockCycle(manager: EntityManager, user: AuthenticatedUser, id: string): Promise<Cycle> {
    return this.cycles.lockOrThrow(user, manager, id);
  }

  /** Like {@link lockCycle}; null if the cycle does not exist. */
  lockCycleIfExists(
    manager: EntityManager,
    user: AuthenticatedUser,
    id: string,
  ): Promise<Cycle | null> {
    return this.cycles.lock(user, manager, { id });
  }

  /**
   * Adds expenses to a locked cycle in the given order.
   *
   * @throws DomainError CYCLE_ALREADY_COMPLETED
   */
  async addExpenses(
    manager: EntityManager,
    user: AuthenticatedUser,
    cycle: Cycle,
    values: readonly EntryValues<CycleExpense>[],
  ): Promise<void> {
    assertOpen(cycle);
    const expenses = await this.expenses.insertAll(manager, user, cycle, values);
    await this.recordEntries(manager, user, cycle, this.expenses.creationsOf(expenses));
  }

  /** @throws DomainError CYCLE_ALREADY_COMPLETED */
  async updateCycle(
    manager: EntityManager,
    user: AuthenticatedUser,
    cycle: Cycle,
    changed: NewCycle & Pick<Cycle, 'status'>,
  ): Promise<void> {
    assertOpen(cycle);
    const mutation = describeMutation(
      { before: cycleSnapshot(cycle), after: cycleSnapshot({ ...cycle, ...changed }) },
      cycleAction,
    );
    if (!mutation) return;
    await this.cycles.update(user, manager, cycle, changed);
    await this.cycles.refreshBalance(user, manager, cycle.id);
    await this.activity.record(manager, user, [cycleEntry(cycle, mutation)]);
  }

  /**
   * A soft deletion of the cycle and its entries, which only the activity log still shows.
   *
   * @throws DomainError CYCLE_ALREADY_COMPLETED
   */
  async removeCycle(manager: EntityManager, user: AuthenticatedUser, cycle: Cycle): Promise<void> {
    assertOpen(cycle);
    await this.cycles.update(user, manager, cycle, { active: false });
    const entries = [
      ...(await this.expenses.removeAll(manager, user, cycle)),
      ...(await this.incomes.removeAll(manager, user, cycle)),
    ];
    await this.activity.record(manager, user, [cycleEntry(cycle, DEACTIVATION), ...entries]);
  }

  /** The difference between a cycle and what its templates give now. */
  async compareWithTemplates(
    manager: EntityManager,
    user: AuthenticatedUser,
    cycle: Cycle,
    generated: GeneratedEntries,
  ): Promise<CycleDiff> {
    const [expenses, incomes] = await Promise.all([
      this.expenses.compare(manager, user, cycle, generated.expenses),
      this.incomes.compare(manager, user, cycle, generated.incomes),
    ]);
    return { expenses, incomes };
  }

  /**
   * Applies a difference to a locked cycle.
   *
   * @throws DomainError CYCLE_ALREADY_COMPLETED
   */
  async synchronize(
    manager: EntityManager,
    user: AuthenticatedUser,
    cycle: Cycle,
    diff: CycleDiff,
  ): Promise<void> {
    assertOpen(cycle);
    await this.recordEntries(manager, user, cycle, [
      ...(await this.expenses.synchronize(manager, user, cycle, diff.expenses)),
      ...(await this.incomes.synchronize(manager, user, cycle, diff.incomes)),
    ]);
  }

  /**
   * The entries of a cycle that the rates stored now convert differently; settled ones are not converted again.
   *
   * @throws DomainError CYCLE_ALREADY_COMPLETED, CURRENCY_CONVERSION_ERROR
   */
  async computeRepricing(
    manager: EntityManager,
    user: AuthenticatedUser,
    cycle: Cycle,
  ): Promise<RepricedEntries> {
    assertOpen(cycle);
    return {
      expenses: await this.expenses.computeRepricing(manager, user, cycle),
      incomes: await this.incomes.computeRepricing(manager, user, cycle),
    };
  }

  /** The remaining balance in USD of a cycle with the new conversions. */
  balanceAfter({ remainingBalance }: Cycle, repriced: RepricedEntries): Money {
    return remainingBalance
      .plus(this.expenses.effectOf(repriced.expenses))
      .plus(this.incomes.effectOf(repriced.incomes));
  }

  /** Stores new conversions of entries of a locked cycle. */
  async applyRepricing(
    manager: EntityManager,
    user: AuthenticatedUser,
    cycle: Cycle,
    repriced: RepricedEntries,
  ): Promise<void> {
    await this.recordEntries(manager, user, cycle, [
      ...(await this.expenses.applyRepricing(manager, user, cycle, repriced.expenses)),
      ...(await this.incomes.applyRepricing(manager, user, cycle, repriced.incomes)),
    ]);
  }

  /** Updates the balance of a cycle and records the changes of its entries. */
  private async recordEntries(
    manager: EntityManager,
    user: AuthenticatedUser,
    cycle: Cycle,
    entries: readonly ActivityEntry[],
  ): Promise<void> {
    if (entries.length === 0) return;
    await this.cycles.refreshBalance(user, manager, cycle.id);
    await this.activity.record(manager, user, entries);
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
