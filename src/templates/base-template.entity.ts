import { Big } from 'big.js';
import { randomUUID } from 'node:crypto';
import { Column } from 'typeorm';
import type { Snapshot } from '../activity/changes.js';
import type { UsedPaymentMethod } from '../payment-methods/payment-method.entity.js';
import { AMOUNT } from '../platform/database/columns.js';
import type { CalendarDate } from '../platform/values/calendar-date.js';
import { CURRENCY_CODES, type CurrencyCode } from '../platform/values/currency.js';
import type { Instant } from '../platform/values/instant.js';
import { formatMoney } from '../platform/values/money.js';
import { OwnedRecord } from '../records/stored-record.js';
import {
  RECURRENCE_TYPES,
  WEEKEND_RULES,
  type Recurrence,
  type RecurrenceConfig,
  type RecurrenceRule,
  type RecurrenceType,
  type WeekendRule,
} from './recurrence/recurrence.js';
import { assertRecurrence } from './recurrence-validation.js';

/** Of each kind, per user, active or not. */
export const MAX_TEMPLATES = 1000;

/** The state that the activity log records. */
export type TemplateSnapshot = Readonly<{
  id: string;
  description: string;
  currency: CurrencyCode;
  base_amount: string;
  recurrence_type: RecurrenceType;
  recurrence_config: Snapshot;
  reference_date: CalendarDate;
  starts_on: CalendarDate | null;
  ends_on: CalendarDate | null;
  weekend_rule: WeekendRule;
  payment_method_id: string | null;
  active: boolean;
  created_at: Instant;
  updated_at: Instant;
}>;

/** The common columns of expense and income templates. */
export abstract class BaseTemplate extends OwnedRecord {
  /** null: not specified; never null for expense templates. */
  abstract paymentMethodId: string | null;

  /** Loaded only by queries that request the relation. */
  abstract paymentMethod?: UsedPaymentMethod | null;

  abstract get type(): 'recurrent_expense' | 'recurrent_income';

  @Column({ type: 'varchar', length: 255 })
  description!: string;

  @Column({ type: 'enum', enum: CURRENCY_CODES, enumName: 'currency_code' })
  currency!: CurrencyCode;

  @Column({ ...AMOUNT, name: 'base_amount' })
  baseAmount!: Big;

  @Column({
    name: 'recurrence_type',
    type: 'enum',
    enum: RECURRENCE_TYPES,
    enumName: 'recurrence_type',
  })
  recurrenceType!: RecurrenceType;

  @Column({ name: 'recurrence_config', type: 'jsonb', default: {} })
  recurrenceConfig!: RecurrenceConfig;

  @Column({ name: 'reference_date', type: 'date' })
  referenceDate!: CalendarDate;

  /** No occurrence is dated before it; null: no limit. */
  @Column({ name: 'starts_on', type: 'date', nullable: true })
  startsOn: CalendarDate | null = null;

  /** No occurrence is dated after it; null: no limit. */
  @Column({ name: 'ends_on', type: 'date', nullable: true })
  endsOn: CalendarDate | null = null;

  @Column({
    name: 'weekend_rule',
    type: 'enum',
    enum: WEEKEND_RULES,
    enumName: 'weekend_rule',
    default: 'keep',
  })
  weekendRule: WeekendRule = 'keep';

  @Column({ type: 'boolean', default: true })
  active = true;

  /** Begins a new template, which the repository inserts. */
  protected begin(fields: TemplateFields, method: UsedPaymentMethod | null): void {
    this.id = randomUUID();
    this.createdAt = new Date();
    this.updatedAt = this.createdAt;
    this.description = fields.description;
    this.currency = fields.currency;
    this.baseAmount = fields.baseAmount;
    this.recurrenceType = fields.recurrenceType;
    this.recurrenceConfig = storedConfig(fields.recurrenceConfig);
    this.referenceDate = fields.referenceDate;
    this.startsOn = fields.startsOn;
    this.endsOn = fields.endsOn;
    this.weekendRule = fields.weekendRule;
    this.setPaymentMethod(method);
  }

