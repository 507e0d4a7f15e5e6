import { Big } from 'big.js';
import type { EntityManager } from 'typeorm';
import { ActivityService, type ActivityEntry } from '../activity/activity.service.js';
import { changesBetween, changesOfCreation, isEmpty, type Changes } from '../activity/changes.js';
import { describeMutation } from '../activity/mutation.js';
import type {
  Conversion,
  DatedAmount,
  ExchangeRatesService,
} from '../exchange-rates/exchange-rates.service.js';
import type { PaymentMethod } from '../payment-methods/payment-method.entity.js';
import {
  assertActive,
  type PaymentMethodsService,
} from '../payment-methods/payment-methods.service.js';
import { ResourceNotFoundError } from '../platform/errors/domain-error.js';
import type { CalendarDate } from '../platform/values/calendar-date.js';
import type { Money } from '../platform/values/money.js';
import { withoutUndefined } from '../platform/values/without-undefined.js';
import type { AuthenticatedUser } from '../users/current-user.decorator.js';
import {
  CycleEntriesRepository,
  type EntryValues,
  type WithPaymentMethod,
} from './cycle-entries.repository.js';
import type { CycleEntry } from './cycle-entry.entity.js';
import { assertOpen } from './cycle-errors.js';
import type { Cycle } from './cycle.entity.js';
import type { CyclesRepository } from './cycles.repository.js';
import type { EntryKind } from './entry-kinds.js';
import type { Generated } from './generation.js';
import { templateDiff, type TemplateDiff } from './template-diff.js';

export type { WithPaymentMethod };

/** The fields of an entry that both kinds have. */
export interface EntryFields extends DatedAmount {
  description: string;
  /** The due date of an expense, the income date of an income. */
  date: CalendarDate;
  paymentMethodId?: string | null;
  comments?: string | null;
}

/** The fields of a new entry, with those that only its kind has. */
type NewEntry<Entry> = EntryFields & Partial<Omit<Entry, keyof EntryFields>>;

/** The ids in the path of an entry. */
export interface EntryPath {
  cycleId: string;
  entryId: string;
}

export interface LedgerServices {
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

type AssertUnchanged<Entry extends CycleEntry> = (entry: WithPaymentMethod<Entry>) => Promise<void>;

const DEACTIVATION: Pick<ActivityEntry, 'action' | 'changes'> = {
  action: 'deactivated',
  changes: { active: { from: true, to: false } },
};

/**
 * The entries of one kind: expenses or incomes. Every change locks the cycle and then the entry, is rejected if
 * the cycle is completed, updates the remaining balance and writes an activity record.
 */
export class CycleEntries<Entry extends CycleEntry> {
  private readonly repository: CycleEntriesRepository<Entry>;

  constructor(
    private readonly kind: EntryKind<Entry>,
    private readonly services: LedgerServices,
  ) {
    this.repository = new CycleEntriesRepository(kind);
  }

  /**
   * Creates a manual entry, converted to USD by the rate of its date.
   *
   * @throws DomainError CYCLE_NOT_FOUND, CYCLE_ALREADY_COMPLETED, CURRENCY_CONVERSION_ERROR;
   *   ResourceNotFoundError or ValidationFailedError for the payment method
   */
  async create(
    manager: EntityManager,
    user: AuthenticatedUser,
    cycleId: string,
    { paymentMethodId = null, date, ...fields }: NewEntry<Entry>,
  ): Promise<WithPaymentMethod<Entry>> {
    const { cycles, exchangeRates, activity } = this.services;
    const dated = { amount: fields.amount, currency: fields.currency, date };
    const cycle = await cycles.lockOrThrow(manager, user, cycleId);
    const [paymentMethod, converter] = await Promise.all([
      this.find(manager, user, paymentMethodId),
      exchangeRates.usdConverter(manager, [dated]),
    ]);
    assertOpen(cycle);
    if (paymentMethod) assertActive(paymentMethod);
    const values = { paymentMethodId, [this.kind.date]: date, ...converter.toUsd(dated) };
    const entries = await this.insertAll(manager, user, cycle, [
      { ...fields, ...values } as EntryValues<Entry>,
    ]);
    await cycles.refreshBalance(user, manager, cycle.id);
    await activity.record(manager, user, this.creationsOf(entries));
    return { ...entries[0], paymentMethod } as WithPaymentMethod<Entry>;
  }

