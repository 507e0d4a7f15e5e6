import { Check, Column, Entity, ForeignKey, Index, JoinColumn, ManyToOne } from 'typeorm';
import { Budget, type UsedBudget } from '../budgets/budget.entity.js';
import { PaymentMethod, type UsedPaymentMethod } from '../payment-methods/payment-method.entity.js';
import type { UserId } from '../platform/values/user-id.js';
import { recordFields, type RecordFields } from '../records/record-fields.js';
import { User } from '../users/user.entity.js';
import { BaseTemplate, TEMPLATE_FIELDS, type NewTemplateFields } from './base-template.entity.js';

/** A recurring income, from which cycles generate their incomes. */
@Entity('income_templates')
@Index('ix_income_templates_user_id', ['householdId', 'userId'])
@Check('ck_income_templates_base_amount', 'base_amount > 0')
@Check('ck_income_templates_ends_on', 'ends_on >= starts_on')
@Check('ck_income_templates_last_amount', 'last_amount > 0')
export class IncomeTemplate extends BaseTemplate {
  @ForeignKey(() => User, { name: 'fk_income_templates_user_id', onDelete: 'CASCADE' })
  @Column({ name: 'user_id', type: 'uuid' })
  userId!: UserId;

  /** The account that receives the money; null: not specified. */
  @Column({ name: 'payment_method_id', type: 'uuid', nullable: true })
  paymentMethodId: string | null = null;

  @ManyToOne(() => PaymentMethod, { onDelete: 'CASCADE', nullable: true })
  @JoinColumn([
    {
      name: 'payment_method_id',
      referencedColumnName: 'id',
      foreignKeyConstraintName: 'fk_income_templates_payment_method_id',
    },
    { name: 'household_id', referencedColumnName: 'householdId' },
  ])
  paymentMethod?: UsedPaymentMethod | null;

  @Column({ name: 'budget_id', type: 'uuid', nullable: true })
  budgetId: string | null = null;

  @ManyToOne(() => Budget, { onDelete: 'CASCADE', nullable: true })
  @JoinColumn([
    {
      name: 'budget_id',
      referencedColumnName: 'id',
      foreignKeyConstraintName: 'fk_income_templates_budget_id',
    },
    { name: 'household_id', referencedColumnName: 'householdId' },
  ])
  budget?: UsedBudget | null;

  static readonly type = 'recurrent_income';

  static readonly fields = recordFields<IncomeTemplate>()(TEMPLATE_FIELDS, [
    'userId',
    'paymentMethod',
    'budget',
  ]);

  static create(
    fields: NewTemplateFields,
    chosen: { method: UsedPaymentMethod | null; budget: UsedBudget | null },
  ): IncomeTemplate {
    const template = new IncomeTemplate();
    template.setNew(fields, chosen);
    return template;
  }

  get type(): typeof IncomeTemplate.type {
    return IncomeTemplate.type;
  }

  get fields(): RecordFields {
    return IncomeTemplate.fields;
  }
}
