import type { Scope } from '../platform/database/database.js';
import { describeMutation } from '../activity/mutation.js';
import type { Conversion, DatedAmount } from '../exchange-rates/exchange-rates.service.js';
import type { PaymentMethod } from '../payment-methods/payment-method.entity.js';
import { assertActive } from '../payment-methods/payment-methods.service.js';
import { assertWithinLimit, ResourceNotFoundError } from '../platform/errors/domain-error.js';
import type { CalendarDate } from '../platform/values/calendar-date.js';
import { withoutUndefined } from '../platform/values/without-undefined.js';
import { BulkEntries } from './bulk-entries.js';
import type { EntryValues, WithPaymentMethod } from './cycle-entries.repository.js';
import { MAX_ENTRIES, type CycleEntry } from './cycle-entry.entity.js';
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
   * @throws DomainError CYCLE_NOT_FOUND, CYCLE_ALREADY_COMPLETED, RESOURCE_CONFLICT at the limit,
   *   CURRENCY_CONVERSION_ERROR; ResourceNotFoundError or ValidationFailedError for the payment method
   */
  async create(
    scope: Scope,
    cycleId: string,
    { paymentMethodId = null, date, ...fields }: NewEntry<Entry>,
  ): Promise<WithPaymentMethod<Entry>> {
    const { cycles, exchangeRates, activity } = this.services;
    const dated = { amount: fields.amount, currency: fields.currency, date };
    const cycle = await cycles.lockOrThrow(scope, cycleId);
    const [paymentMethod, converter, stored] = await Promise.all([
      this.findPaymentMethod(scope, paymentMethodId),
      exchangeRates.usdConverter(scope, [dated]),
      this.repository.count(scope, cycle),
    ]);
    assertOpen(cycle);
    assertWithinLimit(this.kind.entityType, { stored, limit: MAX_ENTRIES });
    if (paymentMethod) assertActive(paymentMethod);
    const values = { paymentMethodId, [this.kind.date]: date, ...converter.toUsd(dated) };
    const entries = await this.insertAll(scope, cycle, [
      { ...fields, ...values } as EntryValues<Entry>,
    ]);
    await cycles.refreshBalance(scope, cycle.id);
    await activity.record(scope, this.creationsOf(entries));
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
    scope: Scope,
    path: EntryPath,
    { date, ...fields }: Partial<NewEntry<Entry>>,
    derivedFields: (entry: Entry) => Partial<Entry>,
    assertUnchanged: AssertUnchanged<Entry>,
  ): Promise<WithPaymentMethod<Entry>> {
    const { cycle, entry } = await this.lock(scope, path);
    const { paymentMethodId: methodId = entry.paymentMethodId } = fields;
    const isOtherMethod = methodId !== entry.paymentMethodId;
    const newMethod = isOtherMethod ? await this.findPaymentMethod(scope, methodId) : null;
    await assertUnchanged(entry);
    assertOpen(cycle);
    if (newMethod) assertActive(newMethod);
    const paymentMethod = isOtherMethod ? newMethod : entry.paymentMethod;
    const changed = {
      ...withoutUndefined(fields),
      ...derivedFields(entry),
      ...(await this.pricedFields(scope, entry, { ...fields, date })),
    } as Partial<Entry>;
    await this.change(scope, { cycle, entry }, changed);
    return { ...entry, paymentMethod };
  }

  /**
   * A soft deletion of the entry, which only the activity log still shows.
   *
   * @throws DomainError CYCLE_NOT_FOUND, CYCLE_ALREADY_COMPLETED; ResourceNotFoundError
   */
  async remove(
    scope: Scope,
    path: EntryPath,
    assertUnchanged: AssertUnchanged<Entry>,
  ): Promise<void> {
    const locked = await this.lock(scope, path);
    await assertUnchanged(locked.entry);
    assertOpen(locked.cycle);
    await this.change(scope, locked, { active: false } as Partial<Entry>);
  }

  private async change(
    scope: Scope,
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
    await this.repository.update(scope, entry, changed);
    if (!effect(before).eq(effect(after))) {
      await this.services.cycles.refreshBalance(scope, cycle.id);
    }
    await this.services.activity.record(scope, [this.activityEntry(entry, mutation)]);
  }

  /** The entry and its cycle, both locked until the transaction ends. */
  private async lock(
    scope: Scope,
    { cycleId, entryId }: EntryPath,
  ): Promise<{ cycle: Cycle; entry: WithPaymentMethod<Entry> }> {
    const cycle = await this.services.cycles.lockOrThrow(scope, cycleId);
    const entry = await this.repository.lock(scope, cycle, entryId);
    if (!entry) throw new ResourceNotFoundError(this.kind.entityType);
    return { cycle, entry };
  }

  private async findPaymentMethod(scope: Scope, id: string | null): Promise<PaymentMethod | null> {
    return id === null ? null : this.services.paymentMethods.getForUse(scope, id);
  }

  private async pricedFields(
    scope: Scope,
    entry: Entry,
    fields: Partial<EntryFields>,
  ): Promise<object> {
    const storedDate = entry[this.kind.date] as CalendarDate;
    const { amount = entry.amount, currency = entry.currency, date = storedDate } = fields;
    const isRepriced =
      !amount.eq(entry.amount) || currency !== entry.currency || date !== storedDate;
    const conversion = isRepriced ? await this.toUsd(scope, { amount, currency, date }) : {};
    return { amount, currency, [this.kind.date]: date, ...conversion };
  }

  private async toUsd(scope: Scope, amount: DatedAmount): Promise<Conversion> {
    return (await this.services.exchangeRates.usdConverter(scope, [amount])).toUsd(amount);
  }
}
