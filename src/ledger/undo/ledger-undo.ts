import { Inject, Injectable } from '@nestjs/common';
import { sendTogether } from '#postgres';
import { ActivityService } from '../../activity/activity.service.js';
import type { Change } from '../../activity/mutation.js';
import { FailedUndo, recordNotFound, type Undo } from '../../activity/undo.js';
import { ChosenBudgets } from '../../budgets/chosen-budgets.js';
import { ChosenPaymentMethods } from '../../payment-methods/chosen-payment-methods.js';
import { SETTINGS } from '../../platform/config/config.module.js';
import type { Settings } from '../../platform/config/settings.js';
import type { Scope } from '../../platform/database/database.js';
import { assertWithinLimit, DomainError } from '../../platform/errors/domain-error.js';
import { CyclesRepository } from '../cycles.repository.js';
import {
  MAX_ENTRIES,
  type CycleEntry,
  type RecordedChoices,
} from '../entities/cycle-entry.entity.js';
import { assertCycleDates, occurrenceExists } from '../entities/cycle-errors.js';
import { MAX_CYCLES, type Cycle } from '../entities/cycle.entity.js';
import { EntriesRepository, type EntryClass } from '../entries.repository.js';
import { countEntriesOf, findTakenOccurrences } from '../entry-undo.queries.js';
import { ENTRY_CLASSES, Ledger } from '../ledger.js';
import { restoreEntry } from './entry-undo.js';

/**
 * Expenses and incomes that the undo of an operation deletes or brings back with their cycles, as
 * many as a full cycle has: on the embedded database all other requests wait meanwhile.
 */
const MAX_ENTRIES_OF_UNDO = 2 * MAX_ENTRIES;

