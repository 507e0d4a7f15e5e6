import { describe, expect, it } from '@jest/globals';
import type { Test } from 'supertest';
import { expectError } from '../support/errors.js';
import { useService } from '../support/service.js';

describe('a failure of the service', () => {
  const service = useService({ logLevel: 'fatal' });

  async function without<T>(table: string, work: () => Promise<T>): Promise<T> {
    await service.query(`ALTER TABLE ${table} RENAME TO hidden_table`);
    try {
      return await work();
    } finally {
      await service.query(`ALTER TABLE hidden_table RENAME TO ${table}`);
    }
  }

  function expectMasked(response: Awaited<Test>): void {
    const requestId = response.headers['x-request-id'];
    expect(requestId).toMatch(/./);
    expectError(response, 500, 'INTERNAL_SERVER_ERROR', { request_id: requestId });
    expect(response.text).not.toMatch(/relation|payment_methods|activity_log|users|select|at /i);
  }

  it('shows nothing of itself but the request id', async () => {
    const user = await service.signUp();
    expectMasked(await without('payment_methods', () => user.get('/payment-methods')));
    expect((await user.get('/payment-methods').expect(200)).body).toEqual([]);
  });

  it('while the token is checked is no 401', async () => {
    const user = await service.signUp();
    expectMasked(await without('users', () => user.get('/auth/me')));
  });
});
