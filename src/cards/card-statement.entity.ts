import { Big } from 'big.js';
import { Column, Entity, ForeignKey, Index } from 'typeorm';
import { PaymentMethod } from '../payment-methods/payment-method.entity.js';
import { AMOUNT, BALANCE, INSTANT } from '../platform/database/columns.js';
import type { CalendarDate } from '../platform/values/calendar-date.js';
import type { Money } from '../platform/values/money.js';
import type { UserId } from '../platform/values/user-id.js';
import {
  inColumn,
  instant,
  money,
  recordFields,
  type RecordFields,
} from '../records/record-fields.js';
import { OwnedRecord, TIME_FIELDS } from '../records/stored-record.js';
import { User } from '../users/user.entity.js';
import type { StatementDates } from './card.js';
import { assertNoPayment } from './statement-errors.js';

/** The stored ones of a card. */
export const MAX_CARD_STATEMENTS = 1000;

/** A sum of amounts and what was carried over. */
const SUM = { ...BALANCE, precision: 30, nullable: true };

/** What a body says of the payment of a statement. */
export type StatementPayment = Partial<{ paid: boolean; paidAt: Date; paidAmount: Money }>;

/**
 * A statement of a card of which somebody has said something; others are derived from the purchases
 * alone. One that is not active is derived again.
 */
@Entity('card_statements')
@Index('uq_card_statements_closing_date', ['paymentMethodId', 'closingDate', 'householdId'], {
  unique: true,
  where: 'active',
})
@Index('ix_card_statements_user_id', ['userId'])
@ForeignKey(() => PaymentMethod, ['paymentMethodId', 'householdId'], ['id', 'householdId'], {
  name: 'fk_card_statements_payment_method_id',
  onDelete: 'CASCADE',
})
export class CardStatement extends OwnedRecord {
  @ForeignKey(() => User, { name: 'fk_card_statements_user_id', onDelete: 'CASCADE' })
  @Column({ name: 'user_id', type: 'uuid' })
  userId!: UserId;

  @Column({ name: 'payment_method_id', type: 'uuid' })
  paymentMethodId!: string;

  /** The first day whose purchases it has. */
  @Column({ name: 'first_date', type: 'date' })
  firstDate!: CalendarDate;

  /** The last one. */
  @Column({ name: 'closing_date', type: 'date' })
  closingDate!: CalendarDate;

  @Column({ name: 'due_date', type: 'date' })
  dueDate!: CalendarDate;

  /** What the bank says, in the currency of the card; null: not stated. */
  @Column({ ...AMOUNT, name: 'stated_amount', nullable: true })
  statedAmount: Big | null = null;

  /** What was to be paid when it was paid; null while it is not. */
  @Column(SUM)
  amount: Big | null = null;

  @Column({ type: 'boolean', default: false })
  paid = false;

  @Column({ ...INSTANT, name: 'paid_at', nullable: true })
  paidAt: Date | null = null;

  @Column({ ...SUM, name: 'paid_amount' })
  paidAmount: Big | null = null;

  @Column({ type: 'boolean', default: true })
  active = true;

  static readonly type = 'card_statement';

  static readonly fields = recordFields<CardStatement>()(
    {
      id: 'id',
      payment_method_id: 'paymentMethodId',
      from: inColumn('firstDate', 'first_date'),
      closing_date: 'closingDate',
      due_date: 'dueDate',
      stated_amount: money('statedAmount'),
      amount: money('amount'),
      paid: 'paid',
      paid_at: instant('paidAt'),
      paid_amount: money('paidAmount'),
      active: 'active',
      ...TIME_FIELDS,
    },
    ['userId'],
  );

  get type(): typeof CardStatement.type {
    return CardStatement.type;
  }

  get fields(): RecordFields {
    return CardStatement.fields;
  }

  /** Stores the dates of a statement that was derived. */
  static create(
    { id: paymentMethodId }: { id: string },
    { from, closingDate, dueDate }: Pick<StatementDates, 'from' | 'closingDate' | 'dueDate'>,
  ): CardStatement {
    const statement = new CardStatement();
    statement.begin();
    return Object.assign(statement, { paymentMethodId, firstDate: from, closingDate, dueDate });
  }

  /**
   * Marks it as paid or not. What it was when it was marked stays its amount.
   *
   * @param amount what is to be paid, in the currency of the card
   * @throws ValidationFailedError when a payment is described of a statement that is not paid
   */
  pay(payment: StatementPayment, amount: Money, now: Date): void {
    if (payment.paid ?? this.paid) {
      if (!this.paid) this.amount = amount;
      this.paid = true;
      this.paidAt = payment.paidAt ?? this.paidAt ?? now;
      this.paidAmount = payment.paidAmount ?? this.paidAmount ?? (amount.lt(0) ? ZERO : amount);
      return;
    }
    assertNoPayment(payment);
    this.paid = false;
    this.amount = null;
    this.paidAt = null;
    this.paidAmount = null;
  }
}

const ZERO = new Big(0);
