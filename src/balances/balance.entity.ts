import type { Big } from 'big.js';
import { Column, Entity, ForeignKey, Index, JoinColumn, ManyToOne } from 'typeorm';
import { PaymentMethod, type UsedPaymentMethod } from '../payment-methods/payment-method.entity.js';
import { AMOUNT, BALANCE, INSTANT } from '../platform/database/columns.js';
import { CURRENCY_CODES, type CurrencyCode } from '../platform/values/currency.js';
import type { UserId } from '../platform/values/user-id.js';
import { instant, money, recordFields, type RecordFields } from '../records/record-fields.js';
import { OwnedRecord, TIME_FIELDS } from '../records/stored-record.js';
import { User } from '../users/user.entity.js';

/** Per user; deleted ones do not count. */
export const MAX_BALANCES = 5000;

/** How much there was in a payment method at an instant, as its owner states it. */
@Entity('balances')
@Index('ix_balances_user_id_stated_at', ['userId', 'statedAt', 'seq'])
@Index('ix_balances_payment_method_id_stated_at', ['paymentMethodId', 'statedAt', 'seq'], {
  where: 'active',
})
export class Balance extends OwnedRecord {
  @ForeignKey(() => User, { name: 'fk_balances_user_id', onDelete: 'CASCADE' })
  @Column({ name: 'user_id', type: 'uuid' })
  userId!: UserId;

  @Column({ name: 'payment_method_id', type: 'uuid' })
  paymentMethodId!: string;

  /** Loaded only by queries that request the relation. */
  @ManyToOne(() => PaymentMethod, { onDelete: 'CASCADE', nullable: false })
  @JoinColumn([
    {
      name: 'payment_method_id',
      referencedColumnName: 'id',
      foreignKeyConstraintName: 'fk_balances_payment_method_id',
    },
    { name: 'household_id', referencedColumnName: 'householdId' },
  ])
  paymentMethod?: UsedPaymentMethod;

  /** The default currency that the payment method had. */
  @Column({ type: 'enum', enum: CURRENCY_CODES, enumName: 'currency_code' })
  currency!: CurrencyCode;

  /** The amount in `currency`, which may be below 0. */
  @Column(AMOUNT)
  amount!: Big;

  @Column({ ...INSTANT, name: 'stated_at' })
  statedAt!: Date;

  /**
   * What there should have been by the balance before and what was settled since, in `currency`;
   * null: without a balance before, and after one in another currency.
   */
  @Column({ ...BALANCE, precision: 30, nullable: true })
  expected: Big | null = null;

  @Column({ type: 'boolean', default: true })
  active = true;

  static readonly type = 'balance';

  static readonly fields = recordFields<Balance>()(
    {
      id: 'id',
      payment_method_id: 'paymentMethodId',
      currency: 'currency',
      amount: money('amount'),
      stated_at: instant('statedAt'),
      expected: money('expected'),
      active: 'active',
      ...TIME_FIELDS,
    },
    ['userId', 'paymentMethod'],
  );

  get type(): typeof Balance.type {
    return Balance.type;
  }

  get fields(): RecordFields {
    return Balance.fields;
  }

  /** A balance in the default currency of the payment method. */
  static create(
    method: PaymentMethod,
    fields: Pick<Balance, 'amount' | 'statedAt' | 'expected'>,
  ): Balance {
    const balance = new Balance();
    balance.begin();
    balance.paymentMethodId = method.id;
    balance.paymentMethod = method;
    balance.currency = method.defaultCurrency;
    balance.amount = fields.amount;
    balance.statedAt = fields.statedAt;
    balance.expected = fields.expected;
    return balance;
  }

  /** The payment method, which must be loaded. */
  usedPaymentMethod(): UsedPaymentMethod {
    if (!this.paymentMethod) throw new Error('The payment method is not loaded');
    return this.paymentMethod;
  }

  /** How much more there was than expected; null: nothing was expected. */
  difference(): Big | null {
    return this.expected && this.amount.minus(this.expected);
  }
}
