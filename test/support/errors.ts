import { expect } from '@jest/globals';
import type { Response } from 'supertest';
import type { ErrorBody, ErrorDetails } from '../../src/platform/errors/error-body.js';
import type { ErrorCode } from '../../src/platform/errors/error-code.js';

/** Expects the complete error envelope, and its `details` if they are given; returns its message. */
export function expectError(
  response: Response,
  status: number,
  code: ErrorCode,
  details?: ErrorDetails,
): string {
  const body = response.body as ErrorBody;
  expect({ status: response.status, body }).toEqual({
    status,
    body: {
      success: false,
      error: {
        code,
        message: expect.stringMatching(/./),
        details: details ?? expect.any(Object),
      },
    },
  });
  return body.error.message;
}

/** Expects a refused request (422), for exactly these fields, with one message and one reason each. */
export function expectInvalid(response: Response, ...fields: string[]): void {
  const ofEach = Object.fromEntries(fields.map((field) => [field, [expect.any(String)]]));
  expectError(response, 422, 'VALIDATION_ERROR', { fields: ofEach, reasons: ofEach });
}
