import { Check, Column, Entity, ForeignKey, Index, JoinColumn, ManyToOne } from 'typeorm';
import type { CalendarDate } from '../platform/values/calendar-date.js';
import { INSTANT } from '../platform/database/columns.js';
import { PaymentMethod } from '../payment-methods/payment-method.entity.js';
import { IncomeTemplate } from '../templates/income-template.entity.js';
import { CycleEntry } from './cycle-entry.entity.js';
import { Cycle } from './cycle.entity.js';

/** An income of one cycle. */
@Entity('cycle_incomes')
@Index('ix_cycle_incomes_cycle_id_income_date', ['householdId', 'cycleId', 'incomeDate', 'seq'])
@ForeignKey(() => Cycle, ['cycleId', 'householdId'], ['id', 'householdId'], {
  name: 'fk_cycle_incomes_cycle_id',
  onDelete: 'CASCADE',
})
// A template is only ever removed together with its owner.
@ForeignKey(() => IncomeTemplate, ['templateId', 'householdId'], ['id', 'householdId'], {
  name: 'fk_cycle_incomes_template_id',
  onDelete: 'CASCADE',
})
@Check('ck_cycle_incomes_amount', 'amount > 0')
@Check('ck_cycle_incomes_amount_usd', 'amount_usd > 0')
@Index('uq_cycle_incomes_occurrence', ['householdId', 'cycleId', 'templateId', 'occurrenceDate'], {
  unique: true,
  where: 'active',
})
@Check('ck_cycle_incomes_exchange_rate', '(exchange_rate IS NULL) = (exchange_rate_date IS NULL)')
@Check('ck_cycle_incomes_received', 'received = (received_at IS NOT NULL)')
export class CycleIncome extends CycleEntry {
  @Column({ name: 'cycle_id', type: 'uuid' })
  cycleId!: string;

  @Column({ name: 'template_id', type: 'uuid', nullable: true })
  templateId: string | null = null;

  /** The account that receives the money; null: not specified. */
  @Column({ name: 'payment_method_id', type: 'uuid', nullable: true })
  paymentMethodId: string | null = null;

  @ManyToOne(() => PaymentMethod, { onDelete: 'CASCADE', nullable: true })
  @JoinColumn([
    {
      name: 'payment_method_id',
      referencedColumnName: 'id',
      foreignKeyConstraintName: 'fk_cycle_incomes_payment_method_id',
    },
    { name: 'household_id', referencedColumnName: 'householdId' },
  ])
  paymentMethod?: PaymentMethod | null;

  @Column({ name: 'income_date', type: 'date' })
  incomeDate!: CalendarDate;

  @Column({ type: 'boolean', default: false })
  received!: boolean;

  @Column({ ...INSTANT, name: 'received_at', nullable: true })
  receivedAt: Date | null = null;
}
