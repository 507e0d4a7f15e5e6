import { ApiProperty, PickType } from '@nestjs/swagger';
import { CURRENCY_CODES, type CurrencyCode } from '../../common/enums.js';
import { EmailField, EnumField, TextField } from '../../common/http/fields.js';

/** Longer than any password that {@link RegisterDto} takes: a wrong one is refused by comparison. */
const MAX_CREDENTIAL = 1000;

export class RegisterDto {
  @EmailField({ example: 'ana@example.com' })
  email!: string;

  @TextField({ min: 8, max: 128, verbatim: true, example: 'correct horse battery' })
  password!: string;

  @TextField({ max: 100, optional: true, example: 'Ana' })
  first_name?: string | null;

  @TextField({ max: 100, optional: true, example: 'Ruiz' })
  last_name?: string | null;

  @EnumField(CURRENCY_CODES, 'CurrencyCode', { optional: true, description: 'USD by default' })
  preferred_currency?: CurrencyCode | null;

  @TextField({ min: 1, max: 10, optional: true, description: 'en-US by default' })
  locale?: string | null;

  @TextField({ min: 1, max: 100, optional: true, description: 'To join an existing household' })
  invitation_code?: string | null;
}

/** The OAuth2 password form. */
export class LoginDto {
  @TextField({ min: 1, max: MAX_CREDENTIAL, description: 'The e-mail', optional: true })
  username?: string;

  @TextField({ min: 1, max: MAX_CREDENTIAL, description: 'Instead of username', optional: true })
  email?: string;

  @TextField({ min: 1, max: MAX_CREDENTIAL, verbatim: true })
  password!: string;

  @TextField({ max: MAX_CREDENTIAL, description: 'Ignored', optional: true })
  grant_type?: string;

  @TextField({ max: MAX_CREDENTIAL, description: 'Ignored', optional: true })
  scope?: string;

  @TextField({ max: MAX_CREDENTIAL, description: 'Ignored', optional: true })
  client_id?: string;

  @TextField({ max: MAX_CREDENTIAL, description: 'Ignored', optional: true })
  client_secret?: string;
}

/** A partial update: what is left out stays. */
export class UpdateProfileDto extends PickType(RegisterDto, ['first_name', 'last_name'] as const) {
  @EnumField(CURRENCY_CODES, 'CurrencyCode', { omittable: true })
  preferred_currency?: CurrencyCode;

  @TextField({ min: 1, max: 10, omittable: true })
  locale?: string;
}

export class ChangePasswordDto {
  @TextField({ min: 1, max: MAX_CREDENTIAL, verbatim: true })
  current_password!: string;

  @TextField({ min: 8, max: 128, verbatim: true })
  new_password!: string;
}

export class TokenResponse {
  @ApiProperty()
  access_token!: string;

  @ApiProperty({ enum: ['bearer'] })
  token_type!: 'bearer';

  @ApiProperty({ type: 'integer', description: 'Seconds', example: 1800 })
  expires_in!: number;
}

export class MessageResponse {
  @ApiProperty()
  message!: string;
}
