import type { Big } from 'big.js';
import { Column } from 'typeorm';
import type { ActivityAction } from '../../activity/activity-record.entity.js';
import type { Changes } from '../../activity/changes.js';
import type { Budget, UsedBudget } from '../../budgets/budget.entity.js';
import { canConvertTo, convert } from '../../exchange-rates/conversion.js';
import type { Conversion, UsdConverter } from '../../exchange-rates/exchange-rates.service.js';
import type {
  PaymentMethod,
  UsedPaymentMethod,
} from '../../payment-methods/payment-method.entity.js';
import { AMOUNT, RATE } from '../../platform/database/columns.js';
import type { CalendarDate } from '../../platform/values/calendar-date.js';
import { CURRENCY_CODES, type CurrencyCode } from '../../platform/values/currency.js';
import type { Money } from '../../platform/values/money.js';
import {
  editable,
  money,
  setFields,
  type Editable,
  type Snapshot,
} from '../../records/record-fields.js';
import { HouseholdRecord, TIME_FIELDS } from '../../records/stored-record.js';
import type { Instalment } from '../../templates/recurrence/planned-schedule.js';
import { plannedAmount } from './planned-amount.js';
import { USED_RATE_FIELD, usedRate, type UsedRate } from './used-rate.js';

/** Expenses of a cycle, and incomes of a cycle; deleted ones do not count. */
export const MAX_ENTRIES = 2000;

export const ENTRY_TYPES = ['cycle_expense', 'cycle_income'] as const;
export type EntryType = (typeof ENTRY_TYPES)[number];

/** Why an entry is settled: synchronization and repricing leave it unchanged. */
export type SettledReason = 'paid' | 'received' | 'cancelled';

/** The ids in the path of an entry. */
export interface EntryPath {
  cycleId: string;
  entryId: string;
}

/** The records that recorded values choose; null: none; undefined: as it is. */
export interface RecordedChoices {
  method: PaymentMethod | null | undefined;
  budget: Budget | null | undefined;
}

/** The fields that expenses and incomes have. */
export const ENTRY_FIELDS = {
  id: 'id',
  description: editable('description'),
  currency: editable('currency'),
  amount: editable(money('amount')),
  amount_usd: money('amountUsd'),
  exchange_rate: USED_RATE_FIELD,
  occurrence_date: 'occurrenceDate',
  instalment: 'instalment',
  comments: editable('comments'),
  template_id: 'templateId',
  payment_method_id: 'paymentMethodId',
  budget_id: 'budgetId',
  active: 'active',
  ...TIME_FIELDS,
} as const;

/** The properties of expenses and incomes that no field shows. */
export const INTERNAL_ENTRY_PROPERTIES = [
  'budget',
  'cycleId',
  'date',
  'generated',
  'generatedFields',
  'generatedOperationId',
  'paymentMethod',
  'planUnknown',
] as const;

/** The fields that generation sets in expenses and incomes. */
export const GENERATED_ENTRY_FIELDS = [
  'description',
  'currency',
  'amount',
  'payment_method_id',
] as const;

/**
 * What the expenses and incomes of a cycle have in common; their owner is the owner of the cycle.
 */
export abstract class CycleEntry extends HouseholdRecord {
  abstract cycleId: string;

  /** null: a manual entry. */
  abstract templateId: string | null;

  /** null: not specified; never null for expenses. */
  abstract paymentMethodId: string | null;

  /** Loaded only by queries that request the relation. */
  abstract paymentMethod?: UsedPaymentMethod | null;

  /** What an expense is for, or where an income gives back; null: not specified. */
  abstract budgetId: string | null;

  /** Loaded only by queries that request the relation. */
  abstract budget?: UsedBudget | null;

  @Column({ type: 'varchar', length: 255 })
  description!: string;

  @Column({ type: 'enum', enum: CURRENCY_CODES, enumName: 'currency_code' })
  currency!: CurrencyCode;

  /** The amount in `currency`. */
  @Column(AMOUNT)
  amount!: Big;

  @Column({ ...AMOUNT, name: 'amount_usd' })
  amountUsd!: Big;

  /**
   * The value of one unit of `currency` in USD by which the amount was converted; null: in USD, or
   * unknown.
   */
  @Column({ ...RATE, name: 'exchange_rate', nullable: true })
  exchangeRate: Big | null = null;

  /** The date of the stored rate. */
  @Column({ name: 'exchange_rate_date', type: 'date', nullable: true })
  exchangeRateDate: CalendarDate | null = null;

  /** The date of the occurrence of the template, before its weekend rule; null: a manual entry. */
  @Column({ name: 'occurrence_date', type: 'date', nullable: true })
  occurrenceDate: CalendarDate | null = null;

  /** What generation or the last synchronization set; null: none, or a manual entry. */
  @Column({ type: 'jsonb', nullable: true })
  instalment: Instalment | null = null;

