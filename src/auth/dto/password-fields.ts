/** Decorators for the passwords of request DTOs, which are not trimmed. */
import { Transform } from 'class-transformer';
import { HasLength, IsText } from '../../platform/dto/field-validators.js';
import { field } from '../../platform/dto/fields.js';

const MIN_LENGTH = 8;
const MAX_LENGTH = 128;
/**
 * Longer than a new password, in any Unicode form, so that a wrong password is not a validation
 * error.
 */
export const MAX_CREDENTIAL_LENGTH = 1000;

/** A password to store, in Unicode NFC. */
export const NewPasswordField = (example: string): PropertyDecorator =>
  field(
    { example, description: '8 to 128 characters, not trimmed; counted and stored in Unicode NFC' },
    { type: 'string', minLength: MIN_LENGTH, maxLength: MAX_LENGTH },
    Transform(({ value }: { value: unknown }) =>
      typeof value === 'string' ? value.normalize('NFC') : value,
    ),
    IsText(),
    HasLength(MIN_LENGTH, MAX_LENGTH),
  );

/** A password to compare with the stored one, as typed. */
export const PasswordField = (): PropertyDecorator =>
  field(
    {
      example: 'correct horse battery',
      description: 'Compared in Unicode NFC, or else as sent; not trimmed',
    },
    { type: 'string', minLength: 1, maxLength: MAX_CREDENTIAL_LENGTH },
    IsText(),
    HasLength(1, MAX_CREDENTIAL_LENGTH),
  );
