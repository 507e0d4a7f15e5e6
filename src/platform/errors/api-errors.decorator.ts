import { ApiExtension } from '@nestjs/swagger';
import type { ErrorCode } from './error-code.js';

/** Holds the codes of an operation until the OpenAPI document is built from them. */
export const ERROR_CODES_EXTENSION = 'x-error-codes';

/** Documents error codes of an operation, in addition to those derived from its parameters and body. */
export function ApiErrors(...codes: ErrorCode[]): MethodDecorator {
  return ApiExtension(ERROR_CODES_EXTENSION, codes);
}
