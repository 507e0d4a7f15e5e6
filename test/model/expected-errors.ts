/** Expected errors and their responses. */
import { expect } from '@jest/globals';
import type { Response } from 'supertest';
import type { ErrorDetails } from '../../src/platform/errors/error-body.js';
import type { ErrorBody } from '../../src/platform/errors/error-body.js';
import type { ErrorCode } from '../../src/platform/errors/error-types.js';
import { expectError } from '../support/errors.js';

export interface Refusal {
  status: number;
  code: ErrorCode;
  /** Undefined: not compared. */
  details?: ErrorDetails;
  /** Whether the body is invalid, whatever is stored. */
  isOfBody?: true;
}

export const CYCLE_NOT_FOUND: Refusal = { status: 404, code: 'CYCLE_NOT_FOUND' };
export const CYCLE_COMPLETED: Refusal = { status: 409, code: 'CYCLE_ALREADY_COMPLETED' };
export const FORBIDDEN: Refusal = { status: 403, code: 'FORBIDDEN' };

export const notFound = (resource: string): Refusal => ({
  status: 404,
  code: 'RESOURCE_NOT_FOUND',
  details: { resource },
});

/** A validation error for exactly these fields; without fields, for any. */
export function invalid(...fields: string[]): Refusal {
  const refusal: Refusal = { status: 422, code: 'VALIDATION_ERROR' };
  if (fields.length === 0) return refusal;
  const messages = expect.arrayContaining([expect.any(String)]) as unknown;
  const refused = Object.fromEntries(fields.map((field) => [field, messages]));
  return { ...refusal, details: { fields: refused, reasons: refused } };
}

export const when = (holds: boolean, refusal: Refusal): Refusal[] => (holds ? [refusal] : []);

/** Marks errors of the body itself. */
export const ofBody = (refusal: Refusal): Refusal => ({ ...refusal, isOfBody: true });

/** The order of the checks: the body, missing entities, the completed cycle, everything else. */
function rankOf({ isOfBody, status, code }: Refusal): number {
  if (isOfBody) return 0;
  if (status === 404) return 1;
  return code === CYCLE_COMPLETED.code ? 2 : 3;
}

/**
 * If several errors of one rank apply, the contract does not say which one is returned: any of them
 * is accepted, and the details of several with one code are not compared.
 */
export function expectRefusedFor(
  faults: readonly [Refusal, ...Refusal[]],
  response: Response,
): void {
  const { error } = response.body as Partial<ErrorBody>;
  const rank = Math.min(...faults.map(rankOf));
  const first = faults.filter((fault) => rankOf(fault) === rank);
  const matching = first.filter(
    ({ status, code }) => status === response.status && code === error?.code,
  );
  const { status, code, details } = matching[0] ?? first[0] ?? faults[0];
  expectError(response, status, code, matching.length > 1 ? undefined : details);
}
