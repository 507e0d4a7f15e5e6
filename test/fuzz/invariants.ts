import { expect } from '@jest/globals';
import { parseAnswers, type RawAnswer } from '../support/raw-http.js';
import { assertAnswerAsDocumented } from '../support/response-contract.js';
import { isCutShort, type HostileRequest } from './requests.js';

const ENVELOPE = {
  success: false,
  error: {
    code: expect.stringMatching(/^[A-Z_]+$/),
    message: expect.stringMatching(/./),
    details: expect.any(Object),
  },
};

/** Of a stack, a statement or the driver: nothing that a client may see. */
const INNARDS =
  /\n\s+at |node_modules|\.[jt]s:\d+|\b(SELECT|INSERT INTO|UPDATE|DELETE FROM) "|QueryFailedError/;

/** What may come back, whatever was sent; gives the statuses. */
export function expectHarmless(request: HostileRequest, received: Buffer): number[] {
  const answers = parseAnswers(received, request.method);
  // To one that ends its side of the connection Node may not answer.
  if (!isCutShort(request)) expect(answers).not.toHaveLength(0);
  answers.forEach((answer, index) =>
    expectHarmlessAnswer(answer, index === 0 ? request : undefined),
  );
  return answers.map(({ status }) => status);
}

/** @param request - nothing for an answer to what came after it */
function expectHarmlessAnswer(answer: RawAnswer, request?: HostileRequest): void {
  const { status, headers, body } = answer;
  expect(status).toBeLessThan(500);
  expect(headers).toHaveProperty('x-request-id', expect.stringMatching(/^[A-Za-z0-9._-]{1,64}$/));
  expect(headers).not.toHaveProperty('x-injected');
  expect(body).not.toMatch(INNARDS);
  if (request?.method === 'HEAD') return;
  const isJson = headers['content-type']?.startsWith('application/json') ?? false;
  const value: unknown = isJson ? JSON.parse(body) : undefined;
  if (status >= 400) expect(value).toEqual(ENVELOPE);
  if (request && !isOfTheParser(value)) {
    const pathname = request.target.split(/[?#]/)[0] ?? '';
    assertAnswerAsDocumented({
      method: request.method.toLowerCase(),
      pathname,
      status,
      body: value,
    });
  }
}

/** Such an answer belongs to the connection, and to no operation. */
function isOfTheParser(value: unknown): boolean {
  const { error } = (value ?? {}) as { error?: { message?: string } };
  return error?.message === 'The request is not readable HTTP';
}