  /**
   * Updates the given fields; the amount in USD is recomputed when amount, currency or date changes.
   *
   * @param derivedFields returns values that depend on the stored entry
   * @param assertUnchanged throws when the locked entry is not the one that the request expects
   * @throws DomainError CYCLE_NOT_FOUND, CYCLE_ALREADY_COMPLETED, CURRENCY_CONVERSION_ERROR;
   *   ResourceNotFoundError for the entry or the payment method; ValidationFailedError when the payment
   *   method is inactive; whatever `derivedFields` throws
   */
  async update(
    manager: EntityManager,
    user: AuthenticatedUser,
    path: EntryPath,
    { date, ...fields }: Partial<NewEntry<Entry>>,
    derivedFields: (entry: Entry) => Partial<Entry>,
    assertUnchanged: AssertUnchanged<Entry>,
  ): Promise<WithPaymentMethod<Entry>> {
    const { cycle, entry } = await this.lock(manager, user, path);
    const { paymentMethodId: methodId = entry.paymentMethodId } = fields;
    const isOtherMethod = methodId !== entry.paymentMethodId;
    const newMethod = isOtherMethod ? await this.find(manager, user, methodId) : null;
    await assertUnchanged(entry);
    assertOpen(cycle);
    if (newMethod) assertActive(newMethod);
    const paymentMethod = isOtherMethod ? newMethod : entry.paymentMethod;
    const changed = {
      ...withoutUndefined(fields),
      ...derivedFields(entry),
      ...(await this.pricedFields(manager, entry, { ...fields, date })),
    } as Partial<Entry>;
    await this.change(manager, user, { cycle, entry }, changed);
    return { ...entry, paymentMethod };
  }

  /**
   * A soft deletion of the entry, which only the activity log still shows.
   *
   * @throws DomainError CYCLE_NOT_FOUND, CYCLE_ALREADY_COMPLETED; ResourceNotFoundError
   */
  async remove(
    manager: EntityManager,
    user: AuthenticatedUser,
    path: EntryPath,
    assertUnchanged: AssertUnchanged<Entry>,
  ): Promise<void> {
    const locked = await this.lock(manager, user, path);
    await assertUnchanged(locked.entry);
    assertOpen(locked.cycle);
    await this.change(manager, user, locked, { active: false } as Partial<Entry>);
  }

  /** New entries as {@link insertAll} inserts them, for a preview. */
  build(
    user: AuthenticatedUser,
    cycle: Pick<Cycle, 'id'>,
    values: readonly EntryValues<Entry>[],
  ): Entry[] {
    return this.repository.build(user, cycle, values);
  }

  /** Inserts entries of a locked or new cycle. The caller updates the balance and records the activity. */
  insertAll(
    manager: EntityManager,
    user: AuthenticatedUser,
    cycle: Cycle,
    values: readonly EntryValues<Entry>[],
  ): Promise<Entry[]> {
    return this.repository.insertAll(manager, user, cycle, values);
  }

  /** The difference between the entries of a cycle and what its templates give now; nothing is locked. */
  async compare(
    manager: EntityManager,
    user: AuthenticatedUser,
    cycle: Pick<Cycle, 'id'>,
    generated: readonly Generated<Entry>[],
  ): Promise<TemplateDiff<Entry>> {
    const stored = await this.repository.listGenerated(manager, user, cycle);
    return templateDiff(this.kind, stored, generated);
  }

