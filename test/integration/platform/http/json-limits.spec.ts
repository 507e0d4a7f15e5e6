import { describe, expect, it } from '@jest/globals';
import { expectError, expectInvalid } from '../../../support/errors.js';
import { TEST_PASSWORD, useService } from '../../../support/service.js';

const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);

describe('the JSON of a request', () => {
  const service = useService();

  it('the JSON of a request is nested 32 levels at most, which is checked before it is parsed', async () => {
    const user = await service.signUp();
    const send = (json: string) => user.send('post', '/payment-methods').type('json').send(json);
    for (const json of [nested(33), '['.repeat(33), `{"name":${nested(32)}}`]) {
      const response = await send(json);
      expectInvalid(response, 'body');
      expect(response.body).toMatchObject({
        error: { details: { reasons: { body: ['too_deep'] } } },
      });
    }
    expectError(await send('['.repeat(32)), 400, 'VALIDATION_ERROR');
    expectInvalid(await send(`{"name":${nested(31)}}`), 'name');
  });

  it('the document of an import has 1,000 different names at most, which are counted before it is parsed', async () => {
    const user = await service.signUp();
    const send = (json: string) => user.send('post', '/import').type('json').send(json);
    const members = (count: number): string =>
      Array.from({ length: count }, (_, n) => `"x${n}": 0, "x0":0`).join(',');
    for (const json of [`{${members(1001)}}`, `[{${members(999)}},{"y":{"z":[`]) {
      const response = await send(json);
      expectInvalid(response, 'body');
      expect(response.body).toMatchObject({
        error: { details: { reasons: { body: ['too_many'] } } },
      });
    }
    const values = Array.from({ length: 2000 }, (_, n) => `"${n}:"`).join(',');
    expectError(await send(`[{${members(1000)}},${values}`), 400, 'VALIDATION_ERROR');
  });

  it('the JSON of a request may have any brackets in its texts', async () => {
    const user = await service.signUp();
    const name = `${'['.repeat(40)}"{\\`;
    const { id } = await user.createPaymentMethod({ name });
    expect(await user.read(`/payment-methods/${id}`)).toMatchObject({ name });
  });

  it('the JSON of a request is limited without a token, too', async () => {
    const send = (json: string) =>
      service.anonymous.send('post', '/auth/register').type('json').send(json);
    expectInvalid(await send(nested(33)), 'body');
    expectInvalid(await send(`{"email":1,"password":"${TEST_PASSWORD}"}`), 'email');
  });
});
