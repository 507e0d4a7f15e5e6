import { expect } from '@jest/globals';
import { readFileSync } from 'node:fs';
import type { Response } from 'supertest';
import type { ErrorBody, ErrorDetails } from '../../src/platform/errors/error-body.js';
import type { ErrorCode } from '../../src/platform/errors/error-types.js';

const DOCUMENT = JSON.parse(
  readFileSync(new URL('../../docs/openapi.json', import.meta.url), 'utf8'),
) as { components: { examples: Record<string, { value: unknown }> } };

/** The body of an error in the OpenAPI document, by the name of its example. */
export const errorExample = (name: string): unknown => DOCUMENT.components.examples[name]?.value;

/**
 * Expects the complete error envelope, and its `details` if they are given; returns its message.
 */
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

/**
 * Expects a refused request (422), for exactly these fields, with one message and one reason each.
 */
export function expectInvalid(response: Response, ...fields: string[]): void {
  const ofEach = Object.fromEntries(fields.map((field) => [field, [expect.any(String)]]));
  expectError(response, 422, 'VALIDATION_ERROR', { fields: ofEach, reasons: ofEach });
}

/**
 * Expects a refusal because there may be no more of the resource, with the body of its example in
 * the OpenAPI document.
 */
export function expectLimitReached(response: Response, resource: string, limit: number): void {
  expectError(response, 409, 'RESOURCE_CONFLICT', { resource, limit });
  expect(response.body).toEqual(errorExample(`RESOURCE_CONFLICT.${resource}.limit`));
}
