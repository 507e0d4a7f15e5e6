import { violatedConstraint } from './database-failure.js';
import type { DomainError } from './domain-error.js';

interface UniqueConstraint {
  error: () => DomainError;
  /** Whether transactions read which row has the value before they write it. */
  isReadFirst: boolean;
}

const CONSTRAINTS = new Map<string, UniqueConstraint>();

/**
 * Registers the domain error of a unique constraint, where the entity with the constraint is
 * defined.
 */
export const registerUniqueConstraint = (
  name: string,
  error: () => DomainError,
  { isReadFirst = false } = {},
): void => {
  CONSTRAINTS.set(name, { error, isReadFirst });
};

const UNIQUE_VIOLATION = '23505';

const violatedBy = (error: unknown): UniqueConstraint | undefined =>
  CONSTRAINTS.get(violatedConstraint(error, UNIQUE_VIOLATION));

/**
 * Whether the row that has the value was written after the transaction had read that there is none:
 * run again, it finds the row.
 */
export const isSeenByNextAttempt = (error: unknown): boolean =>
  violatedBy(error)?.isReadFirst ?? false;

/** The domain error of a violated unique constraint; any other error unchanged. */
export const translateUniqueViolation = (error: unknown): unknown =>
  violatedBy(error)?.error() ?? error;