  /** Applies a difference to a locked cycle and returns the activity entries, which the caller records. */
  async synchronize(
    manager: EntityManager,
    user: AuthenticatedUser,
    cycle: Cycle,
    { add, change, remove }: TemplateDiff<Entry>,
  ): Promise<ActivityEntry[]> {
    const added = await this.insertAll(manager, user, cycle, add);
    const removed = remove.map((entry): Entry => ({ ...entry, active: false, generated: null }));
    const replaced = [...change.map(({ after }) => after), ...removed];
    await this.repository.replaceAll(manager, user, cycle, replaced);
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
  async repriced(
    manager: EntityManager,
    user: AuthenticatedUser,
    cycle: Cycle,
  ): Promise<Repriced<Entry>[]> {
    const stored = await this.repository.listConverted(manager, user, cycle);
    const open = stored
      .filter((entry) => !this.kind.settledReason(entry))
      .map((entry) => ({ entry, dated: this.datedAmount(entry) }));
    const converter = await this.services.exchangeRates.usdConverter(
      manager,
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
  async reprice(
    manager: EntityManager,
    user: AuthenticatedUser,
    cycle: Cycle,
    repriced: readonly Repriced<Entry>[],
  ): Promise<ActivityEntry[]> {
    const entries = repriced.map(({ after }) => after);
    await this.repository.replaceAll(manager, user, cycle, entries);
    return repriced.map(({ entry, changes }) =>
      this.activityEntry(entry, { action: 'updated', changes }),
    );
  }

  /** The amount in USD that the new conversions add to the balance. */
  effectOf(repriced: readonly Repriced<Entry>[]): Money {
    return repriced.reduce(
      (sum, { entry, after }) => sum.plus(this.kind.effect(after)).minus(this.kind.effect(entry)),
      new Big(0),
    );
  }

  private datedAmount(entry: Entry): DatedAmount {
    const { amount, currency } = entry;
    return { amount, currency, date: entry[this.kind.date] as CalendarDate };
  }

  /** Deletes the entries of a locked cycle and returns the activity entries, which the caller records. */
  async removeAll(
    manager: EntityManager,
    user: AuthenticatedUser,
    cycle: Cycle,
  ): Promise<ActivityEntry[]> {
    const ids = await this.repository.deactivateAll(manager, user, cycle);
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

  private async change(
    manager: EntityManager,
    user: AuthenticatedUser,
    { cycle, entry }: { cycle: Cycle; entry: Entry },
    changed: Partial<Entry>,
  ): Promise<void> {
    const { snapshot, effect, actionOf } = this.kind;
    const before = { ...entry };
    const after = { ...entry, ...changed };
    const mutation = describeMutation(
      { before: snapshot(before), after: snapshot(after) },
      actionOf,
    );
    if (!mutation) return;
    await this.repository.update(manager, user, entry, changed);
    if (!effect(before).eq(effect(after))) {
      await this.services.cycles.refreshBalance(user, manager, cycle.id);
    }
    await this.services.activity.record(manager, user, [this.activityEntry(entry, mutation)]);
  }

  /** The entry and its cycle, both locked until the transaction ends. */
  private async lock(
    manager: EntityManager,
    user: AuthenticatedUser,
    { cycleId, entryId }: EntryPath,
  ): Promise<{ cycle: Cycle; entry: WithPaymentMethod<Entry> }> {
    const cycle = await this.services.cycles.lockOrThrow(manager, user, cycleId);
    const entry = await this.repository.lock(manager, user, cycle, entryId);
    if (!entry) throw new ResourceNotFoundError(this.kind.entityType);
    return { cycle, entry };
  }

  private async find(
    manager: EntityManager,
    user: AuthenticatedUser,
    id: string | null,
  ): Promise<PaymentMethod | null> {
    return id === null ? null : this.services.paymentMethods.getForUse(manager, user, id);
  }

  private async pricedFields(
    manager: EntityManager,
    entry: Entry,
    fields: Partial<EntryFields>,
  ): Promise<object> {
    const storedDate = entry[this.kind.date] as CalendarDate;
    const { amount = entry.amount, currency = entry.currency, date = storedDate } = fields;
    const isRepriced =
      !amount.eq(entry.amount) || currency !== entry.currency || date !== storedDate;
    const conversion = isRepriced ? await this.toUsd(manager, { amount, currency, date }) : {};
    return { amount, currency, [this.kind.date]: date, ...conversion };
  }

  private async toUsd(manager: EntityManager, amount: DatedAmount): Promise<Conversion> {
    return (await this.services.exchangeRates.usdConverter(manager, [amount])).toUsd(amount);
  }

  private activityEntry(
    { id, cycleId }: Pick<CycleEntry, 'id' | 'cycleId'>,
    mutation: Pick<ActivityEntry, 'action' | 'changes'>,
  ): ActivityEntry {
    return { entityType: this.kind.entityType, entityId: id, cycleId, ...mutation };
  }
}
