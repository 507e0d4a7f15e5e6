import { ApiProperty, PartialType } from '@nestjs/swagger';
import { CURRENCY_CODES, type CurrencyCode } from '../../common/enums.js';
import { BooleanField, EnumField, QueryBooleanField, TextField } from '../../common/http/fields.js';
import {
  PAYMENT_METHOD_TYPES,
  type PaymentMethod,
  type PaymentMethodType,
} from '../payment-method.entity.js';

export class CreatePaymentMethodDto {
  @TextField({ min: 1, max: 100, example: 'BBVA Débito', description: 'Unique for its owner' })
  name!: string;

  @EnumField(PAYMENT_METHOD_TYPES, 'PaymentMethodType')
  method_type!: PaymentMethodType;

  @EnumField(CURRENCY_CODES, 'CurrencyCode')
  default_currency!: CurrencyCode;

  @TextField({ max: 500, emptyIsNull: true, optional: true, example: 'Cuenta de nómina' })
  description?: string | null;
}

/** A partial update: what is left out stays. */
export class UpdatePaymentMethodDto extends PartialType(CreatePaymentMethodDto, {
  skipNullProperties: false,
}) {
  @BooleanField({ omittable: true, description: 'true restores, false deletes' })
  active?: boolean;
}

export class ListPaymentMethodsQuery {
  @QueryBooleanField()
  active?: boolean;

  @EnumField(CURRENCY_CODES, 'CurrencyCode', { optional: true })
  currency?: CurrencyCode;
}

/** A payment method where it is part of another resource. */
export class PaymentMethodReference {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty()
  name!: string;

  @ApiProperty({ enum: PAYMENT_METHOD_TYPES, enumName: 'PaymentMethodType' })
  method_type!: PaymentMethodType;
}

export class PaymentMethodResponse extends PaymentMethodReference {
  @ApiProperty({ enum: CURRENCY_CODES, enumName: 'CurrencyCode' })
  default_currency!: CurrencyCode;

  @ApiProperty({ type: 'string', nullable: true })
  description!: string | null;

  @ApiProperty()
  active!: boolean;

  @ApiProperty({ format: 'date-time' })
  created_at!: string;

  @ApiProperty({ format: 'date-time' })
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
