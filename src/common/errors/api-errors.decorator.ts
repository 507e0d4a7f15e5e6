import { ApiExtension } from '@nestjs/swagger';
import type { ErrorCode } from './error-code.js';

/** Where the document of the API finds them before it turns them into responses. */
export const ERROR_CODES_EXTENSION = 'x-error-codes';

/** Documents the failures of an operation beside those that every operation of its shape has. */
export function ApiErrors(...codes: ErrorCode[]): MethodDecorator {
  return ApiExtension(ERROR_CODES_EXTENSION, codes);
}
