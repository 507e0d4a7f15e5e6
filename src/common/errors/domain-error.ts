import type { ErrorCode } from './error-code.js';

export type ErrorDetails = Record<string, unknown>;

/** Messages by field; nested fields by their dotted path. */
export type FieldErrors = Record<string, string[]>;

/** An expected failure with a stable code. Services throw these and know no HTTP. */
export class DomainError extends Error {
  constructor(
    readonly code: ErrorCode,
    message: string,
    readonly details: ErrorDetails = {},
  ) {
    super(message);
    this.name = code;
  }
}

export class ValidationFailedError extends DomainError {
  constructor(fields: FieldErrors, message = 'The request is not valid') {
    super('VALIDATION_ERROR', message, { fields });
  }
}

/** Missing, or someone else's: the two cannot be told apart. */
export class ResourceNotFoundError extends DomainError {
  constructor(resource: string, message = `No such ${resource.replaceAll('_', ' ')}`) {
    super('RESOURCE_NOT_FOUND', message, { resource });
  }
}
