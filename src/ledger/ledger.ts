import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { sendTogether } from '#postgres';
import { ActivityService } from '../activity/activity.service.js';
import {
  changeOf,
  creationOf,
  deactivationOf,
  reactivationOf,
  type ActivityEntry,
  type Change,
  type UndoIds,
} from '../activity/mutation.js';
import type { Undo } from '../activity/undo.js';
import type { Scope } from '../platform/database/database.js';
import { inParts } from '../platform/database/send.js';
import { assertWithinLimit, ResourceNotFoundError } from '../platform/errors/domain-error.js';
import type { CalendarDate } from '../platform/values/calendar-date.js';
import { CyclesRepository } from './cycles.repository.js';
import { effectOf } from './entities/balance.js';
import { MAX_ENTRIES, type CycleEntry, type EntryPath } from './entities/cycle-entry.entity.js';
import { cycleNotFound } from './entities/cycle-errors.js';
import { CycleExpense } from './entities/cycle-expense.entity.js';
import { CycleIncome } from './entities/cycle-income.entity.js';
import { Cycle, MAX_CYCLES } from './entities/cycle.entity.js';
import { EntriesRepository, type EntryClass } from './entries.repository.js';
import { reactivateEntries } from './entry-undo.queries.js';

/** The order in which entries of both kinds are written and recorded. */
export const ENTRY_CLASSES: readonly EntryClass<CycleEntry>[] = [CycleExpense, CycleIncome];

/** An entry before and after a change; before null, it is new. */
export type EntryChange = Change<CycleEntry, CycleEntry | null>;

/**
 * Writes cycles and their entries (expenses and incomes) and maintains their invariants; no other
 * code writes them, except the import of a document:
 * - the remaining balance is the one that `balance.ts` defines;
 * - a completed cycle and its entries do not change;
 * - a deleted cycle's entries are deleted;
 * - every change has an activity record.
 *
 * The cycle is always locked before its entries, so that changes of one cycle are serialized.
 */
@Injectable()
export class Ledger {
  constructor(
    private readonly cycles: CyclesRepository,
    private readonly entries: EntriesRepository,
    private readonly activity: ActivityService,
  ) {}

  /** The earliest due or income date of all households; null without expenses and incomes. */
  earliestDate(manager: EntityManager): Promise<CalendarDate | null> {
    return this.entries.earliestDate(manager);
  }

  /** Recomputes the balances of all cycles of the user, after their entries were imported. */
  refreshBalances(scope: Scope): void {
    this.cycles.refreshBalances(scope);
  }

  /**
   * The cycle, not locked.
   *
   * @throws DomainError CYCLE_NOT_FOUND
   */
  async getCycle(scope: Scope, id: string): Promise<Cycle> {
    const cycle = await this.cycles.find(scope, id);
    if (!cycle) throw cycleNotFound();
    return cycle;
  }

  /**
   * The cycle, locked until the transaction ends.
   *
   * @throws DomainError CYCLE_NOT_FOUND
   */
  async lockCycle(scope: Scope, id: string): Promise<Cycle> {
    const cycle = await this.lockCycleIfExists(scope, id);
    if (!cycle) throw cycleNotFound();
    return cycle;
  }

  /** Like {@link lockCycle}; null if the cycle does not exist. */
  lockCycleIfExists(scope: Scope, id: string): Promise<Cycle | null> {
    return this.cycles.lock(scope, id);
  }

  /**
   * An entry with the records that it chooses, its state before any change, and its cycle; entry and
   * cycle are locked until the transaction ends.
   *
   * @throws DomainError CYCLE_NOT_FOUND; ResourceNotFoundError
   */
  async lock<Entry extends CycleEntry>(
    scope: Scope,
    entryClass: EntryClass<Entry>,
    { cycleId, entryId }: EntryPath,
  ): Promise<{ cycle: Cycle; before: Entry; entry: Entry }> {
    const [cycle, entry] = await sendTogether([
      this.lockCycle(scope, cycleId),
      this.entries.lock(scope, entryClass, cycleId, entryId),
    ]);
    if (!entry) throw new ResourceNotFoundError(entryClass.type);
    return { cycle, before: entry.copy(), entry };
  }

