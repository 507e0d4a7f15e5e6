import sql from 'sql-template-tag';
import { Column, Entity, ForeignKey, Unique } from 'typeorm';
import { ValidationFailedError } from '../platform/errors/domain-error.js';
import { CURRENCY_CODES, type CurrencyCode } from '../platform/values/currency.js';
import type { UserId } from '../platform/values/user-id.js';
import {
  editable,
  recordFields,
  setFields,
  type Editable,
  type NewFields,
  type RecordFields,
} from '../records/record-fields.js';
import { NamedRecord, TIME_FIELDS } from '../records/stored-record.js';
import { User } from '../users/user.entity.js';

/** Per user, active or not. */
export const MAX_PAYMENT_METHODS = 1000;

export const PAYMENT_METHOD_TYPES = ['debit', 'credit', 'cash', 'transfer'] as const;
export type PaymentMethodType = (typeof PAYMENT_METHOD_TYPES)[number];

/** A card, an account or cash, used to pay expenses. */
@Entity('payment_methods')
@Unique('uq_payment_methods_user_id_name', ['userId', 'name', 'householdId'])
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

  static readonly type = 'payment_method';

  static readonly fields = recordFields<PaymentMethod>()(
    {
      id: 'id',
      name: editable('name'),
      method_type: editable('methodType'),
      default_currency: editable('defaultCurrency'),
      description: editable('description'),
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

  static create(fields: NewFields<PaymentMethodFields>): PaymentMethod {
    const method = new PaymentMethod();
    method.begin();
    setFields(method, fields);
    return method;
  }

  /** Sets the given fields; undefined: as it is. */
  update(fields: Partial<PaymentMethodFields>): void {
    setFields<PaymentMethodFields>(this, fields);
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
}

/** The fields of a payment method that a body sets. */
export type PaymentMethodFields = Editable<PaymentMethod, typeof PaymentMethod.fields>;

/** What other records need of their payment method. */
export type UsedPaymentMethod = Pick<PaymentMethod, 'id' | 'name' | 'methodType' | 'active'>;

/** SQL: the reference to a row `pm` of `payment_methods` as JSON; null if the join has none. */
export const PAYMENT_METHOD_REFERENCE_SQL = sql`CASE WHEN pm.id IS NOT NULL THEN
    json_build_object('id', pm.id, 'name', pm.name, 'method_type', pm.method_type) END`;
