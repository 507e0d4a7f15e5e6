import { Check, Column, Entity, ForeignKey, Index, JoinColumn, ManyToOne } from 'typeorm';
import type { CalendarDate } from '../platform/values/calendar-date.js';
import { EXPENSE_CATEGORIES, type ExpenseCategory } from '../platform/values/enums.js';
import { INSTANT } from '../platform/database/columns.js';
import { PaymentMethod } from '../payment-methods/payment-method.entity.js';
import { Template } from '../templates/template.entity.js';
import { CycleEntry } from './cycle-entry.entity.js';
import { Cycle } from './cycle.entity.js';
import { EXPENSE_STATUSES, type ExpenseStatus } from './expense-status.js';

/** An expense of one cycle. */
@Entity('cycle_expenses')
@Index('ix_cycle_expenses_cycle_id_due_date', ['cycleId', 'dueDate', 'seq'])
@Check('ck_cycle_expenses_amount', 'amount > 0')
@Check('ck_cycle_expenses_amount_usd', 'amount_usd > 0')
@Index('uq_cycle_expenses_occurrence', ['cycleId', 'templateId', 'occurrenceDate', 'householdId'], {
  unique: true,
  where: 'active',
})
@Check('ck_cycle_expenses_exchange_rate', '(exchange_rate IS NULL) = (exchange_rate_date IS NULL)')
@Check('ck_cycle_expenses_paid', `paid = (status = 'paid') AND paid = (paid_at IS NOT NULL)`)
@ForeignKey(() => Cycle, ['cycleId', 'householdId'], ['id', 'householdId'], {
  name: 'fk_cycle_expenses_cycle_id',
  onDelete: 'CASCADE',
})
// A template is only ever removed together with its owner.
@ForeignKey(() => Template, ['templateId', 'householdId'], ['id', 'householdId'], {
  name: 'fk_cycle_expenses_template_id',
  onDelete: 'CASCADE',
})
export class CycleExpense extends CycleEntry {
  @Column({ name: 'cycle_id', type: 'uuid' })
  cycleId!: string;

  @Column({ name: 'template_id', type: 'uuid', nullable: true })
  templateId: string | null = null;

  @Column({ name: 'payment_method_id', type: 'uuid' })
  paymentMethodId!: string;

  @ManyToOne(() => PaymentMethod, { onDelete: 'CASCADE', nullable: false })
  @JoinColumn([
    {
      name: 'payment_method_id',
      referencedColumnName: 'id',
      foreignKeyConstraintName: 'fk_cycle_expenses_payment_method_id',
    },
    { name: 'household_id', referencedColumnName: 'householdId' },
  ])
  paymentMethod?: PaymentMethod;

  @Column({ name: 'due_date', type: 'date' })
  dueDate!: CalendarDate;

  @Column({ type: 'enum', enum: EXPENSE_CATEGORIES, enumName: 'expense_category' })
  category!: ExpenseCategory;

  @Column({ name: 'autopay_info', type: 'text', nullable: true })
  autopayInfo: string | null = null;

  @Column({
    type: 'enum',
    enum: EXPENSE_STATUSES,
    enumName: 'expense_status',
    default: 'pending',
  })
  status!: ExpenseStatus;

  @Column({ type: 'boolean', default: false })
  paid!: boolean;

  @Column({ ...INSTANT, name: 'paid_at', nullable: true })
  paidAt: Date | null = null;
}
