import { Check, Column, Entity, ForeignKey, Index, JoinColumn, ManyToOne } from 'typeorm';
import { EXPENSE_CATEGORIES, type ExpenseCategory } from '../platform/values/enums.js';
import type { UserId } from '../platform/values/user-id.js';
import { PaymentMethod } from '../payment-methods/payment-method.entity.js';
import { User } from '../users/user.entity.js';
import { RecurrentTemplate } from './recurrent-template.entity.js';

/** A recurring expense, from which cycles generate their expenses. */
@Entity('expense_templates')
@Index('ix_expense_templates_user_id', ['userId'])
@Check('ck_expense_templates_base_amount', 'base_amount > 0')
@Check('ck_expense_templates_ends_on', 'ends_on >= starts_on')
export class Template extends RecurrentTemplate {
  @ForeignKey(() => User, { name: 'fk_expense_templates_user_id', onDelete: 'CASCADE' })
  @Column({ name: 'user_id', type: 'uuid' })
  userId!: UserId;

  @Column({ name: 'payment_method_id', type: 'uuid' })
  paymentMethodId!: string;

  @ManyToOne(() => PaymentMethod, { onDelete: 'CASCADE', nullable: false })
  @JoinColumn([
    {
      name: 'payment_method_id',
      referencedColumnName: 'id',
      foreignKeyConstraintName: 'fk_expense_templates_payment_method_id',
    },
    { name: 'household_id', referencedColumnName: 'householdId' },
  ])
  paymentMethod?: PaymentMethod;

  @Column({ type: 'enum', enum: EXPENSE_CATEGORIES, enumName: 'expense_category' })
  category!: ExpenseCategory;

  @Column({ name: 'autopay_info', type: 'text', nullable: true })
  autopayInfo!: string | null;
}
