import { PartialType } from '@nestjs/swagger';
import { CURRENCY_CODES, type CurrencyCode } from '../../common/enums.js';
import { EXAMPLE_ID } from '../../common/http/examples.js';
import {
  BooleanProperty,
  CreatedAtProperty,
  EnumProperty,
  TextProperty,
  UpdatedAtProperty,
  UuidProperty,
} from '../../common/http/response-fields.js';
import { BooleanField, EnumField, QueryBooleanField, TextField } from '../../common/http/fields.js';
import {
  PAYMENT_METHOD_TYPES,
  type PaymentMethod,
  type PaymentMethodType,
} from '../payment-method.entity.js';

export class CreatePaymentMethodDto {
  @TextField({ min: 1, max: 100, example: 'BBVA Débito', description: 'Unique for its owner' })
  name!: string;

  @EnumField(PAYMENT_METHOD_TYPES, 'PaymentMethodType', { example: 'debit' })
  method_type!: PaymentMethodType;

  @EnumField(CURRENCY_CODES, 'CurrencyCode', { example: 'MXN' })
  default_currency!: CurrencyCode;

  @TextField({ max: 500, emptyIsNull: true, optional: true, example: 'Cuenta de nómina' })
  description?: string | null;
}

/** A partial update: what is left out stays. */
export class UpdatePaymentMethodDto extends PartialType(CreatePaymentMethodDto, {
  skipNullProperties: false,
}) {
  @BooleanField({ omittable: true, example: true, description: 'true restores, false deletes' })
  active?: boolean;
}

export class ListPaymentMethodsQuery {
  @QueryBooleanField({ description: 'Both when left out' })
  active?: boolean;

  @EnumField(CURRENCY_CODES, 'CurrencyCode', {
    omittable: true,
    description: 'Of default_currency',
  })
  currency?: CurrencyCode;
}

/** A payment method where it is part of another resource. */
export class PaymentMethodReference {
  @UuidProperty(EXAMPLE_ID.paymentMethod)
  id!: string;

  @TextProperty({ example: 'BBVA Débito' })
  name!: string;

  @EnumProperty(PAYMENT_METHOD_TYPES, 'PaymentMethodType', { example: 'debit' })
  method_type!: PaymentMethodType;
}

export class PaymentMethodResponse extends PaymentMethodReference {
  @EnumProperty(CURRENCY_CODES, 'CurrencyCode', { example: 'MXN' })
  default_currency!: CurrencyCode;

  @TextProperty({ nullable: true, example: 'Cuenta de nómina' })
  description!: string | null;

  @BooleanProperty({ example: true, description: 'false once deleted' })
  active!: boolean;

  @CreatedAtProperty()
  created_at!: string;

  @UpdatedAtProperty()
  updated_at!: string;
}

export function toPaymentMethodReference(
  method: Pick<PaymentMethod, 'id' | 'name' | 'methodType'>,
): PaymentMethodReference {
  return { id: method.id, name: method.name, method_type: method.methodType };
}

export function toPaymentMethodResponse(method: PaymentMethod): PaymentMethodResponse {
  return {
    ...toPaymentMethodReference(method),
    default_currency: method.defaultCurrency,
    description: method.description,
    active: method.active,
    created_at: method.createdAt.toISOString(),
    updated_at: method.updatedAt.toISOString(),
  };
}
