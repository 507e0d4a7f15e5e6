import { randomUUID } from 'node:crypto';
import { Column, Entity, ForeignKey, Unique } from 'typeorm';
import type { Snapshot } from '../activity/changes.js';
import { NameTakenError, ValidationFailedError } from '../platform/errors/domain-error.js';
import { registerUniqueConstraint } from '../platform/errors/unique-violation.js';
import { CURRENCY_CODES, type CurrencyCode } from '../platform/values/currency.js';
import type { Instant } from '../platform/values/instant.js';
import type { UserId } from '../platform/values/user-id.js';
import { NamedRecord } from '../records/stored-record.js';
import { User } from '../users/user.entity.js';

/** Per user, active or not. */
export const MAX_PAYMENT_METHODS = 1000;

export const PAYMENT_METHOD_TYPES = ['debit', 'credit', 'cash', 'transfer'] as const;
export type PaymentMethodType = (typeof PAYMENT_METHOD_TYPES)[number];

/** The fields of a payment method that a body sets. */
export type PaymentMethodFields = Pick<
  PaymentMethod,
  'name' | 'methodType' | 'defaultCurrency' | 'description'
>;

/** The state that the activity log records. */
type PaymentMethodSnapshot = Readonly<{
  id: string;
  name: string;
  method_type: PaymentMethodType;
  default_currency: CurrencyCode;
  description: string | null;
  active: boolean;
  created_at: Instant;
  updated_at: Instant;
}>;

const UNIQUE_NAME = 'uq_payment_methods_user_id_name';

registerUniqueConstraint(UNIQUE_NAME, () => new NameTakenError('payment_method'), {
  isReadFirst: true,
});

/** A card, an account or cash, used to pay expenses. */
@Entity('payment_methods')
@Unique(UNIQUE_NAME, ['userId', 'name', 'householdId'])
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
  description!: string | null;

  static readonly type = 'payment_method';

  get type(): typeof PaymentMethod.type {
    return PaymentMethod.type;
  }

  static create(fields: PaymentMethodFields): PaymentMethod {
    const method = new PaymentMethod();
    method.id = randomUUID();
    method.createdAt = new Date();
    method.updatedAt = method.createdAt;
    method.name = fields.name;
    method.methodType = fields.methodType;
    method.defaultCurrency = fields.defaultCurrency;
    method.description = fields.description;
    return method;
  }

  /** Sets the given fields; undefined: as it is. */
  update(fields: Partial<PaymentMethodFields & Pick<PaymentMethod, 'active'>>): void {
    this.name = fields.name ?? this.name;
    this.methodType = fields.methodType ?? this.methodType;
    this.defaultCurrency = fields.defaultCurrency ?? this.defaultCurrency;
    if (fields.description !== undefined) this.description = fields.description;
    this.active = fields.active ?? this.active;
  }

  /** Takes recorded values back; the others stay. */
  restore(values: Snapshot): void {
    const { name, method_type, default_currency, description, active } =
      values as Partial<PaymentMethodSnapshot>;
    this.update({
      name,
      methodType: method_type,
      defaultCurrency: default_currency,
      description,
      active,
    });
  }

  /** @throws ValidationFailedError when it is inactive and a request chooses it */
  assertActive(): void {
    if (this.active) return;
    throw new ValidationFailedError({
      payment_method_id: [
        {
          reason: 'inactive',
          message: 'payment_method_id must be the id of an active payment method',
        },
      ],
    });
  }

  /** The state that the activity log records. */
  snapshot(): PaymentMethodSnapshot {
    return {
      id: this.id,
      name: this.name,
      method_type: this.methodType,
      default_currency: this.defaultCurrency,
      description: this.description,
      active: this.active,
      created_at: this.createdAt.toISOString(),
      updated_at: this.updatedAt.toISOString(),
    };
  }
}

/** What other records need of their payment method. */
export type UsedPaymentMethod = Pick<PaymentMethod, 'id' | 'name' | 'methodType' | 'active'>;

/** SQL: the reference to a row `pm` of `payment_methods` as JSON; null if the join has none. */
export const PAYMENT_METHOD_REFERENCE_SQL = `CASE WHEN pm.id IS NOT NULL THEN
    json_build_object('id', pm.id, 'name', pm.name, 'method_type', pm.method_type) END`;
