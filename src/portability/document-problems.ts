import { ValidationFailedError } from '../platform/errors/domain-error.js';
import type { FieldErrors, FieldReason } from '../platform/errors/field-reasons.js';

/** The rest of a document is not checked after so many problems. */
const MAX_PROBLEMS = 20;

/** Collects what is wrong with a document, by its place. */
export class DocumentProblems {
  private readonly errors = new Map<string, FieldErrors[string]>();

  /** @throws ValidationFailedError with the problems when there are many */
  add(errors: FieldErrors): void {
    for (const [path, error] of Object.entries(errors)) this.errors.set(path, error);
    if (this.errors.size >= MAX_PROBLEMS) this.assertNone();
  }

  /** @throws ValidationFailedError with the problems */
  assertNone(): void {
    if (this.errors.size > 0) throw new ValidationFailedError(Object.fromEntries(this.errors));
  }
}

/** A problem at a place of the document: `expenses.17`, counted from 0. */
export const problem = (path: string, reason: FieldReason, message: string): FieldErrors => ({
  [path]: [{ reason, message: `${path} ${message}` }],
});
