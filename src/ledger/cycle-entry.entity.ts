import type { Big } from 'big.js';
import { Column } from 'typeorm';
import { AMOUNT, RATE } from '../platform/database/columns.js';
import { HouseholdRecord } from '../platform/database/stored-record.js';
import { CURRENCY_CODES, type CurrencyCode } from '../platform/values/enums.js';
import type { CalendarDate } from '../platform/values/calendar-date.js';
import type { Snapshot } from '../activity/changes.js';
import type { PaymentMethod } from '../payment-methods/payment-method.entity.js';

/** Expenses of a cycle, and incomes of a cycle; deleted ones do not count. */
export const MAX_ENTRIES = 2000;

/** The common columns of the expenses and incomes of a cycle; their owner is the owner of the cycle. */
export abstract class CycleEntry extends HouseholdRecord {
  abstract cycleId: string;

  /** null: a manual entry. */
  abstract templateId: string | null;

  /** null: not specified; never null for expenses. */
  abstract paymentMethodId: string | null;

  /** Loaded only by queries that request the relation. */
  abstract paymentMethod?: PaymentMethod | null;

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
   * What generation or the last synchronization set, to recognize later edits; null for a manual entry and for one
   * that a synchronization removed.
   */
  @Column({ type: 'jsonb', nullable: true })
  generated: Snapshot | null = null;

  @Column({ type: 'varchar', length: 1000, nullable: true })
  comments: string | null = null;

  @Column({ type: 'boolean', default: true })
  active!: boolean;
}
