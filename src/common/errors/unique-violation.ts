import { DomainError } from './domain-error.js';

/** What a broken unique constraint means to a client, by the constraint's name. */
const MEANINGS: Record<string, () => DomainError> = {
  uq_users_email: () =>
    new DomainError('USER_ALREADY_EXISTS', 'A user with this e-mail already exists'),
  uq_payment_methods_user_id_name: () =>
    new DomainError('RESOURCE_CONFLICT', 'A payment method with this name already exists', {
      resource: 'payment_method',
    }),
  uq_cycles_user_id_name: () =>
    new DomainError('CYCLE_NAME_EXISTS', 'A cycle with this name already exists'),
};

const UNIQUE_VIOLATION = '23505';

/** The domain error that a database error stands for, or the error itself. */
export function translateUniqueViolation(error: unknown): unknown {
  const { code, constraint } = (error ?? {}) as { code?: unknown; constraint?: unknown };
  if (code !== UNIQUE_VIOLATION || typeof constraint !== 'string') return error;
  return MEANINGS[constraint]?.() ?? error;
}
