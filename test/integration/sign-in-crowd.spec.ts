import { describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { expectError } from '../support/errors.js';
import { countOutcomes } from '../support/response-counts.js';
import { TEST_PASSWORD, useService } from '../support/service.js';

const CROWD = 200;

describe('a crowd that signs in at once', () => {
  const service = useService();

  it('is served in order; sign-ins that would wait too long get 503 with Retry-After', async () => {
    const { email } = await service.signUp();
    const signIn = async (): Promise<request.Response> =>
      request(service.server)
        .post('/api/v1/auth/login')
        .type('form')
        .send({ username: email, password: TEST_PASSWORD });
    const responses = await Promise.all(Array.from({ length: CROWD }, signIn));
    const refused = responses.filter(({ status }) => status === 503);
    expect(refused.length).toBeGreaterThan(0);
    expect(countOutcomes(responses)).toEqual({
      '200': CROWD - refused.length,
      '503 SERVICE_UNAVAILABLE': refused.length,
    });
    expect(CROWD - refused.length).toBeGreaterThanOrEqual(100);
    for (const response of refused) {
      expectError(response, 503, 'SERVICE_UNAVAILABLE', {});
      expect(response.get('Retry-After')).toBe('1');
    }
    await service.signIn(email);
  });
});
