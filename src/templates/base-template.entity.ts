import type { Big } from 'big.js';
import { Column } from 'typeorm';
import type { Budget, UsedBudget } from '../budgets/budget.entity.js';
import type { UsedPaymentMethod } from '../payment-methods/payment-method.entity.js';
import { AMOUNT } from '../platform/database/columns.js';
import type { CalendarDate } from '../platform/values/calendar-date.js';
import { CURRENCY_CODES, type CurrencyCode } from '../platform/values/currency.js';
import { formatMoney } from '../platform/values/money.js';
import { WEEKEND_RULES, type WeekendRule } from '../platform/values/weekend-rule.js';
import {
  editable,
  money,
  setFields,
  type Editable,
  type NewFields,
  type Snapshot,
} from '../records/record-fields.js';
import { OwnedRecord, TIME_FIELDS } from '../records/stored-record.js';
import type { PlannedRecurrence } from './recurrence/planned-schedule.js';
import {
  RECURRENCE_TYPES,
  type RecurrenceConfig,
  type RecurrenceRule,
  type RecurrenceType,
} from './recurrence/recurrence.js';
import { assertRecurrence } from './recurrence-validation.js';

/** The templates of each kind that a user may have, active or not. */
export const MAX_TEMPLATES = 1000;

/** The changes of the amount of a template. */
export const MAX_AMOUNT_CHANGES = 24;

/** Another amount from a date on, before the weekend rule; it has two decimals. */
export type AmountChange = Readonly<{ from: CalendarDate; amount: string }>;

/** The fields that both kinds of templates have. */
export const TEMPLATE_FIELDS = {
  id: 'id',
  description: editable('description'),
  currency: editable('currency'),
  base_amount: editable(money('baseAmount')),
  amount_changes: editable('amountChanges'),
  last_amount: editable(money('lastAmount')),
  recurrence_type: editable('recurrenceType'),
  recurrence_config: editable({
    properties: ['recurrenceConfig'],
    write: ({ recurrenceConfig }: BaseTemplate): Snapshot => ({ ...recurrenceConfig }),
    read: (config: object, template: BaseTemplate): void => {
      template.recurrenceConfig = storedConfig(config);
    },
  }),
  reference_date: editable('referenceDate'),
  starts_on: editable('startsOn'),
  ends_on: editable('endsOn'),
  skipped_dates: editable('skippedDates'),
  weekend_rule: editable('weekendRule'),
  payment_method_id: 'paymentMethodId',
  budget_id: 'budgetId',
  active: editable('active'),
  ...TIME_FIELDS,
} as const;

/** The common columns of expense and income templates. */
export abstract class BaseTemplate extends OwnedRecord {
  /** null: not specified; never null for expense templates. */
  abstract paymentMethodId: string | null;

  /** Loaded only by queries that request the relation. */
  abstract paymentMethod?: UsedPaymentMethod | null;

  /** The budget of the generated entries; null: not specified. */
  abstract budgetId: string | null;

  /** Loaded only by queries that request the relation. */
  abstract budget?: UsedBudget | null;

  abstract get type(): 'recurrent_expense' | 'recurrent_income';

  @Column({ type: 'varchar', length: 255 })
  description!: string;

  @Column({ type: 'enum', enum: CURRENCY_CODES, enumName: 'currency_code' })
  currency!: CurrencyCode;

  @Column({ ...AMOUNT, name: 'base_amount' })
  baseAmount!: Big;

  /** Ascending by date, each date once. */
  @Column({ name: 'amount_changes', type: 'jsonb', default: [] })
  amountChanges: readonly AmountChange[] = [];

  /** The amount of the last occurrence, of a template that ends; null: as the others. */
  @Column({ ...AMOUNT, name: 'last_amount', nullable: true })
  lastAmount: Big | null = null;

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

  /** No occurrence is dated before it; null: no limit. */
  @Column({ name: 'starts_on', type: 'date', nullable: true })
  startsOn: CalendarDate | null = null;

  /** No occurrence is dated after it; null: no limit. */
  @Column({ name: 'ends_on', type: 'date', nullable: true })
  endsOn: CalendarDate | null = null;

  /** Dates before the weekend rule that have no occurrence; ascending, each once. */
  @Column({ name: 'skipped_dates', type: 'jsonb', default: [] })
  skippedDates: readonly CalendarDate[] = [];

  @Column({
    name: 'weekend_rule',
    type: 'enum',
    enum: WEEKEND_RULES,
    enumName: 'weekend_rule',
    default: 'keep',
  })
  weekendRule: WeekendRule = 'keep';

  @Column({ type: 'boolean', default: true })
  active = true;

