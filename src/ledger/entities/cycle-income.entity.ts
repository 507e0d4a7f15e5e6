import { Check, Column, Entity, ForeignKey, Index, JoinColumn, ManyToOne } from 'typeorm';
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
import { IncomeTemplate } from '../../templates/income-template.entity.js';
import { incomeEffect } from './balance.js';
import {
  CycleEntry,
  ENTRY_FIELDS,
  GENERATED_ENTRY_FIELDS,
  INTERNAL_ENTRY_PROPERTIES,
  type SettledReason,
} from './cycle-entry.entity.js';
import { Cycle } from './cycle.entity.js';
import { applyReceipt, type ReceiptChange } from './income-receipt.js';

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
  paymentMethod?: UsedPaymentMethod | null;

  /** What the money is given back for, such as a refund; null: not specified. */
  @Column({ name: 'budget_id', type: 'uuid', nullable: true })
  budgetId: string | null = null;

  @ManyToOne(() => Budget, { onDelete: 'CASCADE', nullable: true })
  @JoinColumn([
    {
      name: 'budget_id',
      referencedColumnName: 'id',
      foreignKeyConstraintName: 'fk_cycle_incomes_budget_id',
    },
    { name: 'household_id', referencedColumnName: 'householdId' },
  ])
  budget?: UsedBudget | null;

  @Column({ name: 'income_date', type: 'date' })
  incomeDate!: CalendarDate;

  @Column({ type: 'boolean', default: false })
  received = false;

  @Column({ ...INSTANT, name: 'received_at', nullable: true })
  receivedAt: Date | null = null;

  static readonly type = 'cycle_income';

  static readonly fields = recordFields<CycleIncome>()(
    {
      ...ENTRY_FIELDS,
      income_date: editable('incomeDate'),
      received: 'received',
      received_at: instant('receivedAt'),
    },
    INTERNAL_ENTRY_PROPERTIES,
  );

  static readonly generatedFields = [
    ...GENERATED_ENTRY_FIELDS,
    'income_date',
  ] satisfies (keyof typeof CycleIncome.fields)[];

  /**
   * An income that is not yet received, and that the ledger can add to a cycle.
   *
   * @throws DomainError CURRENCY_CONVERSION_ERROR
   */
  static create(
    fields: NewFields<IncomeFields>,
    { method, budget }: { method: UsedPaymentMethod | null; budget: UsedBudget | null },
    converter: UsdConverter,
  ): CycleIncome {
    const income = CycleIncome.withFields(fields, method, budget);
    income.convert(converter);
    return income;
  }

  private static withFields(
    fields: NewFields<IncomeFields>,
    method: UsedPaymentMethod | null,
    budget: UsedBudget | null,
  ): CycleIncome {
    const income = new CycleIncome();
    income.begin();
    setFields(income, fields);
    income.setPaymentMethod(method);
    income.setBudget(budget);
    return income;
  }

  /**
   * A manual income for another cycle that is not received, with the fields, payment method, budget
   * and conversion of this one.
   */
  carriedOver(): CycleIncome {
    if (this.paymentMethod === undefined) throw new Error('The payment method is not loaded');
    const fields = editableValues(CycleIncome.fields, this);
    const income = CycleIncome.withFields(fields, this.paymentMethod, this.budget ?? null);
    income.setConversion(this);
    return income;
  }

  get type(): typeof CycleIncome.type {
    return CycleIncome.type;
  }

  get fields(): RecordFields {
    return CycleIncome.fields;
  }

  get generatedFields(): readonly string[] {
    return CycleIncome.generatedFields;
  }

  get date(): CalendarDate {
    return this.incomeDate;
  }

  effect(): Money {
    return incomeEffect(this);
  }

  settledReason(): SettledReason | undefined {
    return this.received ? 'received' : undefined;
  }

  actionOf(): undefined {
    return undefined;
  }

  /**
   * Changes the receipt.
   *
   * @throws ValidationFailedError when `receivedAt` is given for an income that is not received
   */
  receive(change: ReceiptChange, now: Date): void {
    const { received, receivedAt } = applyReceipt(this, change, now);
    this.received = received;
    this.receivedAt = receivedAt;
  }
}

/** The fields of an income that a body sets. */
export type IncomeFields = Editable<CycleIncome, typeof CycleIncome.fields>;
