import { DomainError } from './domain-error.js';
import { invalidToken } from './invalid-token.js';

/** What a broken constraint means to a client, by the constraint's name. */
const MEANINGS: Record<string, () => DomainError> = {
  uq_users_email: () =>
    new DomainError('USER_ALREADY_EXISTS', 'A user with this e-mail already exists'),
  uq_payment_methods_user_id_name: () =>
    new DomainError('RESOURCE_CONFLICT', 'A payment method with this name already exists', {
      resource: 'payment_method',
    }),
  uq_cycles_user_id_name: () =>
    new DomainError('CYCLE_NAME_EXISTS', 'A cycle with this name already exists'),
  // The account was removed by hand, after the token was checked.
  fk_payment_methods_user_id: invalidToken,
  fk_cycles_user_id: invalidToken,
};

/** The domain error that a database error stands for, or the error itself. */
export function translateConstraintViolation(error: unknown): unknown {
  const { constraint } = (error ?? {}) as { constraint?: unknown };
  const meaning = typeof constraint === 'string' ? MEANINGS[constraint] : undefined;
  return meaning ? meaning() : error;
}
