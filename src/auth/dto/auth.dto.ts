import { ApiProperty, ApiSchema, PickType } from '@nestjs/swagger';
import type { Big } from 'big.js';
import { Transform, Type } from 'class-transformer';
import { IsObject, ValidateIf, ValidateNested } from 'class-validator';
import { EXAMPLE_INSTANT } from '../../platform/dto/example-values.js';
import { IsTimeZone } from '../../platform/dto/field-validators.js';
import {
  BooleanField,
  EmailField,
  EnumField,
  field,
  IntegerField,
  TextField,
  type FieldOptions,
} from '../../platform/dto/fields.js';
import { MoneyField } from '../../platform/dto/money-fields.js';
import { OptionalBody } from '../../platform/dto/request-validation.pipe.js';
import {
  BooleanProperty,
  CountProperty,
  InstantProperty,
  TextProperty,
  UuidProperty,
} from '../../platform/dto/response-fields.js';
import { CURRENCY_CODES, type CurrencyCode } from '../../platform/values/currency.js';
import { MAX_TIME_ZONE_LENGTH } from '../../platform/values/time-zone.js';
import { EXAMPLE_ID } from '../../records/record-ids.js';
import { NEXT_INCOME_AMOUNTS, type NextIncomeAmount } from '../../users/user.entity.js';
import { MAX_CREDENTIAL_LENGTH, NewPasswordField, PasswordField } from './password-fields.js';

const TIME_ZONE =
  '`UTC` or a name with a slash that the service knows, such as `America/Mexico_City`; no offset';

const MINIMUM_BALANCE =
  'What should always remain, in USD: the default of the parameter of forecasts';

const NEXT_INCOME_AMOUNT =
  'The `income_amount` of the next cycle and of cycles that would follow: `same` as in the one before, or `zero`';

const TimeZoneField = (options: FieldOptions): PropertyDecorator =>
  field(
    { ...options, example: 'America/Mexico_City' },
    { type: 'string', minLength: 1, maxLength: MAX_TIME_ZONE_LENGTH },
    Transform(({ value }: { value: unknown }) =>
      typeof value === 'string' ? value.trim() : value,
    ),
    IsTimeZone(),
  );

@ApiSchema({ description: 'A new user account' })
export class RegisterDto {
  @EmailField({
    example: 'ana@example.com',
    description:
      'Unique among all users, without regard to case; stored in lower case and Unicode NFC',
  })
  email!: string;

  @NewPasswordField('correct horse battery')
  password!: string;

  @TextField({ max: 100, optional: true, example: 'Ana', description: 'null: not given' })
  first_name?: string | null;

  @TextField({ max: 100, optional: true, example: 'Ruiz', description: 'null: not given' })
  last_name?: string | null;

  @EnumField(CURRENCY_CODES, 'CurrencyCode', {
    optional: true,
    description: 'Defaults to USD',
    example: 'USD',
  })
  preferred_currency?: CurrencyCode | null;

  @TextField({
    min: 1,
    max: 10,
    optional: true,
    description: 'Defaults to en-US',
    example: 'es-MX',
  })
  locale?: string | null;

  @TimeZoneField({
    optional: true,
    description: `${TIME_ZONE}. Defaults to a setting of the service, by default UTC`,
  })
  time_zone?: string | null;

  @MoneyField({
    zero: true,
    optional: true,
    example: '100.00',
    description: `${MINIMUM_BALANCE}. Defaults to 0.00`,
  })
  minimum_balance?: Big | null;

  @EnumField(NEXT_INCOME_AMOUNTS, 'NextIncomeAmount', {
    optional: true,
    example: 'same',
    description: `${NEXT_INCOME_AMOUNT}. Defaults to same`,
  })
  next_income_amount?: NextIncomeAmount | null;

  @TextField({
    min: 1,
    max: 100,
    optional: true,
    example: null,
    description: 'Single-use code to join an existing household as a member',
  })
  invitation_code?: string | null;
}

@OptionalBody()
@ApiSchema({ description: 'The OAuth2 password form' })
export class LoginDto {
  @ApiProperty({ required: false })
  @ValidateIf(({ username, email }: LoginDto) => username !== undefined || email === undefined)
  @TextField({
    min: 1,
    max: MAX_CREDENTIAL_LENGTH,
    description: "The user's e-mail",
    example: 'ana@example.com',
  })
  username?: string;

  @TextField({
    min: 1,
    max: MAX_CREDENTIAL_LENGTH,
    description: 'Accepted in place of username',
    omittable: true,
    example: 'ana@example.com',
  })
  email?: string;

  @PasswordField()
  password!: string;

