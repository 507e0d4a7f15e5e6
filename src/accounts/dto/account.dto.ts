import { ApiSchema } from '@nestjs/swagger';
import { NewPasswordField } from '../../auth/dto/password-fields.js';
import { REGISTRATION_MODES, type RegistrationMode } from '../../platform/config/environment.js';
import { EmailField, TextField } from '../../platform/dto/fields.js';
import { BooleanProperty, EnumProperty } from '../../platform/dto/response-fields.js';

@ApiSchema({ description: 'What a sign-in page can offer' })
export class AccountOptionsResponse {
  @EnumProperty(REGISTRATION_MODES, 'RegistrationMode', {
    example: 'open',
    description: 'Who may register',
  })
  registration!: RegistrationMode;

  @BooleanProperty({
    example: true,
    description: 'Whether users can request a link that sets a new password, by e-mail',
  })
  password_reset!: boolean;

  @BooleanProperty({ example: true, description: 'Whether reminders can be sent, by e-mail' })
  reminders!: boolean;
}

@ApiSchema({ description: 'The account whose password is forgotten' })
export class RequestPasswordResetDto {
  @EmailField({ example: 'ana@example.com', description: 'The e-mail of the account' })
  email!: string;
}

export const EXAMPLE_LINK_TOKEN = 'q3J0c2F4T1ZkR2l5bG9wUnM5eEFtS2ZCdU5lWXZDaEw';

/** A token has 43 characters. */
const MAX_TOKEN_LENGTH = 200;

@ApiSchema({ description: 'The token of a link' })
export class LinkTokenDto {
  @TextField({
    min: 1,
    max: MAX_TOKEN_LENGTH,
    description: 'The token in the link, valid once',
    example: EXAMPLE_LINK_TOKEN,
  })
  token!: string;
}

@ApiSchema({ description: 'A new password, set with the token of a link' })
export class ConfirmPasswordResetDto extends LinkTokenDto {
  @NewPasswordField('a better horse battery')
  new_password!: string;
}
