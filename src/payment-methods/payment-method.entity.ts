import { isDeepStrictEqual } from 'node:util';
import sql from 'sql-template-tag';
import { Column, Entity, ForeignKey, Index, Unique } from 'typeorm';
import { ValidationFailedError } from '../platform/errors/domain-error.js';
import type { FieldReason } from '../platform/errors/field-reasons.js';
import type { CalendarDate } from '../platform/values/calendar-date.js';
import { CURRENCY_CODES, type CurrencyCode } from '../platform/values/currency.js';
import type { UserId } from '../platform/values/user-id.js';
import { WEEKEND_RULES, type WeekendRule } from '../platform/values/weekend-rule.js';
import {
  editable,
  recordFields,
  setFields,
  type Editable,
  type NewFields,
  type RecordFields,
  type Snapshot,
} from '../records/record-fields.js';
import { NamedRecord, TIME_FIELDS } from '../records/stored-record.js';
import { User } from '../users/user.entity.js';
import {
  firstClosing,
  isAllowedFirstClosing,
  nextClosing,
  settableClosingDays,
  storedClosingDays,
  type ClosingDays,
  type StatementRules,
} from './statement-dates.js';
import { statementErrors } from './statement-errors.js';

/** Per user, active or not. */
export const MAX_PAYMENT_METHODS = 1000;

export const PAYMENT_METHOD_TYPES = ['debit', 'credit', 'cash', 'transfer'] as const;
export type PaymentMethodType = (typeof PAYMENT_METHOD_TYPES)[number];

/** A card, an account or cash, used to pay expenses. */
@Entity('payment_methods')
@Unique('uq_payment_methods_user_id_name', ['userId', 'name', 'householdId'])
@Index('ix_payment_methods_paid_from_id', ['paidFromId'], { where: 'paid_from_id IS NOT NULL' })
@ForeignKey(() => PaymentMethod, ['paidFromId', 'householdId'], ['id', 'householdId'], {
  name: 'fk_payment_methods_paid_from_id',
  // Rows that name later ones are inserted in several statements.
  deferrable: 'INITIALLY DEFERRED',
})
export class PaymentMethod extends NamedRecord {
  @ForeignKey(() => User, { name: 'fk_payment_methods_user_id', onDelete: 'CASCADE' })
  @Column({ name: 'user_id', type: 'uuid' })
  userId!: UserId;

  @Column({
    name: 'method_type',
    type: 'enum',
    enum: PAYMENT_METHOD_TYPES,
    enumName: 'payment_method_type',
  })
  methodType!: PaymentMethodType;

  @Column({
    name: 'default_currency',
    type: 'enum',
    enum: CURRENCY_CODES,
    enumName: 'currency_code',
  })
  defaultCurrency!: CurrencyCode;

  @Column({ type: 'varchar', length: 500, nullable: true })
  description: string | null = null;

  /** The day of the month on which its statements close, see {@link StatementRules}; null: none. */
  @Column({ name: 'closing_day', type: 'smallint', nullable: true })
  closingDay: number | null = null;

  @Column({ name: 'due_day', type: 'smallint', nullable: true })
  dueDay: number | null = null;

  @Column({ name: 'due_days_after', type: 'smallint', nullable: true })
  dueDaysAfter: number | null = null;

  @Column({
    name: 'due_weekend_rule',
    type: 'enum',
    enum: WEEKEND_RULES,
    enumName: 'weekend_rule',
    default: 'keep',
  })
  dueWeekendRule: WeekendRule = 'keep';

  /** The closing of the first statement by these rules; null without statements. */
  @Column({ name: 'first_closing_date', type: 'date', nullable: true })
  firstClosingDate: CalendarDate | null = null;

  /** Whether a statement counts as paid in full once its due date has passed. */
  @Column({ type: 'boolean', default: false })
  autopay = false;

  /** The payment method from which it is paid; null: the main one. */
  @Column({ name: 'paid_from_id', type: 'uuid', nullable: true })
  paidFromId: string | null = null;

  static readonly type = 'payment_method';

  static readonly fields = recordFields<PaymentMethod>()(
    {
      id: 'id',
      name: editable('name'),
      method_type: editable('methodType'),
      default_currency: editable('defaultCurrency'),
      description: editable('description'),
      closing_day: editable('closingDay'),
      due_day: editable('dueDay'),
      due_days_after: editable('dueDaysAfter'),
      due_weekend_rule: editable('dueWeekendRule'),
      first_closing_date: editable('firstClosingDate'),
      autopay: editable('autopay'),
      paid_from_id: 'paidFromId',
      active: editable('active'),
      ...TIME_FIELDS,
    },
    ['userId'],
  );

  get type(): typeof PaymentMethod.type {
    return PaymentMethod.type;
  }

  get fields(): RecordFields {
    return PaymentMethod.fields;
  }

  /** @throws ValidationFailedError when the rules of its statements contradict each other */
  static create(fields: NewPaymentMethodFields, today: CalendarDate): PaymentMethod {
    const method = new PaymentMethod();
    method.begin();
    method.update(fields, today);
    return method;
  }

