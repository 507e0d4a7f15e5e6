import { violatedConstraint } from './database-failure.js';
import type { DomainError } from './domain-error.js';

const ERRORS_BY_CONSTRAINT = new Map<string, () => DomainError>();

/**
 * Registers the domain error of a unique constraint, where the entity with the constraint is
 * defined.
 */
export const registerUniqueConstraint = (name: string, error: () => DomainError): void => {
  ERRORS_BY_CONSTRAINT.set(name, error);
};

const UNIQUE_VIOLATION = '23505';

/** The domain error of a violated unique constraint; any other error unchanged. */
export function translateUniqueViolation(error: unknown): unknown {
  const constraint = violatedConstraint(error, UNIQUE_VIOLATION);
  return ERRORS_BY_CONSTRAINT.get(constraint)?.() ?? error;
}
