import { Big } from 'big.js';
import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { Column } from 'typeorm';
import type { ActivityAction } from '../activity/activity-record.entity.js';
import type { Changes, Snapshot } from '../activity/changes.js';
import { canConvertTo, convert } from '../exchange-rates/conversion.js';
import type { UsdConverter } from '../exchange-rates/exchange-rates.service.js';
import type { PaymentMethod, UsedPaymentMethod } from '../payment-methods/payment-method.entity.js';
import { AMOUNT, RATE } from '../platform/database/columns.js';
import { HouseholdRecord } from '../platform/database/stored-record.js';
import type { CalendarDate } from '../platform/values/calendar-date.js';
import { CURRENCY_CODES, type CurrencyCode } from '../platform/values/currency.js';
import { formatMoney, type Money } from '../platform/values/money.js';
import { usedRate, type EntrySnapshot, type UsedRate } from './snapshots.js';

/** Expenses of a cycle, and incomes of a cycle; deleted ones do not count. */
export const MAX_ENTRIES = 2000;

export const ENTRY_TYPES = ['cycle_expense', 'cycle_income'] as const;
export type EntryType = (typeof ENTRY_TYPES)[number];

const CONVERSION_FIELDS = ['amount_usd', 'exchange_rate'];

/** Why an entry is settled: synchronization and repricing leave it unchanged. */
export type SettledReason = 'paid' | 'received' | 'cancelled';

/** The ids in the path of an entry. */
export interface EntryPath {
  cycleId: string;
  entryId: string;
}

/** The fields of expenses and incomes that a body sets. */
export interface EntryFields {
  description: string;
  currency: CurrencyCode;
  /** In `currency`. */
  amount: Money;
  comments: string | null;
}

/** What the expenses and incomes of a cycle have in common; their owner is the owner of the cycle. */
export abstract class CycleEntry extends HouseholdRecord {
  abstract cycleId: string;

  /** null: a manual entry. */
  abstract templateId: string | null;

  /** null: not specified; never null for expenses. */
  abstract paymentMethodId: string | null;

  /** Loaded only by queries that request the relation. */
  abstract paymentMethod?: UsedPaymentMethod | null;

  @Column({ type: 'varchar', length: 255 })
  description!: string;

  @Column({ type: 'enum', enum: CURRENCY_CODES, enumName: 'currency_code' })
  currency!: CurrencyCode;

  /** In `currency`. */
  @Column(AMOUNT)
  amount!: Big;

  @Column({ ...AMOUNT, name: 'amount_usd' })
  amountUsd!: Big;

  /** The value of one unit of `currency` in USD by which the amount was converted; null: in USD, or unknown. */
  @Column({ ...RATE, name: 'exchange_rate', nullable: true })
  exchangeRate: Big | null = null;

  /** The date of the stored rate. */
  @Column({ name: 'exchange_rate_date', type: 'date', nullable: true })
  exchangeRateDate: CalendarDate | null = null;

  /** The date of the occurrence of the template, before its weekend rule; null: a manual entry. */
  @Column({ name: 'occurrence_date', type: 'date', nullable: true })
  occurrenceDate: CalendarDate | null = null;

  /**
   * What generation or the last synchronization set, to recognize later edits: a value that is missing counts as edited.
   * null for a manual entry and for one that a synchronization removed.
   */
  @Column({ type: 'jsonb', nullable: true })
  generated: Snapshot | null = null;

  @Column({ type: 'varchar', length: 1000, nullable: true })
  comments: string | null = null;

  @Column({ type: 'boolean', default: true })
  active = true;

  abstract get type(): EntryType;

  /** The date whose exchange rate converts the amount. */
  abstract get date(): CalendarDate;

  /** The amount in USD that the entry adds to the balance of its cycle. */
  abstract effect(): Money;

  /** Why a synchronization with the templates must not touch the entry; undefined if it may. */
  abstract settledReason(): SettledReason | undefined;

  /** The specific action of a change; undefined: the default action. */
  abstract actionOf(changes: Changes): ActivityAction | undefined;

  /** The state that the activity log records. */
  snapshot(): EntrySnapshot {
    return {
      id: this.id,
      description: this.description,
      currency: this.currency,
      amount: formatMoney(this.amount),
      amount_usd: formatMoney(this.amountUsd),
      exchange_rate: this.usedRate(),
      occurrence_date: this.occurrenceDate,
      comments: this.comments,
      template_id: this.templateId,
      payment_method_id: this.paymentMethodId,
      active: this.active,
      created_at: this.createdAt.toISOString(),
      updated_at: this.updatedAt.toISOString(),
    };
  }

  usedRate(): UsedRate | null {
    return usedRate(this);
  }

  /** Begins a new entry: its cycle is the one that the ledger adds it to. */
  protected begin(fields: EntryFields, method: UsedPaymentMethod | null): void {
    this.id = randomUUID();
    this.createdAt = new Date();
    this.updatedAt = this.createdAt;
    this.description = fields.description;
    this.currency = fields.currency;
    this.amount = fields.amount;
    this.comments = fields.comments;
    this.setPaymentMethod(method);
  }

