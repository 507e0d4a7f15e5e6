import { ApiProperty, PickType } from '@nestjs/swagger';
import { CURRENCY_CODES, type CurrencyCode } from '../../common/enums.js';
import { CountProperty, TextProperty } from '../../common/http/response-fields.js';
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

  @EnumField(CURRENCY_CODES, 'CurrencyCode', {
    optional: true,
    description: 'USD by default',
    example: 'USD',
  })
  preferred_currency?: CurrencyCode | null;

  @TextField({ min: 1, max: 10, optional: true, description: 'en-US by default', example: 'es-MX' })
  locale?: string | null;

  @TextField({
    min: 1,
    max: 100,
    optional: true,
    example: null,
    description: 'To join an existing household as a member; single use',
  })
  invitation_code?: string | null;
}

/** The OAuth2 password form. */
export class LoginDto {
  @TextField({
    min: 1,
    max: MAX_CREDENTIAL,
    description: 'The e-mail',
    omittable: true,
    example: 'ana@example.com',
  })
  username?: string;

  @TextField({
    min: 1,
    max: MAX_CREDENTIAL,
    description: 'Instead of username',
    omittable: true,
    example: 'ana@example.com',
  })
  email?: string;

  @TextField({ min: 1, max: MAX_CREDENTIAL, verbatim: true, example: 'correct horse battery' })
  password!: string;

  @TextField({ max: MAX_CREDENTIAL, description: 'Ignored', omittable: true, example: 'password' })
  grant_type?: string;

  @TextField({ max: MAX_CREDENTIAL, description: 'Ignored', omittable: true, example: '' })
  scope?: string;

  @TextField({ max: MAX_CREDENTIAL, description: 'Ignored', omittable: true, example: '' })
  client_id?: string;

  @TextField({ max: MAX_CREDENTIAL, description: 'Ignored', omittable: true, example: '' })
  client_secret?: string;
}

/** A partial update: what is left out stays. */
export class UpdateProfileDto extends PickType(RegisterDto, ['first_name', 'last_name'] as const) {
  @EnumField(CURRENCY_CODES, 'CurrencyCode', { omittable: true, example: 'MXN' })
  preferred_currency?: CurrencyCode;

  @TextField({ min: 1, max: 10, omittable: true, example: 'es-MX' })
  locale?: string;
}

export class ChangePasswordDto {
  @TextField({ min: 1, max: MAX_CREDENTIAL, verbatim: true, example: 'correct horse battery' })
  current_password!: string;

  @TextField({ min: 8, max: 128, verbatim: true, example: 'a better horse battery' })
  new_password!: string;
}

export class TokenResponse {
  @TextProperty({ example: 'eyJhbGciOiJIUzI1NiIs...', description: 'A JWT, signed with HS256' })
  access_token!: string;

  @ApiProperty({ enum: ['bearer'], example: 'bearer' })
  token_type!: 'bearer';

  @CountProperty({ example: 1800, description: 'Seconds' })
  expires_in!: number;
}

export class MessageResponse {
  @TextProperty({ example: 'Password updated successfully' })
  message!: string;
}