  /**
   * Sets the given fields; undefined: as it is.
   *
   * @param method another payment method; null: none
   * @throws ValidationFailedError when the config does not fit the type, or the end would be before
   *   the start
   */
  update(
    fields: Partial<TemplateFields & Pick<this, 'active'>>,
    method?: UsedPaymentMethod | null,
  ): void {
    if (method !== undefined) this.setPaymentMethod(method);
    this.description = fields.description ?? this.description;
    this.currency = fields.currency ?? this.currency;
    this.baseAmount = fields.baseAmount ?? this.baseAmount;
    this.recurrenceType = fields.recurrenceType ?? this.recurrenceType;
    const config = fields.recurrenceConfig ?? this.recurrenceConfig;
    this.recurrenceConfig = storedConfig(config);
    this.referenceDate = fields.referenceDate ?? this.referenceDate;
    if (fields.startsOn !== undefined) this.startsOn = fields.startsOn;
    if (fields.endsOn !== undefined) this.endsOn = fields.endsOn;
    this.weekendRule = fields.weekendRule ?? this.weekendRule;
    this.active = fields.active ?? this.active;
    assertRecurrence(this, config);
  }

  /**
   * Takes recorded values back; the others stay.
   *
   * @param method another payment method; null: none
   * @throws ValidationFailedError when the values that result contradict each other
   */
  restore(values: Snapshot, method?: UsedPaymentMethod | null): void {
    const recorded = values as Partial<TemplateSnapshot>;
    this.update(
      {
        description: recorded.description,
        currency: recorded.currency,
        baseAmount: recorded.base_amount === undefined ? undefined : new Big(recorded.base_amount),
        recurrenceType: recorded.recurrence_type,
        recurrenceConfig: recorded.recurrence_config,
        referenceDate: recorded.reference_date,
        startsOn: recorded.starts_on,
        endsOn: recorded.ends_on,
        weekendRule: recorded.weekend_rule,
        active: recorded.active,
      },
      method,
    );
  }

  /** The state that the activity log records. */
  snapshot(): TemplateSnapshot {
    return {
      id: this.id,
      description: this.description,
      currency: this.currency,
      base_amount: formatMoney(this.baseAmount),
      recurrence_type: this.recurrenceType,
      recurrence_config: { ...this.recurrenceConfig },
      reference_date: this.referenceDate,
      starts_on: this.startsOn,
      ends_on: this.endsOn,
      weekend_rule: this.weekendRule,
      payment_method_id: this.paymentMethodId,
      active: this.active,
      created_at: this.createdAt.toISOString(),
      updated_at: this.updatedAt.toISOString(),
    };
  }

  private setPaymentMethod(method: UsedPaymentMethod | null): void {
    this.paymentMethod = method;
    this.paymentMethodId = method?.id ?? null;
  }
}

export type RecurrenceColumns = Pick<
  BaseTemplate,
  'recurrenceType' | 'recurrenceConfig' | 'referenceDate' | 'startsOn' | 'endsOn' | 'weekendRule'
>;

/**
 * The fields that a body sets; the config is the one of the body, in which null is the same as
 * omitted.
 */
export type TemplateFields = Pick<BaseTemplate, 'description' | 'currency' | 'baseAmount'> &
  Omit<RecurrenceColumns, 'recurrenceConfig'> & { recurrenceConfig: object };

/** The recurrence of a template. */
export function recurrenceOf(template: RecurrenceColumns): Recurrence {
  const { recurrenceType: type, recurrenceConfig: config } = template;
  return {
    // The config was validated for the type when it was stored.
    rule: { type, config } as RecurrenceRule,
    referenceDate: template.referenceDate,
    startsOn: template.startsOn,
    endsOn: template.endsOn,
    weekendRule: template.weekendRule,
  };
}

/** Removes optional fields that are null, which is the same as omitted. */
export function storedConfig(config: object): RecurrenceConfig {
  const defined = Object.entries(config).filter(
    ([, value]) => value !== null && value !== undefined,
  );
  return Object.fromEntries(defined) as unknown as RecurrenceConfig;
}
