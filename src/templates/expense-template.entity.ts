import { Check, Column, Entity, ForeignKey, Index, JoinColumn, ManyToOne } from 'typeorm';
import { Budget, type UsedBudget } from '../budgets/budget.entity.js';
import { PaymentMethod, type UsedPaymentMethod } from '../payment-methods/payment-method.entity.js';
import type { UserId } from '../platform/values/user-id.js';
import {
  editable,
  recordFields,
  type Editable,
  type RecordFields,
} from '../records/record-fields.js';
import { User } from '../users/user.entity.js';
import { BaseTemplate, TEMPLATE_FIELDS, type NewTemplateFields } from './base-template.entity.js';

export const EXPENSE_CATEGORIES = ['fixed', 'variable'] as const;
export type ExpenseCategory = (typeof EXPENSE_CATEGORIES)[number];

/** A recurring expense, from which cycles generate their expenses. */
@Entity('expense_templates')
@Index('ix_expense_templates_user_id', ['userId'])
@Check('ck_expense_templates_base_amount', 'base_amount > 0')
@Check('ck_expense_templates_ends_on', 'ends_on >= starts_on')
@Check('ck_expense_templates_last_amount', 'last_amount > 0')
export class ExpenseTemplate extends BaseTemplate {
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
  paymentMethod?: UsedPaymentMethod;

  @Column({ name: 'budget_id', type: 'uuid', nullable: true })
  budgetId: string | null = null;

  @ManyToOne(() => Budget, { onDelete: 'CASCADE', nullable: true })
  @JoinColumn([
    {
      name: 'budget_id',
      referencedColumnName: 'id',
      foreignKeyConstraintName: 'fk_expense_templates_budget_id',
    },
    { name: 'household_id', referencedColumnName: 'householdId' },
  ])
  budget?: UsedBudget | null;

  @Column({ type: 'enum', enum: EXPENSE_CATEGORIES, enumName: 'expense_category' })
  category!: ExpenseCategory;

  @Column({ name: 'autopay_info', type: 'text', nullable: true })
  autopayInfo: string | null = null;

  static readonly type = 'recurrent_expense';

  static readonly fields = recordFields<ExpenseTemplate>()(
    {
      ...TEMPLATE_FIELDS,
      category: editable('category'),
      autopay_info: editable('autopayInfo'),
    },
    ['userId', 'paymentMethod', 'budget'],
  );

  static create(
    fields: NewTemplateFields<ExpenseTemplateFields>,
    chosen: { method: UsedPaymentMethod; budget: UsedBudget | null },
  ): ExpenseTemplate {
    const template = new ExpenseTemplate();
    template.setNew(fields, chosen);
    return template;
  }

  get type(): typeof ExpenseTemplate.type {
    return ExpenseTemplate.type;
  }

  get fields(): RecordFields {
    return ExpenseTemplate.fields;
  }

  /** The payment method, which must be loaded. */
  usedPaymentMethod(): UsedPaymentMethod {
    if (!this.paymentMethod) throw new Error('The payment method is not loaded');
    return this.paymentMethod;
  }
}

/** The fields of an expense template that a body sets. */
export type ExpenseTemplateFields = Editable<ExpenseTemplate, typeof ExpenseTemplate.fields>;
