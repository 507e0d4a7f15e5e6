import { afterEach, describe, expect, it, jest } from '@jest/globals';
import argon2 from 'argon2';
import { EventEmitter, once } from 'node:events';
import request from 'supertest';
import { expectError } from '../../support/errors.js';
import { restorePasswordCost } from '../../support/password-cost.js';
import { countOutcomes } from '../../support/response-counts.js';
import { TEST_PASSWORD, useService } from '../../support/service.js';

const SIGN_INS = 200;
/** What may wait for a hash, and what may be hashed at a time on any number of cores. */
const MAX_WAITING = 100;
const MAX_HASHED = 3;
const MIN_REFUSED = SIGN_INS - MAX_WAITING - MAX_HASHED;

restorePasswordCost();

/** Makes the comparison of passwords wait until the returned function is called. */
function holdPasswordChecks(): () => void {
  const { verify } = argon2;
  const gate = new EventEmitter();
  const opened = once(gate, 'open');
  jest.spyOn(argon2, 'verify').mockImplementation(async (...parameters) => {
    await opened;
    return verify(...parameters);
  });
  return () => void gate.emit('open');
}

describe('concurrent sign-ins', () => {
  const service = useService();

  afterEach(() => {
    jest.restoreAllMocks();
  });

  it('concurrent sign-ins are processed in order; those beyond the queue get 503 with Retry-After', async () => {
    const { email } = await service.signUp();
    const continueChecks = holdPasswordChecks();
    const refused: request.Response[] = [];
    const signIn = async (): Promise<request.Response> => {
      const response = await request(service.server)
        .post('/api/v1/auth/login')
        .type('form')
        .send({ username: email, password: TEST_PASSWORD });
      if (response.status === 503) refused.push(response);
      if (refused.length === MIN_REFUSED) continueChecks();
      return response;
    };
    const responses = await Promise.all(Array.from({ length: SIGN_INS }, signIn));
    expect(countOutcomes(responses)).toEqual({
      '200': SIGN_INS - refused.length,
      '503 SERVICE_UNAVAILABLE': refused.length,
    });
    expect(refused.length).toBeGreaterThanOrEqual(MIN_REFUSED);
    expect(SIGN_INS - refused.length).toBeGreaterThanOrEqual(MAX_WAITING);
    for (const response of refused) {
      expectError(response, 503, 'SERVICE_UNAVAILABLE', {});
      expect(response.get('Retry-After')).toBe('1');
    }
    await service.signIn(email);
  });
});