  /**
   * Two cycles, locked in the order of their ids until the transaction ends.
   *
   * @throws DomainError CYCLE_NOT_FOUND
   */
  async lockTwoCycles(
    scope: Scope,
    ids: { from: string; to: string },
  ): Promise<{ from: Cycle; to: Cycle }> {
    const [first, second] = await this.cycles.lockAll(scope, [ids.from, ids.to]);
    if (!first || !second) throw cycleNotFound();
    return first.id === ids.from ? { from: first, to: second } : { from: second, to: first };
  }

  /**
   * Entries of a locked cycle with the records that they choose, beside their states before any
   * change, locked until the transaction ends.
   *
   * @param ids different ones, whose order the entries have; by default all of the cycle in the
   *   order of creation
   * @throws ResourceNotFoundError with the first id that the cycle does not have
   */
  async lockAll<Entry extends CycleEntry>(
    scope: Scope,
    entryClass: EntryClass<Entry>,
    cycle: Cycle,
    ids?: readonly string[],
  ): Promise<Change<Entry>[]> {
    const entries = await this.entries.lockAll(scope, entryClass, cycle, ids);
    const byId = new Map(entries.map((entry) => [entry.id, entry]));
    return (ids ?? [...byId.keys()]).map((id) => {
      const after = byId.get(id);
      if (!after) throw new ResourceNotFoundError(entryClass.type, { id });
      return { before: after.copy(), after };
    });
  }

  /** The generated entries of one kind, also deleted ones, in the order of creation; not locked. */
  listGenerated<Entry extends CycleEntry>(
    scope: Scope,
    entryClass: EntryClass<Entry>,
    cycle: Cycle,
  ): Promise<Entry[]> {
    return this.entries.listGenerated(scope, entryClass, cycle);
  }

  /**
   * The entries of a locked cycle in another currency than USD, expenses first and each kind in the
   * order of creation, in pages: a cycle can have thousands, and other requests run between two
   * pages.
   */
  async *pagesOfConverted(scope: Scope, cycle: Cycle): AsyncGenerator<CycleEntry[], void> {
    for (const entryClass of ENTRY_CLASSES)
      yield* this.entries.pagesOfConverted(scope, entryClass, cycle);
  }

  /**
   * Inserts a new cycle; {@link insertFirstEntries} completes and records it.
   *
   * @throws DomainError CYCLE_NAME_EXISTS; LimitReachedError
   */
  async insertCycle(scope: Scope, cycle: Cycle): Promise<void> {
    this.cycles.insert(scope, cycle);
    const total = await this.cycles.count(scope);
    assertWithinLimit('cycle', { stored: total - 1, limit: MAX_CYCLES });
  }

  /** Inserts the first entries of a new cycle, if any, and records its creation and theirs. */
  async insertFirstEntries(
    scope: Scope,
    cycle: Cycle,
    entries: readonly CycleEntry[],
  ): Promise<void> {
    for (const entryClass of ENTRY_CLASSES) {
      const ofClass = entries.filter(({ type }) => type === entryClass.type);
      await this.insertEntries(scope, entryClass, cycle, ofClass);
    }
    this.cycles.refreshBalance(scope, cycle.id);
    await this.record(scope, [cycle, ...entries].map(creationOf));
  }

  /**
   * Stores a changed cycle that is locked; if nothing changed, nothing.
   *
   * @throws DomainError CYCLE_ALREADY_COMPLETED
   */
  saveCycle(scope: Scope, change: Change<Cycle>): void {
    change.before.assertOpen();
    const record = changeOf(change);
    if (!record) return;
    this.cycles.update(scope, change.after);
    this.cycles.refreshBalance(scope, change.after.id);
    this.activity.record(scope, [record]);
  }

  /**
   * A soft deletion of a locked cycle and its entries, which only the activity log still shows.
   *
   * @throws DomainError CYCLE_ALREADY_COMPLETED
   */
  async removeCycle(scope: Scope, cycle: Cycle, undo?: UndoIds): Promise<void> {
    cycle.assertOpen();
    cycle.active = false;
    this.cycles.update(scope, cycle);
    const records = [deactivationOf(cycle, undo)];
    for (const entryClass of ENTRY_CLASSES) {
      const ids = await this.entries.deactivateAll(scope, entryClass, cycle);
      records.push(
        ...ids.map((id) => deactivationOf({ type: entryClass.type, id, cycleId: cycle.id })),
      );
    }
    await this.record(scope, records);
  }

