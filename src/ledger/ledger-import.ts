import { Injectable } from '@nestjs/common';
import { ActivityService } from '../activity/activity.service.js';
import { creationOf } from '../activity/mutation.js';
import type { Scope } from '../platform/database/database.js';
import { insertRows } from '../platform/database/repositories.js';
import type { CycleEntry } from './cycle-entry.entity.js';
import { Cycle } from './cycle.entity.js';
import { CyclesRepository } from './cycles.repository.js';
import type { EntryClass } from './entries.repository.js';

/** Writes the cycles and entries of an imported document, also completed ones, which the ledger does not change. */
@Injectable()
export class LedgerImport {
  constructor(
    private readonly cycles: CyclesRepository,
    private readonly activity: ActivityService,
  ) {}

  /** Adds complete cycles without entries, in any state, whose ids and names are new. */
  async addCycles(scope: Scope, cycles: readonly Cycle[]): Promise<void> {
    await insertRows(scope, Cycle, cycles);
    await this.activity.record(scope, cycles.map(creationOf));
  }

  /** Adds complete entries of new cycles, whose ids and occurrences are new. The caller updates the balances. */
  async addEntries<Entry extends CycleEntry>(
    scope: Scope,
    kind: EntryClass<Entry>,
    entries: readonly Entry[],
  ): Promise<void> {
    await insertRows(scope, kind, entries);
    await this.activity.record(scope, entries.map(creationOf));
  }

  /** Recomputes the balances of all cycles of the user, after their entries were added. */
  refreshBalances(scope: Scope): Promise<void> {
    return this.cycles.refreshBalances(scope);
  }
}
