import type { Big } from 'big.js';
import { Check, Column, Entity, ForeignKey, Index, JoinColumn, ManyToOne } from 'typeorm';
import type { CalendarDate } from '../common/calendar-date.js';
import {
  CURRENCY_CODES,
  EXPENSE_CATEGORIES,
  type CurrencyCode,
  type ExpenseCategory,
} from '../common/enums.js';
import type { UserId } from '../common/user-id.js';
import { AMOUNT } from '../database/columns.js';
import { OwnedRecord } from '../database/stored-record.js';
import { PaymentMethod } from '../payment-methods/payment-method.entity.js';
import { User } from '../users/user.entity.js';
import {
  RECURRENCE_TYPES,
  type RecurrenceConfig,
  type RecurrenceType,
} from './recurrence/recurrence.js';

/** A recurring expense: what cycles generate their expenses from. */
@Entity('expense_templates')
@Index('ix_expense_templates_user_id', ['userId'])
@Check('ck_expense_templates_base_amount', 'base_amount > 0')
export class Template extends OwnedRecord {
  @ForeignKey(() => User, { name: 'fk_expense_templates_user_id', onDelete: 'CASCADE' })
  @Column({ name: 'user_id', type: 'uuid' })
  userId!: UserId;

  @Column({ name: 'payment_method_id', type: 'uuid' })
  paymentMethodId!: string;

  /** Only where a query asks for it. */
  @ManyToOne(() => PaymentMethod, { onDelete: 'CASCADE', nullable: false })
  @JoinColumn({
    name: 'payment_method_id',
    foreignKeyConstraintName: 'fk_expense_templates_payment_method_id',
  })
  paymentMethod?: PaymentMethod;

  @Column({ type: 'varchar', length: 255 })
  description!: string;

  @Column({ type: 'enum', enum: CURRENCY_CODES, enumName: 'currency_code' })
  currency!: CurrencyCode;

  @Column({ ...AMOUNT, name: 'base_amount' })
  baseAmount!: Big;

  @Column({ type: 'enum', enum: EXPENSE_CATEGORIES, enumName: 'expense_category' })
  category!: ExpenseCategory;

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

  @Column({ name: 'autopay_info', type: 'text', nullable: true })
  autopayInfo!: string | null;

  @Column({ type: 'boolean', default: true })
  active!: boolean;
}
