import type { DetailsArgument, ErrorCode } from './error-types.js';

/** The details of an error of any code. */
export type ErrorDetails = Record<string, unknown>;

/**
 * The body of every response outside 2xx and 3xx; `openapi/error-schemas.ts` has the schema of each
 * code.
 */
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

interface NamingDetails {
  resource?: string;
  reasons?: Record<string, string[]>;
}

/**
 * The name of an example: the code, and the resource with the names of the other details or the
 * refused fields with their reasons: `RESOURCE_CONFLICT.household_member.limit`,
 * `VALIDATION_ERROR.name.required`.
 */
export function errorExampleName({ error: { code, details } }: ErrorBody): string {
  const { resource, reasons = {}, ...others } = details as NamingDetails;
  const parts =
    resource === undefined ? Object.entries(reasons).flat(2) : [resource, ...Object.keys(others)];
  return [code, ...parts].join('.');
}
