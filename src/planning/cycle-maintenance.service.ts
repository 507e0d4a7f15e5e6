import { Injectable } from '@nestjs/common';
import { assertOpen } from '../ledger/cycle-errors.js';
import type { Cycle } from '../ledger/cycle.entity.js';
import { EntryGenerator } from '../ledger/generation.js';
import { Ledger, type CycleDiff, type RepricedEntries } from '../ledger/ledger.js';
import { Database, type Scope } from '../platform/database/database.js';
import { Metrics } from '../platform/metrics/metrics.js';
import type { Money } from '../platform/values/money.js';
import type { AuthenticatedUser } from '../users/current-user.decorator.js';
import { plannedEntriesOf, rowsOf, type PlannedRows } from './planned-rows.js';

/** The difference between a cycle and its templates, including protected entries. */
export interface CycleSync extends CycleDiff {
  /** The rows of the additions. */
  added: PlannedRows;
}

export interface Repricing extends RepricedEntries {
  /** In USD, before and after. */
  balance: { from: Money; to: Money };
}

/** Brings a cycle up to date with its templates and the stored rates. */
@Injectable()
export class CycleMaintenanceService {
  constructor(
    private readonly database: Database,
    private readonly ledger: Ledger,
    private readonly generator: EntryGenerator,
    private readonly metrics: Metrics,
  ) {}

  /**
   * What {@link synchronize} would do now.
   *
   * @throws DomainError CYCLE_NOT_FOUND, CYCLE_ALREADY_COMPLETED, CYCLE_GENERATION_ERROR
   */
  async compare(user: AuthenticatedUser, cycleId: string): Promise<CycleSync> {
    const scope = this.database.read(user);
    const cycle = await this.ledger.getCycle(scope, cycleId);
    return this.syncOf(user, await this.diff(scope, cycle));
  }

  /**
   * Adds, changes and removes the entries of a cycle so that they are those that its templates give now. Entries
   * that are paid, received, cancelled or edited do not change, and deleted ones do not come back.
   *
   * @throws DomainError CYCLE_NOT_FOUND, CYCLE_ALREADY_COMPLETED, CYCLE_GENERATION_ERROR
   */
  async synchronize(user: AuthenticatedUser, cycleId: string): Promise<CycleSync> {
    const applied = await this.database.transaction(user, async (scope) => {
      const cycle = await this.ledger.lockCycle(scope, cycleId);
      const diff = await this.diff(scope, cycle);
      await this.ledger.synchronize(scope, cycle, diff);
      return diff;
    });
    this.metrics.generatedExpenses.inc(applied.expenses.add.length);
    return this.syncOf(user, applied);
  }

  /**
   * Converts expenses that are neither paid nor cancelled, and incomes that are not received, by the rates stored
   * now; with `isDryRun`, nothing is stored.
   *
   * @throws DomainError CYCLE_NOT_FOUND, CYCLE_ALREADY_COMPLETED, CURRENCY_CONVERSION_ERROR
   */
  reprice(user: AuthenticatedUser, cycleId: string, isDryRun: boolean): Promise<Repricing> {
    return this.database.transaction(user, async (scope) => {
      const cycle = await this.ledger.lockCycle(scope, cycleId);
      const repriced = await this.ledger.computeRepricing(scope, cycle);
      if (!isDryRun) await this.ledger.applyRepricing(scope, cycle, repriced);
      const to = this.ledger.balanceAfter(cycle, repriced);
      return { ...repriced, balance: { from: cycle.remainingBalance, to } };
    });
  }

  private async diff(scope: Scope, cycle: Cycle): Promise<CycleDiff> {
    assertOpen(cycle);
    const generated = await this.generator.generate(scope, cycle);
    return this.ledger.compareWithTemplates(scope, cycle, generated);
  }

  private syncOf(user: AuthenticatedUser, diff: CycleDiff): CycleSync {
    const generated = { expenses: diff.expenses.add, incomes: diff.incomes.add };
    return { ...diff, added: rowsOf(plannedEntriesOf(this.ledger, user, generated)) };
  }
}
