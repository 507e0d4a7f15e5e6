import { occurrenceExists } from '../ledger/entities/cycle-errors.js';
import type { UniqueConstraint } from '../platform/database/data-source.js';
import { DomainError, NameTakenError } from '../platform/errors/domain-error.js';

/** The errors of unique constraints, by their names in the database. */
export const UNIQUE_CONSTRAINTS: Readonly<Record<string, UniqueConstraint>> = {
  uq_users_email: {
    error: () => new DomainError('USER_ALREADY_EXISTS', 'A user with this e-mail already exists'),
  },
  uq_payment_methods_user_id_name: {
    error: () => new NameTakenError('payment_method'),
    isReadFirst: true,
  },
  uq_budgets_user_id_name: {
    error: () => new NameTakenError('budget'),
    isReadFirst: true,
  },
  uq_cycles_user_id_name: {
    error: () => new DomainError('CYCLE_NAME_EXISTS', 'A cycle with this name already exists'),
  },
  uq_cycle_expenses_occurrence: { error: () => occurrenceExists('cycle_expense') },
  uq_cycle_incomes_occurrence: { error: () => occurrenceExists('cycle_income') },
};