  /**
   * What generation or the last synchronization set, to recognize later edits: a value that is
   * missing counts as edited. null for a manual entry and for one that a synchronization removed.
   */
  @Column({ type: 'jsonb', nullable: true })
  generated: Snapshot | null = null;

  /** The request of the synchronization that set `generated`; null: another way, or unknown. */
  @Column({ name: 'generated_operation_id', type: 'uuid', nullable: true })
  generatedOperationId: string | null = null;

  /**
   * true: `generated` only serves to recognize edits, after the undo of a synchronization and after
   * an import; null: it is the plan.
   */
  @Column({ name: 'plan_unknown', type: 'boolean', nullable: true })
  planUnknown: boolean | null = null;

  @Column({ type: 'varchar', length: 1000, nullable: true })
  comments: string | null = null;

  @Column({ type: 'boolean', default: true })
  active = true;

  abstract get type(): EntryType;

  /** The fields that generation sets, whose values `generated` has. */
  abstract get generatedFields(): readonly string[];

  /** The date whose exchange rate converts the amount. */
  abstract get date(): CalendarDate;

  /** The amount in USD that the entry adds to the balance of its cycle. */
  abstract effect(): Money;

  /** Why a synchronization with the templates must not touch the entry; undefined if it may. */
  abstract settledReason(): SettledReason | undefined;

  /** Whether the entry is still to be paid or received: not deleted, and not settled. */
  isOpen(): boolean {
    return this.active && this.settledReason() === undefined;
  }

  /** The specific action of a change; undefined: the default action. */
  abstract actionOf(changes: Changes): ActivityAction | undefined;

  usedRate(): UsedRate | null {
    return usedRate(this);
  }

  plannedAmount(): string | null {
    return plannedAmount(this);
  }

  /**
   * Sets the given fields; undefined: as it is. The amount in USD is that of before.
   *
   * @param method another payment method; null: none
   * @throws ValidationFailedError when the payment method is inactive
   */
  update(fields: Partial<EntryFields>, method?: PaymentMethod | null): void {
    this.choosePaymentMethod(method);
    setFields<CycleEntry>(this, fields);
  }

  /**
   * Takes recorded values back, the conversion to USD included; the others stay.
   *
   * @throws ValidationFailedError when the payment method or the budget is inactive; DomainError
   *   CURRENCY_CONVERSION_ERROR
   */
  override restore(values: Snapshot, choices: Partial<RecordedChoices> = {}): void {
    super.restore(values);
    this.choosePaymentMethod(choices.method);
    this.chooseBudget(choices.budget);
    this.correctConversion();
  }

  private choosePaymentMethod(method: PaymentMethod | null | undefined): void {
    method?.assertActive();
    if (method !== undefined) this.setPaymentMethod(method);
  }

  /** Sets it without a check that it is active; null: none. */
  setPaymentMethod(method: UsedPaymentMethod | null): void {
    this.paymentMethod = method;
    this.paymentMethodId = method?.id ?? null;
  }

  /**
   * @param budget another budget; null: none; undefined: as it is
   * @throws ValidationFailedError when the budget is inactive
   */
  chooseBudget(budget: Budget | null | undefined): void {
    budget?.assertActive();
    if (budget !== undefined) this.setBudget(budget);
  }

  /** Sets it without a check that it is active; null: none. */
  setBudget(budget: UsedBudget | null): void {
    this.budget = budget;
    this.budgetId = budget?.id ?? null;
  }

  /** Whether the amount in USD is the converted amount of the other entry too. */
  isPricedLike({ amount, currency, date }: CycleEntry): boolean {
    return this.amount.eq(amount) && this.currency === currency && this.date === date;
  }

  /** @throws DomainError CURRENCY_CONVERSION_ERROR */
  convert(converter: UsdConverter): void {
    this.setConversion(converter.toUsd(this));
  }

  protected setConversion({ amountUsd, exchangeRate, exchangeRateDate }: Conversion): void {
    this.amountUsd = amountUsd;
    this.exchangeRate = exchangeRate;
    this.exchangeRateDate = exchangeRateDate;
  }

  /**
   * Corrects the amount in USD where only one of it, the amount and the rate was taken back, and
   * another record has changed the others since.
   *
   * @throws DomainError CURRENCY_CONVERSION_ERROR
   */
  private correctConversion(): void {
    const { amount, exchangeRate: rate, amountUsd: result } = this;
    if (this.currency === 'USD') this.amountUsd = amount;
    else if (rate && !canConvertTo({ amount, rate, result })) {
      this.amountUsd = convert(amount, { rate, isInverse: false });
    }
  }
}

/** The fields of expenses and incomes that a body sets. */
export type EntryFields = Editable<CycleEntry, typeof ENTRY_FIELDS>;
