import { ApiProperty } from '@nestjs/swagger';
import { CURRENCY_CODES, type CurrencyCode } from '../common/enums.js';
import type { User } from './user.entity.js';

export class UserResponse {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty({ format: 'email' })
  email!: string;

  @ApiProperty({ type: 'string', nullable: true })
  first_name!: string | null;

  @ApiProperty({ type: 'string', nullable: true })
  last_name!: string | null;

  @ApiProperty({ enum: CURRENCY_CODES, enumName: 'CurrencyCode' })
  preferred_currency!: CurrencyCode;

  @ApiProperty()
  locale!: string;

  @ApiProperty()
  active!: boolean;

  @ApiProperty({ format: 'date-time' })
  created_at!: string;

  @ApiProperty({ format: 'date-time' })
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
