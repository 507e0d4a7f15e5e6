import { Column, Entity, ForeignKey, Unique } from 'typeorm';
import { CURRENCY_CODES, type CurrencyCode } from '../platform/values/enums.js';
import type { UserId } from '../platform/values/user-id.js';
import { OwnedRecord } from '../platform/database/stored-record.js';
import { User } from '../users/user.entity.js';

/** Per user, active or not. */
export const MAX_PAYMENT_METHODS = 1000;

export const PAYMENT_METHOD_TYPES = ['debit', 'credit', 'cash', 'transfer'] as const;
export type PaymentMethodType = (typeof PAYMENT_METHOD_TYPES)[number];

/** A card, an account or cash, used to pay expenses. */
@Entity('payment_methods')
@Unique('uq_payment_methods_user_id_name', ['userId', 'name', 'householdId'])
export class PaymentMethod extends OwnedRecord {
  @ForeignKey(() => User, { name: 'fk_payment_methods_user_id', onDelete: 'CASCADE' })
  @Column({ name: 'user_id', type: 'uuid' })
  userId!: UserId;

  @Column({ type: 'varchar', length: 100 })
  name!: string;

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
  description!: string | null;

  @Column({ type: 'boolean', default: true })
  active!: boolean;
}
