import { Injectable } from '@nestjs/common';
import { sendTogether } from '#postgres';
import { changeOf, type Change } from '../activity/mutation.js';
import { ExchangeRatesService } from '../exchange-rates/exchange-rates.service.js';
import { balanceAfter } from '../ledger/entities/balance.js';
import type { CycleEntry } from '../ledger/entities/cycle-entry.entity.js';
import { CycleExpense } from '../ledger/entities/cycle-expense.entity.js';
import { CycleIncome } from '../ledger/entities/cycle-income.entity.js';
import type { Cycle } from '../ledger/entities/cycle.entity.js';
import { EntryGenerator } from '../ledger/generation/entry-generator.js';
import {
  growthOf,
  joinDiffs,
  templateDiff,
  type TemplateDiff,
} from '../ledger/generation/template-diff.js';
import { ENTRY_CLASSES, Ledger } from '../ledger/ledger.js';
import { Database, type Scope } from '../platform/database/database.js';
import type { AuthenticatedUser } from '../users/authenticated-user.js';
import { toRepriceResponse, type RepriceResponse } from './dto/reprice.dto.js';
import { toSyncResponse, type SyncResponse } from './dto/sync.dto.js';

/** Brings a cycle up to date with its templates and the stored rates. */
@Injectable()
export class CycleMaintenanceService {
  constructor(
    private readonly database: Database,
    private readonly ledger: Ledger,
    private readonly generator: EntryGenerator,
    private readonly exchangeRates: ExchangeRatesService,
  ) {}

  /**
   * What {@link synchronize} would do now.
   *
   * @throws DomainError CYCLE_NOT_FOUND, CYCLE_ALREADY_COMPLETED, CYCLE_GENERATION_ERROR
   */
  async compare(user: AuthenticatedUser, cycleId: string): Promise<SyncResponse> {
    const diff = await this.database.read(user, async (scope) => {
      const cycle = await this.ledger.getCycle(scope, cycleId); // 404
      cycle.assertOpen(); // 409
      return this.diff(scope, cycle); // 422
    });
    return toSyncResponse(diff);
  }

  /**
   * Adds, changes and removes the entries of a cycle so that they are those that its templates give
   * now. Entries that are paid, received, cancelled or edited do not change, deleted ones do not
   * come back, and an occurrence that another cycle has is not added.
   *
   * @throws DomainError CYCLE_NOT_FOUND, CYCLE_ALREADY_COMPLETED, CYCLE_GENERATION_ERROR;
   *   LimitReachedError
   */
  async synchronize(user: AuthenticatedUser, cycleId: string): Promise<SyncResponse> {
    const diff = await this.database.transaction(user, async (scope) => {
      const cycle = await this.ledger.lockCycle(scope, cycleId); // 404
      cycle.assertOpen(); // 409
      const found = await this.diff(scope, cycle); // 422
      await sendTogether(
        ENTRY_CLASSES.map(
          (entryClass) =>
            this.ledger.assertEntryLimit(
              scope,
              entryClass,
              cycle,
              growthOf(found, entryClass.type),
            ), // 409
        ),
      );
      const added = found.add.map((after) => ({ before: null, after }));
      for (const { after } of [...added, ...found.change]) {
        after.generatedOperationId = scope.operationId;
      }
      await this.ledger.saveAll(scope, cycle, [...added, ...found.change, ...found.remove]);
      this.generator.countStored(scope, found.add);
      return found;
    });
    return toSyncResponse(diff);
  }

  /**
   * Converts expenses that are neither paid nor cancelled, and incomes that are not received, by
   * the rates stored now; with `isDryRun`, nothing is stored.
   *
   * @throws DomainError CYCLE_NOT_FOUND, CYCLE_ALREADY_COMPLETED, CURRENCY_CONVERSION_ERROR
   */
  reprice(user: AuthenticatedUser, cycleId: string, isDryRun: boolean): Promise<RepriceResponse> {
    return this.database.transaction(user, async (scope) => {
      const cycle = await this.ledger.lockCycle(scope, cycleId); // 404
      cycle.assertOpen(); // 409
      const changes: Change<CycleEntry>[] = [];
      for await (const entries of this.ledger.pagesOfConverted(scope, cycle)) {
        const repriced = await this.repriced(scope, entries); // 422
        if (!isDryRun) await this.ledger.saveAll(scope, cycle, repriced);
        changes.push(...repriced);
      }
      const from = cycle.remainingBalance;
      return toRepriceResponse(changes, { from, to: balanceAfter(cycle, changes) });
    });
  }

  private async diff(scope: Scope, cycle: Cycle): Promise<TemplateDiff> {
    const generated = await this.generator.generate(scope, cycle);
    const [expenses, incomes] = await sendTogether([
      this.ledger.listGenerated(scope, CycleExpense, cycle),
      this.ledger.listGenerated(scope, CycleIncome, cycle),
    ]);
    const { add, ...others } = joinDiffs(
      templateDiff(expenses, generated.expenses),
      templateDiff(incomes, generated.incomes),
    );
    return { ...others, add: await this.generator.withoutOthers(scope, cycle, add) };
  }

  /** The entries that are not settled and that the rates stored now convert differently. */
  private async repriced(
    scope: Scope,
    entries: readonly CycleEntry[],
  ): Promise<Change<CycleEntry>[]> {
    const open = entries.filter((entry) => entry.isOpen());
    const rates = await this.exchangeRates.usdConverter(scope, open);
    return open
      .map((before) => {
        const after = before.copy();
        after.convert(rates);
        return { before, after };
      })
      .filter((change) => changeOf(change) !== undefined);
  }
}
