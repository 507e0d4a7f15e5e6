import { expect } from '@jest/globals';
import { parseResponses, type RawResponse } from '../support/raw-http.js';
import { assertResponseAsDocumented } from '../support/response-contract.js';
import { isCutShort, type HostileRequest } from './requests.js';

const ENVELOPE = {
  success: false,
  error: {
    code: expect.stringMatching(/^[A-Z_]+$/),
    message: expect.stringMatching(/./),
    details: expect.any(Object),
  },
};

/** Parts of a stack trace, a statement or a driver error, which no client may see. */
const INTERNAL_DETAILS =
  /\n\s+at |node_modules|\.[jt]s:\d+|\b(SELECT|INSERT INTO|UPDATE|DELETE FROM) "|QueryFailedError/;

/** Expects valid responses to any request; returns their statuses. */
export function expectValidResponses(request: HostileRequest, received: Buffer): number[] {
  const responses = parseResponses(received, request.method);
  // Node may close a half-closed connection without a response.
  if (!isCutShort(request)) expect(responses).not.toHaveLength(0);
  responses.forEach((response, index) =>
    expectValidResponse(response, index === 0 ? request : undefined),
  );
  return responses.map(({ status }) => status);
}

/** @param request - undefined for a response to the bytes after the request */
function expectValidResponse(response: RawResponse, request?: HostileRequest): void {
  const { status, headers, body } = response;
  expect(status).toBeLessThan(500);
  expect(headers).toHaveProperty('x-request-id', expect.stringMatching(/^[A-Za-z0-9._-]{1,64}$/));
  expect(headers).not.toHaveProperty('x-injected');
  expect(body).not.toMatch(INTERNAL_DETAILS);
  if (request?.method === 'HEAD') return;
  const isJson = headers['content-type']?.startsWith('application/json') ?? false;
  const value: unknown = isJson ? JSON.parse(body) : undefined;
  if (status >= 400) expect(value).toEqual(ENVELOPE);
  if (request && !isParserError(status, value)) {
    const pathname = request.target.split(/[?#]/)[0] ?? '';
    assertResponseAsDocumented({
      method: request.method.toLowerCase(),
      pathname,
      status,
      body: value,
    });
  }
}

/** Whether the HTTP parser sent the response before it had read which operation is requested. */
function isParserError(status: number, value: unknown): boolean {
  const { error } = (value ?? {}) as { error?: { message?: string } };
  return status === 408 || error?.message === 'Malformed HTTP request';
}
