import { violatedConstraint } from './database-failure.js';
import { DomainError } from './domain-error.js';

/** The domain error of each unique constraint, by the constraint's name. */
const ERRORS_BY_CONSTRAINT: Record<string, () => DomainError> = {
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

/** The domain error of a violated unique constraint; any other error unchanged. */
export function translateUniqueViolation(error: unknown): unknown {
  const constraint = violatedConstraint(error, UNIQUE_VIOLATION);
  return ERRORS_BY_CONSTRAINT[constraint]?.() ?? error;
}
