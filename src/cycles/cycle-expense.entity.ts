import type { Big } from 'big.js';
import { Check, Column, Entity, ForeignKey, Index, JoinColumn, ManyToOne } from 'typeorm';
import type { CalendarDate } from '../common/calendar-date.js';
import {
  CURRENCY_CODES,
  EXPENSE_CATEGORIES,
  type CurrencyCode,
  type ExpenseCategory,
} from '../common/enums.js';
import { AMOUNT, INSTANT } from '../database/columns.js';
import { StoredRecord } from '../database/stored-record.js';
import { PaymentMethod } from '../payment-methods/payment-method.entity.js';
import { Template } from '../templates/template.entity.js';
import { Cycle } from './cycle.entity.js';
import { EXPENSE_STATUSES, type ExpenseStatus } from './expense-status.js';

/** An expense of one cycle; its owner is the cycle's. */
@Entity('cycle_expenses')
@Index('ix_cycle_expenses_cycle_id_due_date', ['cycleId', 'dueDate', 'seq'])
@Check('ck_cycle_expenses_amount', 'amount > 0')
@Check('ck_cycle_expenses_amount_usd', 'amount_usd > 0')
@Check('ck_cycle_expenses_paid', `paid = (status = 'paid') AND paid = (paid_at IS NOT NULL)`)
export class CycleExpense extends StoredRecord {
  @ForeignKey(() => Cycle, { name: 'fk_cycle_expenses_cycle_id', onDelete: 'CASCADE' })
  @Column({ name: 'cycle_id', type: 'uuid' })
  cycleId!: string;

  /** Null for a manual expense. */
  @ForeignKey(() => Template, { name: 'fk_cycle_expenses_template_id', onDelete: 'SET NULL' })
  @Column({ name: 'template_id', type: 'uuid', nullable: true })
  templateId!: string | null;

  @Column({ name: 'payment_method_id', type: 'uuid' })
  paymentMethodId!: string;

  /** Only where a query asks for it. */
  @ManyToOne(() => PaymentMethod, { onDelete: 'CASCADE', nullable: false })
  @JoinColumn({
    name: 'payment_method_id',
    foreignKeyConstraintName: 'fk_cycle_expenses_payment_method_id',
  })
  paymentMethod?: PaymentMethod;

  @Column({ type: 'varchar', length: 255 })
  description!: string;

  @Column({ type: 'enum', enum: CURRENCY_CODES, enumName: 'currency_code' })
  currency!: CurrencyCode;

  /** In `currency`. */
  @Column(AMOUNT)
  amount!: Big;

  @Column({ ...AMOUNT, name: 'amount_usd' })
  amountUsd!: Big;

  @Column({ name: 'due_date', type: 'date' })
  dueDate!: CalendarDate;

  @Column({ type: 'enum', enum: EXPENSE_CATEGORIES, enumName: 'expense_category' })
  category!: ExpenseCategory;

  @Column({ name: 'autopay_info', type: 'text', nullable: true })
  autopayInfo!: string | null;

  @Column({
    type: 'enum',
    enum: EXPENSE_STATUSES,
    enumName: 'expense_status',
    default: 'pending',
  })
  status!: ExpenseStatus;

  @Column({ type: 'varchar', length: 1000, nullable: true })
  comments!: string | null;

  @Column({ type: 'boolean', default: false })
  paid!: boolean;

  @Column({ ...INSTANT, name: 'paid_at', nullable: true })
  paidAt!: Date | null;

  @Column({ type: 'boolean', default: true })
  active!: boolean;
}