/** Takes back what a record of the activity log says of a cycle or an entry. */
@Injectable()
export class LedgerUndo {
  constructor(
    private readonly cycles: CyclesRepository,
    private readonly entries: EntriesRepository,
    private readonly ledger: Ledger,
    private readonly activity: ActivityService,
    private readonly paymentMethods: ChosenPaymentMethods,
    private readonly budgets: ChosenBudgets,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /**
   * A cycle whose creation is undone is deleted with its entries; one whose deletion is undone
   * comes back with the entries that were deleted with it.
   *
   * @throws ResourceNotFoundError; DomainError CYCLE_ALREADY_COMPLETED, RESOURCE_CONFLICT,
   *   CYCLE_NAME_EXISTS, INVALID_CYCLE_DATES; LimitReachedError
   */
  async undoCycle(scope: Scope, undo: Undo): Promise<void> {
    const cycle = await this.lockCycle(scope, undo.entityId); // 404
    cycle.assertOpen(); // 409
    undo.assertPossible(cycle); // 409
    const before = cycle.copy();
    cycle.restore(undo.values);
    if (!cycle.active) {
      await this.ledger.removeCycle(scope, cycle, undo);
      return;
    }
    if (cycle.startDate !== before.startDate || cycle.endDate !== before.endDate) {
      assertCycleDates(cycle, this.settings.cycleMaxDays); // 422
    }
    this.ledger.saveCycle(scope, { before, after: cycle, undo }); // 409: the name
    if (!before.active) await this.restoreEntries(scope, cycle); // 409: the limit
  }

  /**
   * An entry whose creation is undone is deleted. The limit of entries is checked by
   * {@link findUndoBeyondLimit}.
   *
   * @throws ResourceNotFoundError; DomainError CYCLE_ALREADY_COMPLETED, RESOURCE_CONFLICT,
   *   CURRENCY_CONVERSION_ERROR; ValidationFailedError when the payment method or the budget of
   *   before is inactive
   */
  async undoEntry<Entry extends CycleEntry>(
    scope: Scope,
    entryClass: EntryClass<Entry>,
    undo: Undo,
  ): Promise<void> {
    const cycleId = undo.cycleId ?? recordNotFound(); // 404
    const [cycle, entry] = await sendTogether([
      this.lockCycle(scope, cycleId), // 404
      this.entries.lockWithDeleted(scope, entryClass, cycleId, undo.entityId),
    ]);
    if (!entry) recordNotFound(); // 404
    cycle.assertOpen(); // 409
    const method = await this.paymentMethods.lockRecorded(
      scope,
      entry.paymentMethodId,
      undo.values,
    );
    const budget = await this.budgets.lockRecorded(scope, entry.budgetId, undo.values);
    const change = takeBack(entry, undo, { cycle, method, budget }); // 409; 422
    await this.ledger.save(scope, cycle, change); // 409: the occurrence
  }

  /**
   * Undoes changes of different entries of one kind in one cycle, all of which are locked, like
   * {@link undoEntry}, with a number of statements that does not grow with each of them.
   *
   * @throws FailedUndo with an error of {@link undoEntry} and the undo that it is about;
   *   ResourceNotFoundError and DomainError CYCLE_ALREADY_COMPLETED for the cycle
   */
  async undoEntries(scope: Scope, undos: readonly [Undo, ...Undo[]]): Promise<void> {
    const [{ type, cycleId }] = undos;
    const entryClass = ENTRY_CLASSES.find((one) => one.type === type) ?? recordNotFound();
    const cycle = await this.lockCycle(scope, cycleId ?? recordNotFound()); // 404
    cycle.assertOpen(); // 409
    const ids = undos.map(({ entityId }) => entityId);
    const [entries, taken] = await sendTogether([
      this.entries.listByIds(scope, entryClass, cycle, ids),
      findTakenOccurrences(scope, entryClass, cycle, ids),
    ]);
    const byId = new Map(entries.map((entry) => [entry.id, entry]));
    const undone = undos.map(({ entityId, values }) => ({ entry: byId.get(entityId), values }));
    const methods = await this.paymentMethods.lockAllRecorded(
      scope,
      undone.map(({ entry, values }) => ({ current: entry?.paymentMethodId ?? null, values })),
    );
    const budgets = await this.budgets.lockAllRecorded(
      scope,
      undone.map(({ entry, values }) => ({ current: entry?.budgetId ?? null, values })),
    );
    const changes = undos.map((undo, index) => {
      try {
        const entry = byId.get(undo.entityId) ?? recordNotFound(); // 404
        const choices = { method: methods[index], budget: budgets[index] };
        const change = takeBack(entry, undo, { cycle, ...choices }); // 409; 422
        if (entry.active && taken.has(entry.id)) throw occurrenceExists(entryClass.type); // 409
        return change;
      } catch (error) {
        throw new FailedUndo(undo, error);
      }
    });
    await this.ledger.saveAll(scope, cycle, changes);
  }

  /**
   * To be called before any of several undos: bounds the entries that go with their cycles or come
   * back with them, each of which gets a record. A cycle alone can always be undone.
   *
   * @throws DomainError RESOURCE_CONFLICT when there are more than {@link MAX_ENTRIES_OF_UNDO}
   */
  async assertFewEntriesWithCycles(scope: Scope, undos: readonly Undo[]): Promise<void> {
    const ofCycles = undos.filter(({ type, values }) => type === 'cycle' && 'active' in values);
    if (ofCycles.length < 2) return;
    const idsOf = (active: boolean): string[] =>
      ofCycles.filter(({ values }) => values.active === active).map(({ entityId }) => entityId);
    const [removed, restored] = await sendTogether([
      countEntriesOf(scope, idsOf(false), MAX_ENTRIES_OF_UNDO + 1),
      this.activity.countUndosWithCycles(scope, idsOf(true), MAX_ENTRIES_OF_UNDO + 1),
    ]);
    if (removed + restored > MAX_ENTRIES_OF_UNDO) throw tooManyEntries();
  }

  /**
   * Checks the limit of entries of each cycle and kind after all undos of a request, so that it
   * does not matter in which order they delete entries and bring others back.
   *
   * @returns the last undo that brought an entry back to a cycle that has become larger than the
   *   limit; undefined without such a cycle
   */
  async findUndoBeyondLimit(scope: Scope, undos: readonly Undo[]): Promise<Undo | undefined> {
    for (const entryClass of ENTRY_CLASSES) {
      const ofClass = undos.filter(({ type }) => type === entryClass.type);
      for (const cycleId of new Set(ofClass.map((undo) => undo.cycleId ?? recordNotFound()))) {
        const ofCycle = ofClass.filter((undo) => undo.cycleId === cycleId);
        const restoring = ofCycle.filter(({ values }) => values.active === true);
        const removing = ofCycle.filter(({ values }) => values.active === false);
        if (restoring.length <= removing.length) continue;
        const count = await this.ledger.count(scope, entryClass, cycleId);
        if (count > MAX_ENTRIES) return restoring.at(-1);
      }
    }
    return undefined;
  }

  private async lockCycle(scope: Scope, id: string): Promise<Cycle> {
    return (await this.cycles.lockWithDeleted(scope, id)) ?? recordNotFound();
  }

  private async restoreEntries(scope: Scope, cycle: Cycle): Promise<void> {
    const total = await this.cycles.count(scope);
    assertWithinLimit('cycle', { stored: total - 1, limit: MAX_CYCLES });
    const undos = await this.activity.listUndosWithCycle(scope, cycle.id);
    for (const { type } of ENTRY_CLASSES) {
      const added = undos.filter((undo) => undo.type === type).length;
      assertWithinLimit(type, { stored: 0, added, limit: MAX_ENTRIES });
    }
    await this.ledger.restoreEntries(scope, cycle, undos);
  }
}

const tooManyEntries = (): DomainError =>
  new DomainError(
    'RESOURCE_CONFLICT',
    `The cycles of the operation have more than ${MAX_ENTRIES_OF_UNDO} expenses and incomes to undo; ` +
      'undo the record of each cycle by itself, and then the other records',
    { resource: 'activity_record', limit: MAX_ENTRIES_OF_UNDO },
  );

/**
 * @throws DomainError RESOURCE_CONFLICT, CURRENCY_CONVERSION_ERROR; ValidationFailedError when the
 *   payment method or the budget is inactive
 */
function takeBack(
  entry: CycleEntry,
  undo: Undo,
  { cycle, ...choices }: RecordedChoices & { cycle: Cycle },
): Change<CycleEntry> {
  undo.assertPossible(entry, cycle); // 409
  const before = entry.copy();
  restoreEntry(entry, undo, choices); // 422
  return { before, after: entry, undo };
}
