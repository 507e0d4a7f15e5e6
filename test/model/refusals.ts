/** Why a request may be refused, and what the answer is then. */
import { expect } from '@jest/globals';
import type { Response } from 'supertest';
import type { ErrorDetails } from '../../src/common/errors/domain-error.js';
import type { ErrorBody } from '../../src/common/errors/error-body.js';
import type { ErrorCode } from '../../src/common/errors/error-code.js';
import { expectError } from '../support/errors.js';

export interface Refusal {
  status: number;
  code: ErrorCode;
  /** Any where it is left out. */
  details?: ErrorDetails;
}

export const CYCLE_NOT_FOUND: Refusal = { status: 404, code: 'CYCLE_NOT_FOUND' };
export const CYCLE_COMPLETED: Refusal = { status: 409, code: 'CYCLE_ALREADY_COMPLETED' };
export const FORBIDDEN: Refusal = { status: 403, code: 'FORBIDDEN' };

export const notFound = (resource: string): Refusal => ({
  status: 404,
  code: 'RESOURCE_NOT_FOUND',
  details: { resource },
});

/** For exactly these fields; with none named, for any. */
export function invalid(...fields: string[]): Refusal {
  const refusal: Refusal = { status: 422, code: 'VALIDATION_ERROR' };
  if (fields.length === 0) return refusal;
  const messages = expect.arrayContaining([expect.any(String)]) as unknown;
  const refused = Object.fromEntries(fields.map((field) => [field, messages]));
  return { ...refusal, details: { fields: refused } };
}

export const when = (holds: boolean, refusal: Refusal): Refusal[] => (holds ? [refusal] : []);

/**
 * Where several reasons hold the contract does not say which is told: any one of them is right, and of
 * several with one code their details may be anyone's or everyone's.
 */
export function expectRefusedFor(
  faults: readonly [Refusal, ...Refusal[]],
  response: Response,
): void {
  const { error } = response.body as Partial<ErrorBody>;
  const told = faults.filter(
    ({ status, code }) => status === response.status && code === error?.code,
  );
  const { status, code, details } = told[0] ?? faults[0];
  expectError(response, status, code, told.length > 1 ? undefined : details);
}