  @TextField({
    max: MAX_CREDENTIAL_LENGTH,
    description: 'Ignored',
    omittable: true,
    example: 'password',
  })
  grant_type?: string;

  @TextField({ max: MAX_CREDENTIAL_LENGTH, description: 'Ignored', omittable: true, example: '' })
  scope?: string;

  @TextField({ max: MAX_CREDENTIAL_LENGTH, description: 'Ignored', omittable: true, example: '' })
  client_id?: string;

  @TextField({ max: MAX_CREDENTIAL_LENGTH, description: 'Ignored', omittable: true, example: '' })
  client_secret?: string;
}

@ApiSchema({
  name: 'UpdateReminders',
  description: 'A partial update: omitted members keep their values',
})
export class UpdateRemindersDto {
  @BooleanField({
    omittable: true,
    example: true,
    description:
      'true: the user wants them; unless the e-mail is confirmed, a link to confirm it is sent, at most 3 times in 24 hours',
  })
  enabled?: boolean;

  @IntegerField({
    omittable: true,
    min: 0,
    max: 23,
    example: 8,
    description: "The hour of the user's day from which they are sent",
  })
  hour?: number;

  @IntegerField({
    omittable: true,
    min: 0,
    max: 14,
    example: 3,
    description: 'How many days before it is due something is named',
  })
  days_before?: number;
}

@ApiSchema({
  description: "A partial update of the user's profile: omitted fields keep their values",
})
export class UpdateProfileDto extends PickType(RegisterDto, ['first_name', 'last_name'] as const) {
  @EnumField(CURRENCY_CODES, 'CurrencyCode', {
    omittable: true,
    example: 'MXN',
    description: 'The currency that clients show by default',
  })
  preferred_currency?: CurrencyCode;

  @TextField({
    min: 1,
    max: 10,
    omittable: true,
    example: 'es-MX',
    description: 'The language and region for clients, such as `es-MX`',
  })
  locale?: string;

  @TimeZoneField({ omittable: true, description: TIME_ZONE })
  time_zone?: string;

  @MoneyField({ zero: true, omittable: true, example: '100.00', description: MINIMUM_BALANCE })
  minimum_balance?: Big;

  @EnumField(NEXT_INCOME_AMOUNTS, 'NextIncomeAmount', {
    omittable: true,
    example: 'same',
    description: NEXT_INCOME_AMOUNT,
  })
  next_income_amount?: NextIncomeAmount;

  @field(
    {
      omittable: true,
      example: { enabled: true },
      description: 'Mails that remind of what is due',
    },
    { type: () => UpdateRemindersDto },
    IsObject(),
    ValidateNested(),
    Type(() => UpdateRemindersDto),
  )
  reminders?: UpdateRemindersDto;
}

@ApiSchema({ description: 'The current and the new password' })
export class ChangePasswordDto {
  @PasswordField()
  current_password!: string;

  @NewPasswordField('a better horse battery')
  new_password!: string;
}

@ApiSchema({ description: 'An access token of a session' })
export class TokenResponse {
  @TextProperty({ example: 'eyJhbGciOiJIUzI1NiIs...', description: 'A JWT, signed with HS256' })
  access_token!: string;

  @ApiProperty({
    enum: ['bearer'],
    example: 'bearer',
    description: 'How to send the token: `Authorization: Bearer ...`',
  })
  token_type!: 'bearer';

  @CountProperty({
    example: 1800,
    description: 'Validity of the token in seconds, at most until the session expires',
  })
  expires_in!: number;
}

@ApiSchema({ description: 'The new session of a user who changed the password' })
export class PasswordChangedResponse extends TokenResponse {
  @TextProperty({ example: 'Password updated successfully', description: 'For people; may change' })
  message!: string;
}

@ApiSchema({ description: 'A session: a sign-in whose access tokens are valid' })
export class SessionResponse {
  @UuidProperty(EXAMPLE_ID.session, { description: 'The id of the session' })
  id!: string;

  @InstantProperty({ example: EXAMPLE_INSTANT.created, description: 'Time of the sign-in' })
  created_at!: string;

  @InstantProperty({
    example: EXAMPLE_INSTANT.updated,
    nullable: true,
    description: 'Time when the session last got a new access token; null: never',
  })
  last_refreshed_at!: string | null;

  @TextProperty({
    example: 'Mozilla/5.0',
    nullable: true,
    description: 'The `User-Agent` of the sign-in, its first 200 characters',
  })
  user_agent!: string | null;

  @BooleanProperty({ example: true, description: 'Whether it is the session of the request' })
  current!: boolean;
}
