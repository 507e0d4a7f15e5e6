import { applyDecorators } from '@nestjs/common';
import { ApiExtension } from '@nestjs/swagger';
import type { DomainError } from './domain-error.js';
import { errorExampleName, type ErrorBody } from './error-body.js';
import type { ErrorCode } from './error-types.js';

/**
 * Holds an {@link ApiError} of an operation until the OpenAPI document is completed. The name of
 * its example follows.
 */
export const ERROR_EXTENSION = 'x-error-';

/** A documented error of an operation. */
export interface ApiError {
  code: ErrorCode;
  /** The example of this operation; without it, the example of the code. */
  body?: ErrorBody | undefined;
}

/**
 * Documents errors of an operation, in addition to those derived from its parameters and body: a
 * code, or an error whose body is the example of the operation. Several decorators of a method add
 * up.
 */
export const ApiErrors = (...errors: (ErrorCode | DomainError)[]): MethodDecorator =>
  applyDecorators(...errors.map(errorExtension));

function errorExtension(error: ErrorCode | DomainError): MethodDecorator {
  if (typeof error === 'string') return ApiExtension(ERROR_EXTENSION + error, { code: error });
  const body = error.toBody();
  return ApiExtension(ERROR_EXTENSION + errorExampleName(body), { code: error.code, body });
}
