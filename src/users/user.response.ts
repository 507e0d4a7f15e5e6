import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { EXAMPLE_ID } from '../platform/dto/example-values.js';
import {
  BooleanProperty,
  CreatedAtProperty,
  EnumProperty,
  TextProperty,
  UpdatedAtProperty,
  UuidProperty,
} from '../platform/dto/response-fields.js';
import { CURRENCY_CODES, type CurrencyCode } from '../platform/values/enums.js';
import type { User } from './user.entity.js';

@ApiSchema({ description: 'The account of the user' })
export class UserResponse {
  @UuidProperty(EXAMPLE_ID.user, { description: 'The id of the user' })
  id!: string;

  @ApiProperty({
    type: 'string',
    format: 'email',
    example: 'ana@example.com',
    description: 'In lower case',
  })
  email!: string;

  @TextProperty({ nullable: true, example: 'Ana', description: 'null: not given' })
  first_name!: string | null;

  @TextProperty({ nullable: true, example: 'Ruiz', description: 'null: not given' })
  last_name!: string | null;

  @EnumProperty(CURRENCY_CODES, 'CurrencyCode', {
    example: 'USD',
    description: 'The currency that clients show by default',
  })
  preferred_currency!: CurrencyCode;

  @TextProperty({
    example: 'es-MX',
    description: 'The language and region for clients, such as `es-MX`',
  })
  locale!: string;

  @BooleanProperty({ example: true, description: 'false: the user cannot log in' })
  active!: boolean;

  @CreatedAtProperty()
  created_at!: string;

  @UpdatedAtProperty()
  updated_at!: string;
}

export function toUserResponse(user: User): UserResponse {
  return {
    id: user.id,
    email: user.email,
    first_name: user.firstName,
    last_name: user.lastName,
    preferred_currency: user.preferredCurrency,
    locale: user.locale,
    active: user.active,
    created_at: user.createdAt.toISOString(),
    updated_at: user.updatedAt.toISOString(),
  };
}
