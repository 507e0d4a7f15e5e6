import type { EntityManager } from 'typeorm';
import { describeMutation } from '../activity/mutation.js';
import type { Conversion, DatedAmount } from '../exchange-rates/exchange-rates.service.js';
import type { PaymentMethod } from '../payment-methods/payment-method.entity.js';
import { assertActive } from '../payment-methods/payment-methods.service.js';
import { ResourceNotFoundError } from '../platform/errors/domain-error.js';
import type { CalendarDate } from '../platform/values/calendar-date.js';
import { withoutUndefined } from '../platform/values/without-undefined.js';
import type { AuthenticatedUser } from '../users/current-user.decorator.js';
import { BulkEntries } from './bulk-entries.js';
import type { EntryValues, WithPaymentMethod } from './cycle-entries.repository.js';
import type { CycleEntry } from './cycle-entry.entity.js';
import { assertOpen } from './cycle-errors.js';
import type { Cycle } from './cycle.entity.js';

export type { WithPaymentMethod };

/** The fields of an entry that both kinds have. */
export interface EntryFields extends DatedAmount {
  description: string;
  /** The due date of an expense, the income date of an income. */
  date: CalendarDate;
  paymentMethodId: string | null | undefined;
  comments: string | null | undefined;
}

/** The fields of a new entry, with those that only its kind has. */
type NewEntry<Entry> = EntryFields & Partial<Omit<Entry, keyof EntryFields>>;

/** The ids in the path of an entry. */
export interface EntryPath {
  cycleId: string;
  entryId: string;
}

type AssertUnchanged<Entry extends CycleEntry> = (entry: WithPaymentMethod<Entry>) => Promise<void>;

/**
 * The entries of one kind: expenses or incomes. Every change of a single entry locks the cycle and then the entry, is
 * rejected if the cycle is completed, updates the remaining balance and writes an activity record.
 */
export class CycleEntries<Entry extends CycleEntry> extends BulkEntries<Entry> {
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
    const cycle = await cycles.lockOrThrow(user, manager, cycleId);
    const [paymentMethod, converter] = await Promise.all([
      this.findPaymentMethod(manager, user, paymentMethodId),
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
    const newMethod = isOtherMethod ? await this.findPaymentMethod(manager, user, methodId) : null;
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
    await this.repository.update(user, manager, entry, changed);
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
    const cycle = await this.services.cycles.lockOrThrow(user, manager, cycleId);
    const entry = await this.repository.lock(user, manager, cycle, entryId);
    if (!entry) throw new ResourceNotFoundError(this.kind.entityType);
    return { cycle, entry };
  }

  private async findPaymentMethod(
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
}
