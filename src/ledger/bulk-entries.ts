import type { Scope } from '../platform/database/database.js';
import type { ActivityEntry, ActivityService } from '../activity/activity.service.js';
import { changesBetween, changesOfCreation, isEmpty, type Changes } from '../activity/changes.js';
import type {
  DatedAmount,
  ExchangeRatesService,
} from '../exchange-rates/exchange-rates.service.js';
import type { PaymentMethodsService } from '../payment-methods/payment-methods.service.js';
import { assertWithinLimit } from '../platform/errors/domain-error.js';
import type { CalendarDate } from '../platform/values/calendar-date.js';
import { sumMoney, type Money } from '../platform/values/money.js';
import type { AuthenticatedUser } from '../users/current-user.decorator.js';
import { CycleEntriesRepository, type EntryValues } from './cycle-entries.repository.js';
import { MAX_ENTRIES, type CycleEntry } from './cycle-entry.entity.js';
import type { Cycle } from './cycle.entity.js';
import type { CyclesRepository } from './cycles.repository.js';
import type { EntryKind } from './entry-kinds.js';
import type { Generated } from './generation.js';
import { templateDiff, type TemplateDiff } from './template-diff.js';

interface LedgerDependencies {
  cycles: CyclesRepository;
  paymentMethods: PaymentMethodsService;
  exchangeRates: ExchangeRatesService;
  activity: ActivityService;
}

/** An entry before and after a new conversion. */
export interface Repriced<Entry extends CycleEntry> {
  entry: Entry;
  after: Entry;
  changes: Changes;
}

/** What the activity log records of a soft deletion. */
export const DEACTIVATION: Pick<ActivityEntry, 'action' | 'changes'> = {
  action: 'deactivated',
  changes: { active: { from: true, to: false } },
};

/**
 * Changes of many entries of one kind at once: creation with their cycle, synchronization, new conversion, deletion.
 * The caller has locked the cycle, updates its balance and records the activity.
 */
export abstract class BulkEntries<Entry extends CycleEntry> {
  protected readonly repository: CycleEntriesRepository<Entry>;

  constructor(
    protected readonly kind: EntryKind<Entry>,
    protected readonly services: LedgerDependencies,
  ) {
    this.repository = new CycleEntriesRepository(kind);
  }

  /** New entries as {@link insertAll} inserts them, for a preview. */
  build(
    user: AuthenticatedUser,
    cycle: Pick<Cycle, 'id'>,
    values: readonly EntryValues<Entry>[],
  ): Entry[] {
    return this.repository.build(user, cycle, values);
  }

  /** @throws LimitReachedError when a locked cycle would have too many entries */
  async assertWithinLimit(scope: Scope, cycle: Cycle, added: number): Promise<void> {
    const stored = await this.repository.count(scope, cycle);
    assertWithinLimit(this.kind.entityType, { stored, added, limit: MAX_ENTRIES });
  }

  /** Inserts entries of a locked or new cycle. The caller updates the balance and records the activity. */
  insertAll(scope: Scope, cycle: Cycle, values: readonly EntryValues<Entry>[]): Promise<Entry[]> {
    return this.repository.insertAll(scope, cycle, values);
  }

  /**
   * Adds complete entries of new cycles, except for those whose id or occurrence exists. The caller updates the
   * balances.
   *
   * @returns the ids of the added ones; if one is missing, the caller must roll back
   */
  async addAll(scope: Scope, entries: readonly Entry[]): Promise<Set<string>> {
    const added = await this.repository.insertIgnoringConflicts(scope.manager, entries);
    await this.services.activity.record(scope, this.creationsOf(entries));
    return added;
  }

  /** The difference between the entries of a cycle and what its templates give now; nothing is locked. */
  async compare(
    scope: Scope,
    cycle: Pick<Cycle, 'id'>,
    generated: readonly Generated<Entry>[],
  ): Promise<TemplateDiff<Entry>> {
    const stored = await this.repository.listGenerated(scope, cycle);
    return templateDiff(this.kind, stored, generated);
  }

  /** Applies a difference to a locked cycle and returns the activity entries, which the caller records. */
  async synchronize(
    scope: Scope,
    cycle: Cycle,
    { add, change, remove }: TemplateDiff<Entry>,
  ): Promise<ActivityEntry[]> {
    const added = await this.insertAll(scope, cycle, add);
    const removed = remove.map((entry): Entry => ({ ...entry, active: false, generated: null }));
    const replaced = [...change.map(({ after }) => after), ...removed];
    await this.repository.replaceAll(scope, cycle, replaced);
    return [
      ...this.creationsOf(added),
      ...change.map(({ entry, changes }) =>
        this.activityEntry(entry, { action: 'updated', changes }),
      ),
      ...removed.map((entry) => this.activityEntry(entry, DEACTIVATION)),
    ];
  }

  /**
   * Converts the entries of a locked cycle that are neither settled nor in USD by the rates stored now.
   *
   * @throws DomainError CURRENCY_CONVERSION_ERROR
   */
  async computeRepricing(scope: Scope, cycle: Cycle): Promise<Repriced<Entry>[]> {
    const stored = await this.repository.listConverted(scope, cycle);
    const open = stored
      .filter((entry) => !this.kind.settledReason(entry))
      .map((entry) => ({ entry, dated: this.datedAmount(entry) }));
    const converter = await this.services.exchangeRates.usdConverter(
      scope,
      open.map(({ dated }) => dated),
    );
    return open
      .map(({ entry, dated }) => ({ entry, after: { ...entry, ...converter.toUsd(dated) } }))
      .map(({ entry, after }) => ({
        entry,
        after,
        changes: changesBetween({
          before: this.kind.snapshot(entry),
          after: this.kind.snapshot(after),
        }),
      }))
      .filter(({ changes }) => !isEmpty(changes));
  }

  /** Stores the new conversions and returns the activity entries, which the caller records. */
  async applyRepricing(
    scope: Scope,
    cycle: Cycle,
    repriced: readonly Repriced<Entry>[],
  ): Promise<ActivityEntry[]> {
    const entries = repriced.map(({ after }) => after);
    await this.repository.replaceAll(scope, cycle, entries);
    return repriced.map(({ entry, changes }) =>
      this.activityEntry(entry, { action: 'updated', changes }),
    );
  }

  /** The amount in USD that the new conversions add to the balance. */
  effectOf(repriced: readonly Repriced<Entry>[]): Money {
    const { effect } = this.kind;
    return sumMoney(repriced.map(({ entry, after }) => effect(after).minus(effect(entry))));
  }

  private datedAmount(entry: Entry): DatedAmount {
    const { amount, currency } = entry;
    return { amount, currency, date: entry[this.kind.date] as CalendarDate };
  }

  /** Deletes the entries of a locked cycle and returns the activity entries, which the caller records. */
  async removeAll(scope: Scope, cycle: Cycle): Promise<ActivityEntry[]> {
    const ids = await this.repository.deactivateAll(scope, cycle);
    return ids.map((id) => this.activityEntry({ id, cycleId: cycle.id }, DEACTIVATION));
  }

  creationsOf(entries: readonly Entry[]): ActivityEntry[] {
    return entries.map((entry) =>
      this.activityEntry(entry, {
        action: 'created',
        changes: changesOfCreation(this.kind.snapshot(entry)),
      }),
    );
  }

  protected activityEntry(
    { id, cycleId }: Pick<CycleEntry, 'id' | 'cycleId'>,
    mutation: Pick<ActivityEntry, 'action' | 'changes'>,
  ): ActivityEntry {
    return { entityType: this.kind.entityType, entityId: id, cycleId, ...mutation };
  }
}
