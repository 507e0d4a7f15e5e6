import type { ErrorCode } from './error-code.js';
import type { DetailsArgument } from './error-details.js';

/** The details of an error of any code. */
export type ErrorDetails = Record<string, unknown>;

/** The body of every response outside 2xx and 3xx; `platform/openapi/error-schemas.ts` has the schema of each code. */
export interface ErrorBody {
  success: false;
  error: { code: ErrorCode; message: string; details: ErrorDetails };
}

export function toErrorBody<Code extends ErrorCode>(
  code: Code,
  message: string,
  ...[details]: DetailsArgument<Code>
): ErrorBody {
  return { success: false, error: { code, message, details: { ...details } } };
}