  /**
   * One that was stored before, whose first closing may be long ago.
   *
   * @throws ValidationFailedError when the rules of its statements contradict each other
   */
  static createAgain(fields: NewPaymentMethodFields, today: CalendarDate): PaymentMethod {
    const method = new PaymentMethod();
    method.begin();
    method.set(fields, today, storedClosingDays(today));
    return method;
  }

  /**
   * Sets the given fields; undefined: as it is. Without a closing day it has no statements, so that
   * what else is known of them is cleared unless it is given.
   *
   * @throws ValidationFailedError when the rules of statements contradict each other
   */
  update(fields: Partial<PaymentMethodFields>, today: CalendarDate): void {
    this.set(fields, today, settableClosingDays(today));
  }

  /**
   * Takes recorded values back; the others stay.
   *
   * @throws ValidationFailedError when the values that result contradict each other
   */
  override restore(values: Snapshot): void {
    super.restore(values);
    this.assertRules();
  }

  /** @param method pays its statements; null: the main one; undefined: as it is */
  choosePaidFrom(method: PaymentMethod | null | undefined): void {
    if (method !== undefined) this.paidFromId = method?.id ?? null;
  }

  /** @throws ValidationFailedError when the chosen one is inactive, itself or has statements */
  assertPaidFrom(method: PaymentMethod | null | undefined): void {
    if (!method) return;
    if (!method.active) {
      refuse('paid_from_id', 'inactive', 'must be the id of an active payment method');
    }
    if (method.id === this.id || method.closingDay !== null) {
      refuse('paid_from_id', 'not_an_option', 'must be another payment method without closing_day');
    }
  }

  /** @throws ValidationFailedError when it is a card with statements, which has no balance */
  assertHasNoStatements(): void {
    if (this.closingDay === null) return;
    refuse('payment_method_id', 'not_an_option', 'must not be a card with statements');
  }

  /** When its statements close and are due; null: it has none. */
  statementRules(): StatementRules | null {
    const { closingDay, dueDay, dueDaysAfter, dueWeekendRule } = this;
    return closingDay === null ? null : { closingDay, dueDay, dueDaysAfter, dueWeekendRule };
  }

  private set(
    { firstClosingDate, ...fields }: Partial<PaymentMethodFields>,
    today: CalendarDate,
    firstDays: ClosingDays,
  ): void {
    const before = this.statementRules();
    if (fields.closingDay === null) Object.assign(this, NO_STATEMENTS);
    setFields<Omit<PaymentMethodFields, 'firstClosingDate'>>(this, fields);
    this.assertRules();
    this.setFirstClosing(firstClosingDate ?? null, { before, today, firstDays });
  }

  private assertRules(): void {
    const errors = statementErrors(this);
    if (Object.keys(errors).length > 0) throw new ValidationFailedError(errors);
  }

  /** @param given null: by the rules; the present one is kept while they are */
  private setFirstClosing(
    given: CalendarDate | null,
    {
      before,
      today,
      firstDays,
    }: { before: StatementRules | null; today: CalendarDate; firstDays: ClosingDays },
  ): void {
    const rules = this.statementRules();
    if (!rules) {
      if (given) refuse('first_closing_date', 'contradiction', 'requires closing_day');
      this.firstClosingDate = null;
    } else if (given && given !== this.firstClosingDate) {
      if (!isAllowedFirstClosing(given, rules, firstDays)) {
        const { from, to } = firstDays;
        refuse('first_closing_date', 'not_an_option', `must be a closing from ${from} to ${to}`);
      }
      this.firstClosingDate = given;
    } else if (!before) {
      this.firstClosingDate = firstClosing(rules, today);
    } else if (!isDeepStrictEqual(before, rules)) {
      this.firstClosingDate = nextClosing(today, rules);
    }
  }

  /** @throws ValidationFailedError when it is inactive and a request chooses it */
  assertActive(): void {
    if (this.active) return;
    refuse('payment_method_id', 'inactive', 'must be the id of an active payment method');
  }
}

/** The fields of a payment method that a body sets. */
export type PaymentMethodFields = Editable<PaymentMethod, typeof PaymentMethod.fields>;

type WithDefault = 'dueWeekendRule' | 'autopay';

/** What a body sets in a new payment method. */
export type NewPaymentMethodFields = NewFields<Omit<PaymentMethodFields, WithDefault>> &
  Partial<Pick<PaymentMethodFields, WithDefault>>;

/** What a payment method without statements has. */
const NO_STATEMENTS = {
  closingDay: null,
  dueDay: null,
  dueDaysAfter: null,
  dueWeekendRule: 'keep',
  autopay: false,
} as const satisfies Partial<PaymentMethodFields>;

/** @throws ValidationFailedError for a field */
export function refuse(field: string, reason: FieldReason, problem: string): never {
  throw new ValidationFailedError({ [field]: [{ reason, message: `${field} ${problem}` }] });
}

/** What other records need of their payment method. */
export type UsedPaymentMethod = Pick<PaymentMethod, 'id' | 'name' | 'methodType' | 'active'>;

/** SQL: the reference to a row `pm` of `payment_methods` as JSON; null if the join has none. */
export const PAYMENT_METHOD_REFERENCE_SQL = sql`CASE WHEN pm.id IS NOT NULL THEN
    json_build_object('id', pm.id, 'name', pm.name, 'method_type', pm.method_type) END`;