  /**
   * Sets the given fields; undefined: as it is. The amount in USD is that of before.
   *
   * @param method another payment method; null: none
   * @throws ValidationFailedError when the payment method is inactive
   */
  update(fields: Partial<EntryFields>, method?: PaymentMethod | null): void {
    method?.assertActive();
    if (method !== undefined) this.setPaymentMethod(method);
    this.description = fields.description ?? this.description;
    this.currency = fields.currency ?? this.currency;
    this.amount = fields.amount ?? this.amount;
    if (fields.comments !== undefined) this.comments = fields.comments;
  }

  /**
   * Takes recorded values back, the conversion to USD included; the others stay.
   *
   * @param method another payment method; null: none
   * @throws ValidationFailedError when the payment method is inactive; DomainError CURRENCY_CONVERSION_ERROR
   */
  restore(values: Snapshot, method?: PaymentMethod | null): void {
    const recorded = values as Partial<EntrySnapshot>;
    const { amount, amount_usd: amountUsd, exchange_rate: rate } = recorded;
    this.update(
      {
        description: recorded.description,
        currency: recorded.currency,
        amount: amount === undefined ? undefined : new Big(amount),
        comments: recorded.comments,
      },
      method,
    );
    if (amountUsd !== undefined) this.amountUsd = new Big(amountUsd);
    if (rate !== undefined) {
      this.exchangeRate = rate && new Big(rate.rate);
      this.exchangeRateDate = rate?.rate_date ?? null;
    }
    this.correctConversion();
    this.active = recorded.active ?? this.active;
    this.keepFromSynchronization(values);
  }

  /** Whether the amount in USD is the converted amount of the other entry too. */
  isPricedLike({ amount, currency, date }: CycleEntry): boolean {
    return this.amount.eq(amount) && this.currency === currency && this.date === date;
  }

  /** @throws DomainError CURRENCY_CONVERSION_ERROR */
  convert(converter: UsdConverter): void {
    const { amountUsd, exchangeRate, exchangeRateDate } = converter.toUsd(this);
    this.amountUsd = amountUsd;
    this.exchangeRate = exchangeRate;
    this.exchangeRateDate = exchangeRateDate;
  }

  /** The fields that generation takes from a template, with their names in the snapshot. */
  generatedValues(): Snapshot {
    return {
      description: this.description,
      currency: this.currency,
      amount: formatMoney(this.amount),
      payment_method_id: this.paymentMethodId,
    };
  }

  /** Makes a new entry the one that generation gives for an occurrence of a template. */
  generate(templateId: string, occurrenceDate: CalendarDate): void {
    this.templateId = templateId;
    this.occurrenceDate = occurrenceDate;
    this.generated = this.generatedValues();
  }

  /** Takes over what generation sets; the rest, such as comments and payment, stays. */
  regenerate(wanted: this): void {
    this.description = wanted.description;
    this.currency = wanted.currency;
    this.amount = wanted.amount;
    this.amountUsd = wanted.amountUsd;
    this.exchangeRate = wanted.exchangeRate;
    this.exchangeRateDate = wanted.exchangeRateDate;
    this.setPaymentMethod(wanted.paymentMethod ?? null);
    this.generated = wanted.generatedValues();
  }

  /** Removes an entry whose occurrence no longer exists; unlike one that a user deletes, it can come back. */
  ungenerate(): void {
    this.active = false;
    this.generated = null;
  }

  /** Whether a user changed one of the fields that generation sets. */
  isEdited(): boolean {
    return !this.hasValues(this.generated ?? {});
  }

  /** Whether the entry has the generated values of another one and their conversion. */
  isGeneratedLike(other: CycleEntry): boolean {
    return (
      this.hasValues(other.generatedValues()) &&
      this.amountUsd.eq(other.amountUsd) &&
      isDeepStrictEqual(this.usedRate(), other.usedRate())
    );
  }

  /**
   * Corrects the amount in USD where only one of it, the amount and the rate was taken back, and another record has changed
   * the others since.
   *
   * @throws DomainError CURRENCY_CONVERSION_ERROR
   */
  private correctConversion(): void {
    const { amount, exchangeRate: rate } = this;
    if (this.currency === 'USD') this.amountUsd = amount;
    else if (rate && !canConvertTo({ amount, rate, result: this.amountUsd })) {
      this.amountUsd = convert(amount, { rate, isInverse: false });
    }
  }

  /**
   * What a synchronization did counts as edited once it is taken back: it shows as edited values, but for a removal and a
   * mere conversion.
   */
  private keepFromSynchronization(restored: Snapshot): void {
    const isConversion = Object.keys(restored).every((field) => CONVERSION_FIELDS.includes(field));
    const isGenerated = this.active && this.occurrenceDate !== null;
    if (isGenerated && (this.generated === null || isConversion)) this.generated = {};
  }

  protected setPaymentMethod(method: UsedPaymentMethod | null): void {
    this.paymentMethod = method;
    this.paymentMethodId = method?.id ?? null;
  }

  /** Compares the fields that generation sets; their values are texts or null. */
  private hasValues(values: Snapshot): boolean {
    return Object.entries(this.generatedValues()).every(([name, value]) => value === values[name]);
  }
}