  /**
   * Brings entries of a locked cycle back that were deleted with it.
   *
   * @param undos of their deletions
   */
  async restoreEntries(scope: Scope, cycle: Cycle, undos: readonly Undo[]): Promise<void> {
    for (const entryClass of ENTRY_CLASSES) {
      const ids = undos
        .filter(({ type }) => type === entryClass.type)
        .map(({ entityId }) => entityId);
      reactivateEntries(scope, entryClass, cycle, ids);
    }
    this.cycles.refreshBalance(scope, cycle.id);
    const records = undos.map((undo) =>
      reactivationOf({ type: undo.type, id: undo.entityId, cycleId: cycle.id }, undo),
    );
    await this.record(scope, records);
  }

  /** The number of entries of one kind in a locked cycle, which is exact. */
  count(scope: Scope, entryClass: EntryClass<CycleEntry>, cycleId: string): Promise<number> {
    return this.entries.count(scope, entryClass, cycleId);
  }

  /**
   * To be called before entries are added to a locked cycle, so that their number is exact.
   *
   * @throws LimitReachedError when the cycle would have too many entries of the kind
   */
  async assertEntryLimit(
    scope: Scope,
    entryClass: EntryClass<CycleEntry>,
    cycle: Cycle,
    added: number,
  ): Promise<void> {
    const stored = await this.count(scope, entryClass, cycle.id);
    assertWithinLimit(entryClass.type, { stored, added, limit: MAX_ENTRIES });
  }

  /**
   * Adds new entries to a locked cycle in the given order; the caller has asserted the limit of
   * entries.
   *
   * @throws DomainError CYCLE_ALREADY_COMPLETED
   */
  add(scope: Scope, cycle: Cycle, entries: readonly CycleEntry[]): Promise<void> {
    return this.saveAll(
      scope,
      cycle,
      entries.map((after) => ({ before: null, after })),
    );
  }

  /**
   * Stores a changed entry of a locked cycle; if nothing changed, nothing.
   *
   * @throws DomainError CYCLE_ALREADY_COMPLETED
   */
  save(scope: Scope, cycle: Cycle, change: Change<CycleEntry>): Promise<void> {
    return this.saveAll(scope, cycle, [change]);
  }

  /**
   * A soft deletion of an entry of a locked cycle, which only the activity log still shows.
   *
   * @throws DomainError CYCLE_ALREADY_COMPLETED
   */
  remove(scope: Scope, cycle: Cycle, entry: CycleEntry): Promise<void> {
    const before = entry.copy();
    entry.active = false;
    return this.saveAll(scope, cycle, [{ before, after: entry }]);
  }

  /**
   * Stores new and changed entries of a locked cycle, its balance and the activity records:
   * expenses first, and those of each kind in the given order. Entries that did not change are not
   * written.
   *
   * @throws DomainError CYCLE_ALREADY_COMPLETED
   */
  async saveAll(scope: Scope, cycle: Cycle, changes: readonly EntryChange[]): Promise<void> {
    cycle.assertOpen();
    const records: ActivityEntry[] = [];
    for (const entryClass of ENTRY_CLASSES) {
      const ofClass = changes.filter(({ after }) => after.type === entryClass.type);
      const added = ofClass.filter(({ before }) => !before).map(({ after }) => after);
      await this.insertEntries(scope, entryClass, cycle, added);
      records.push(...added.map(creationOf));

      const changed: CycleEntry[] = [];
      for (const { before, after, undo } of ofClass) {
        const record = before && changeOf({ before, after, undo });
        if (!record) continue;
        records.push(record);
        changed.push(after);
      }
      this.entries.update(scope, entryClass, changed);
    }
    if (records.length === 0) return;
    const differences = changes.map(effectOf).filter((effect) => !effect.eq(0));
    const [difference] = differences;
    // A single change need not read the other entries: the cycle is locked, so that nothing else
    // changes its balance.
    if (differences.length > 1) this.cycles.refreshBalance(scope, cycle.id);
    else if (difference) this.cycles.addToBalance(scope, cycle.id, difference);
    await this.record(scope, records);
  }

  /** Inserts any number of entries. */
  private async insertEntries(
    scope: Scope,
    entryClass: EntryClass<CycleEntry>,
    cycle: Cycle,
    entries: readonly CycleEntry[],
  ): Promise<void> {
    for await (const part of inParts(scope.manager, entries)) {
      this.entries.insert(scope, entryClass, cycle, part);
    }
  }

  /** Records any number of changes. */
  private async record(scope: Scope, records: readonly ActivityEntry[]): Promise<void> {
    for await (const part of inParts(scope.manager, records)) this.activity.record(scope, part);
  }
}
