import { describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { expectError } from '../support/errors.js';
import { restorePasswordCost } from '../support/password-cost.js';
import { countOutcomes } from '../support/response-counts.js';
import { TEST_PASSWORD, useService } from '../support/service.js';

const SIGN_INS = 200;

restorePasswordCost();

describe('concurrent sign-ins', () => {
  const service = useService();

  it('concurrent sign-ins are processed in order; those that would wait too long get 503 with Retry-After', async () => {
    const { email } = await service.signUp();
    const signIn = async (): Promise<request.Response> =>
      request(service.server)
        .post('/api/v1/auth/login')
        .type('form')
        .send({ username: email, password: TEST_PASSWORD });
    const responses = await Promise.all(Array.from({ length: SIGN_INS }, signIn));
    const refused = responses.filter(({ status }) => status === 503);
    expect(refused.length).toBeGreaterThan(0);
    expect(countOutcomes(responses)).toEqual({
      '200': SIGN_INS - refused.length,
      '503 SERVICE_UNAVAILABLE': refused.length,
    });
    expect(SIGN_INS - refused.length).toBeGreaterThanOrEqual(100);
    for (const response of refused) {
      expectError(response, 503, 'SERVICE_UNAVAILABLE', {});
      expect(response.get('Retry-After')).toBe('1');
    }
    await service.signIn(email);
  });
});
