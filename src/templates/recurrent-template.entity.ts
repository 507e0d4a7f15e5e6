import type { Big } from 'big.js';
import { Column } from 'typeorm';
import { AMOUNT } from '../platform/database/columns.js';
import { OwnedRecord } from '../platform/database/stored-record.js';
import type { CalendarDate } from '../platform/values/calendar-date.js';
import { CURRENCY_CODES, type CurrencyCode } from '../platform/values/enums.js';
import type { PaymentMethod } from '../payment-methods/payment-method.entity.js';
import {
  RECURRENCE_TYPES,
  WEEKEND_RULES,
  type Recurrence,
  type RecurrenceConfig,
  type RecurrenceRule,
  type RecurrenceType,
  type WeekendRule,
} from './recurrence/recurrence.js';

/** Of each kind, per user, active or not. */
export const MAX_TEMPLATES = 1000;

/** The common columns of expense and income templates. */
export abstract class RecurrentTemplate extends OwnedRecord {
  /** null: not specified; never null for expense templates. */
  abstract paymentMethodId: string | null;

  /** Loaded only by queries that request the relation. */
  abstract paymentMethod?: PaymentMethod | null;

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
  startsOn!: CalendarDate | null;

  /** No occurrence is dated after it; null: no limit. */
  @Column({ name: 'ends_on', type: 'date', nullable: true })
  endsOn!: CalendarDate | null;

  @Column({
    name: 'weekend_rule',
    type: 'enum',
    enum: WEEKEND_RULES,
    enumName: 'weekend_rule',
    default: 'keep',
  })
  weekendRule!: WeekendRule;

  @Column({ type: 'boolean', default: true })
  active!: boolean;
}

export type RecurrenceColumns = Pick<
  RecurrentTemplate,
  'recurrenceType' | 'recurrenceConfig' | 'referenceDate' | 'startsOn' | 'endsOn' | 'weekendRule'
>;

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
