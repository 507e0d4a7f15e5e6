import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import {
  BooleanProperty,
  CreatedAtProperty,
  EnumProperty,
  TextProperty,
  UpdatedAtProperty,
  UuidProperty,
} from '../../platform/dto/response-fields.js';
import { CURRENCY_CODES, type CurrencyCode } from '../../platform/values/currency.js';
import { EXAMPLE_ID } from '../../record-ids.js';
import type { Person, User } from '../user.entity.js';

@ApiSchema({ description: 'A user, as other members of the household see one' })
export class PersonResponse {
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
}

@ApiSchema({ description: 'The account of the user' })
export class UserResponse extends PersonResponse {
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

export function toPersonResponse(person: Person): PersonResponse {
  return {
    id: person.id,
    email: person.email,
    first_name: person.firstName,
    last_name: person.lastName,
  };
}

export function toUserResponse(user: User): UserResponse {
  return {
    ...toPersonResponse(user),
    preferred_currency: user.preferredCurrency,
    locale: user.locale,
    active: user.active,
    created_at: user.createdAt.toISOString(),
    updated_at: user.updatedAt.toISOString(),
  };
}
