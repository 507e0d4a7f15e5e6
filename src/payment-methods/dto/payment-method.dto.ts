import { ApiProperty, ApiSchema, PartialType } from '@nestjs/swagger';
import { BooleanField, EnumField, TextField } from '../../platform/dto/fields.js';
import { QueryBooleanField } from '../../platform/dto/query-fields.js';
import {
  BooleanProperty,
  CreatedAtProperty,
  EnumProperty,
  TextProperty,
  UpdatedAtProperty,
  UuidProperty,
} from '../../platform/dto/response-fields.js';
import { orNull } from '../../platform/openapi/nullable-reference.js';
import { CURRENCY_CODES, type CurrencyCode } from '../../platform/values/currency.js';
import { EXAMPLE_ID } from '../../records/record-ids.js';
import {
  PAYMENT_METHOD_TYPES,
  type PaymentMethod,
  type PaymentMethodType,
} from '../payment-method.entity.js';

@ApiSchema({ description: 'A new card, account or cash' })
export class CreatePaymentMethodDto {
  @TextField({ min: 1, max: 100, example: 'BBVA Débito', description: 'Unique per user' })
  name!: string;

  @EnumField(PAYMENT_METHOD_TYPES, 'PaymentMethodType', {
    example: 'debit',
    description: 'The kind of payment method',
  })
  method_type!: PaymentMethodType;

  @EnumField(CURRENCY_CODES, 'CurrencyCode', {
    example: 'MXN',
    description: 'The currency that clients propose for its expenses',
  })
  default_currency!: CurrencyCode;

  @TextField({
    max: 500,
    optional: true,
    example: 'Cuenta de nómina',
    description: 'Notes; null or empty: none',
  })
  description?: string | null;
}

@ApiSchema({ description: 'A partial update: omitted fields keep their values' })
export class UpdatePaymentMethodDto extends PartialType(CreatePaymentMethodDto, {
  skipNullProperties: false,
}) {
  @BooleanField({ omittable: true, example: true, description: 'true restores, false deletes' })
  active?: boolean;
}

export class ListPaymentMethodsQuery {
  @QueryBooleanField({ description: 'Default: both' })
  active?: boolean;

  @EnumField(CURRENCY_CODES, 'CurrencyCode', {
    omittable: true,
    description: 'Filters by default_currency',
  })
  currency?: CurrencyCode;
}

@ApiSchema({ description: 'A payment method, embedded in another resource' })
export class PaymentMethodReference {
  @UuidProperty(EXAMPLE_ID.paymentMethod, { description: 'The id of the payment method' })
  id!: string;

  @TextProperty({ example: 'BBVA Débito', description: 'Unique per user' })
  name!: string;

  @EnumProperty(PAYMENT_METHOD_TYPES, 'PaymentMethodType', {
    example: 'debit',
    description: 'The kind of payment method',
  })
  method_type!: PaymentMethodType;
}

/** A {@link PaymentMethodReference} or null. */
export const PaymentMethodReferenceOrNullProperty = (description: string): PropertyDecorator =>
  ApiProperty({
    ...orNull(PaymentMethodReference),
    description: `${description}; null: not specified`,
    example: { id: EXAMPLE_ID.paymentMethod, name: 'BBVA Débito', method_type: 'debit' },
  });

@ApiSchema({ description: 'A card, an account or cash' })
export class PaymentMethodResponse extends PaymentMethodReference {
  @EnumProperty(CURRENCY_CODES, 'CurrencyCode', {
    example: 'MXN',
    description: 'The currency that clients propose for its expenses',
  })
  default_currency!: CurrencyCode;

  @TextProperty({ nullable: true, example: 'Cuenta de nómina', description: 'Notes; null: none' })
  description!: string | null;

  @BooleanProperty({ example: true, description: 'false: deleted' })
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
    id: method.id,
    name: method.name,
    method_type: method.methodType,
    default_currency: method.defaultCurrency,
    description: method.description,
    active: method.active,
    created_at: method.createdAt.toISOString(),
    updated_at: method.updatedAt.toISOString(),
  };
}
