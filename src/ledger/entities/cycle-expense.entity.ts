import { Check, Column, Entity, ForeignKey, Index, JoinColumn, ManyToOne } from 'typeorm';
import type { ActivityAction } from '../../activity/activity-record.entity.js';
import type { Changes } from '../../activity/changes.js';
import { Budget, type UsedBudget } from '../../budgets/budget.entity.js';
import type { UsdConverter } from '../../exchange-rates/exchange-rates.service.js';
import {
  PaymentMethod,
  type UsedPaymentMethod,
} from '../../payment-methods/payment-method.entity.js';
import { INSTANT } from '../../platform/database/columns.js';
import type { CalendarDate } from '../../platform/values/calendar-date.js';
import type { Money } from '../../platform/values/money.js';
import {
  editable,
  editableValues,
  instant,
  recordFields,
  setFields,
  type Editable,
  type NewFields,
  type RecordFields,
} from '../../records/record-fields.js';
import {
  EXPENSE_CATEGORIES,
  type ExpenseCategory,
} from '../../templates/expense-template.entity.js';
import { ExpenseTemplate } from '../../templates/expense-template.entity.js';
import { expenseEffect } from './balance.js';
import {
  CycleEntry,
  ENTRY_FIELDS,
  GENERATED_ENTRY_FIELDS,
  INTERNAL_ENTRY_PROPERTIES,
  type SettledReason,
} from './cycle-entry.entity.js';
import { Cycle } from './cycle.entity.js';
import {
  applyPayment,
  displayedStatus,
  EXPENSE_STATUSES,
  type ExpenseStatus,
  type PaymentChange,
} from './expense-status.js';

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
@ForeignKey(() => ExpenseTemplate, ['templateId', 'householdId'], ['id', 'householdId'], {
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
  paymentMethod?: UsedPaymentMethod;

  /** What it is for; null: not specified. */
  @Column({ name: 'budget_id', type: 'uuid', nullable: true })
  budgetId: string | null = null;

  @ManyToOne(() => Budget, { onDelete: 'CASCADE', nullable: true })
  @JoinColumn([
    {
      name: 'budget_id',
      referencedColumnName: 'id',
      foreignKeyConstraintName: 'fk_cycle_expenses_budget_id',
    },
    { name: 'household_id', referencedColumnName: 'householdId' },
  ])
  budget?: UsedBudget | null;

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
  status: ExpenseStatus = 'pending';

  @Column({ type: 'boolean', default: false })
  paid = false;

  @Column({ ...INSTANT, name: 'paid_at', nullable: true })
  paidAt: Date | null = null;

  static readonly type = 'cycle_expense';

  static readonly fields = recordFields<CycleExpense>()(
    {
      ...ENTRY_FIELDS,
      due_date: editable('dueDate'),
      category: editable('category'),
      status: 'status',
      paid: 'paid',
      paid_at: instant('paidAt'),
      autopay_info: editable('autopayInfo'),
    },
    INTERNAL_ENTRY_PROPERTIES,
  );

  static readonly generatedFields = [
    ...GENERATED_ENTRY_FIELDS,
    'due_date',
    'category',
    'autopay_info',
  ] satisfies (keyof typeof CycleExpense.fields)[];

  /**
   * A pending expense that the ledger can add to a cycle.
   *
   * @throws DomainError CURRENCY_CONVERSION_ERROR
   */
  static create(
    fields: NewFields<ExpenseFields>,
    { method, budget }: { method: UsedPaymentMethod; budget: UsedBudget | null },
    converter: UsdConverter,
  ): CycleExpense {
    const expense = CycleExpense.withFields(fields, method, budget);
    expense.convert(converter);
    return expense;
  }

  private static withFields(
    fields: NewFields<ExpenseFields>,
    method: UsedPaymentMethod,
    budget: UsedBudget | null,
  ): CycleExpense {
    const expense = new CycleExpense();
    expense.begin();
    setFields(expense, fields);
    expense.setPaymentMethod(method);
    expense.setBudget(budget);
    return expense;
  }

  /**
   * A manual, pending expense for another cycle, with the fields, payment method, budget and
   * conversion of this one.
   */
  carriedOver(): CycleExpense {
    const fields = editableValues(CycleExpense.fields, this);
    const expense = CycleExpense.withFields(fields, this.usedPaymentMethod(), this.budget ?? null);
    expense.setConversion(this);
    return expense;
  }

  get type(): typeof CycleExpense.type {
    return CycleExpense.type;
  }

  get fields(): RecordFields {
    return CycleExpense.fields;
  }

  get generatedFields(): readonly string[] {
    return CycleExpense.generatedFields;
  }

  get date(): CalendarDate {
    return this.dueDate;
  }

  effect(): Money {
    return expenseEffect(this);
  }

  settledReason(): SettledReason | undefined {
    if (this.paid) return 'paid';
    return this.status === 'cancelled' ? 'cancelled' : undefined;
  }

  actionOf({ paid, status }: Changes): ActivityAction | undefined {
    if (paid?.to === true) return 'marked_paid';
    if (paid?.to === false && status?.to !== 'cancelled') return 'marked_unpaid';
    return status ? 'status_changed' : undefined;
  }

  /** The payment method, which must be loaded. */
  usedPaymentMethod(): UsedPaymentMethod {
    if (!this.paymentMethod) throw new Error('The payment method is not loaded');
    return this.paymentMethod;
  }

  /** The status that reads show today, with the derived `overdue`. */
  displayedStatus(today: CalendarDate): ExpenseStatus {
    return displayedStatus(this, today);
  }

  /**
   * Changes the status and the payment.
   *
   * @throws ValidationFailedError when `paidAt` is given for an expense that is not paid
   */
  pay(change: PaymentChange, now: Date): void {
    const { status, paid, paidAt } = applyPayment(this, change, now);
    this.status = status;
    this.paid = paid;
    this.paidAt = paidAt;
  }
}

/** The fields of an expense that a body sets. */
export type ExpenseFields = Editable<CycleExpense, typeof CycleExpense.fields>;