  /** Sets the fields of a new template, which the repository inserts. */
  protected setNew(
    fields: NewTemplateFields,
    { method, budget }: { method: UsedPaymentMethod | null; budget: UsedBudget | null },
  ): void {
    const { recurrenceConfig, weekendRule, amountChanges, skippedDates, ...others } = fields;
    this.begin();
    setFields<BaseTemplate>(this, others);
    this.recurrenceConfig = storedConfig(recurrenceConfig);
    this.weekendRule = weekendRule ?? 'keep';
    this.amountChanges = storedChanges(amountChanges ?? []);
    this.skippedDates = skippedDates ?? [];
    this.setPaymentMethod(method);
    this.setBudget(budget);
  }

  /**
   * Sets the given fields; undefined: as it is.
   *
   * @param method another payment method; null: none
   * @throws ValidationFailedError when the config does not fit the type, the end would be before the
   *   start, or there would be a last amount without an end
   */
  update(fields: Partial<TemplateFields>, method?: UsedPaymentMethod | null): void {
    const { recurrenceConfig: config = this.recurrenceConfig, amountChanges, ...others } = fields;
    if (method !== undefined) this.setPaymentMethod(method);
    setFields<BaseTemplate>(this, others);
    if (amountChanges) this.amountChanges = storedChanges(amountChanges);
    this.recurrenceConfig = storedConfig(config);
    assertRecurrence(this, config);
  }

  /**
   * Takes recorded values back; the others stay.
   *
   * @param method another payment method; null: none
   * @throws ValidationFailedError when the values that result contradict each other
   */
  override restore(values: Snapshot, method?: UsedPaymentMethod | null): void {
    super.restore(values);
    this.update({}, method);
  }

  private setPaymentMethod(method: UsedPaymentMethod | null): void {
    this.paymentMethod = method;
    this.paymentMethodId = method?.id ?? null;
  }

  /**
   * @param budget another budget; null: none; undefined: as it is
   * @throws ValidationFailedError when the budget is inactive
   */
  chooseBudget(budget: Budget | null | undefined): void {
    budget?.assertActive();
    if (budget !== undefined) this.setBudget(budget);
  }

  /** Sets it without a check that it is active; null: none. */
  setBudget(budget: UsedBudget | null): void {
    this.budget = budget;
    this.budgetId = budget?.id ?? null;
  }
}

export type RecurrenceColumns = Pick<
  BaseTemplate,
  | 'recurrenceType'
  | 'recurrenceConfig'
  | 'referenceDate'
  | 'startsOn'
  | 'endsOn'
  | 'skippedDates'
  | 'weekendRule'
>;

type GivenAmountChange = Readonly<{ from: CalendarDate; amount: Big }>;

/**
 * The fields that a body sets; the config is the one of the body, in which null is the same as
 * omitted.
 */
export type TemplateFields<Set = Editable<BaseTemplate, typeof TEMPLATE_FIELDS>> = Omit<
  Set,
  'recurrenceConfig' | 'amountChanges'
> & { recurrenceConfig: object; amountChanges: readonly GivenAmountChange[] };

/** What a body sets in a new template, by default with the weekend rule `keep` and empty lists. */
export type NewTemplateFields<Set = Editable<BaseTemplate, typeof TEMPLATE_FIELDS>> = Omit<
  NewFields<TemplateFields<Set>>,
  'weekendRule' | 'amountChanges' | 'skippedDates'
> & {
  weekendRule?: WeekendRule | null;
  amountChanges?: readonly GivenAmountChange[] | null;
  skippedDates?: readonly CalendarDate[] | null;
};

/** The recurrence of a template, with its skipped dates. */
export function recurrenceOf(template: RecurrenceColumns): PlannedRecurrence {
  const { recurrenceType: type, recurrenceConfig: config } = template;
  return {
    // The config was validated for the type when it was stored.
    rule: { type, config } as RecurrenceRule,
    referenceDate: template.referenceDate,
    startsOn: template.startsOn,
    endsOn: template.endsOn,
    weekendRule: template.weekendRule,
    skippedDates: template.skippedDates,
  };
}

/** Removes optional fields that are null, which is the same as omitted. */
export function storedConfig(config: object): RecurrenceConfig {
  const defined = Object.entries(config).filter(
    ([, value]) => value !== null && value !== undefined,
  );
  return Object.fromEntries(defined) as unknown as RecurrenceConfig;
}

/** The changes of a body, with amounts as they are stored. */
export const storedChanges = (changes: readonly GivenAmountChange[]): AmountChange[] =>
  changes.map(({ from, amount }) => ({ from, amount: formatMoney(amount) }));
