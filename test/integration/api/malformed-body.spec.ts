import { describe, expect, it } from '@jest/globals';
import type { Test } from 'supertest';
import type { Client } from '../../support/client.js';
import { expectError, expectInvalid } from '../../support/errors.js';
import { databaseState } from '../../support/rejected-requests.js';
import {
  UNKNOWN_UUID,
  createSampleEntities,
  useSampleEntities,
} from '../../support/sample-entities.js';
import { TEST_PASSWORD, useService } from '../../support/service.js';

const sendJson = (
  user: Client,
  method: 'post' | 'put' | 'patch',
  path: string,
  json: string,
): Test => user.send(method, path).set('Content-Type', 'application/json').send(json);

describe('a body', () => {
  const service = useService();
  const entities = useSampleEntities(service);
  const paymentMethod = { name: 'New', method_type: 'cash', default_currency: 'USD' };

  it.each(['{', '{"name":}', '{"name":"x",}', "{'name':'x'}", 'name', '{"name":"x"}}'])(
    'a body of malformed JSON is refused with 400: %s',
    async (json) => {
      const user = await service.signUp();
      for (const sent of [
        sendJson(user, 'post', '/payment-methods', json),
        sendJson(user, 'put', `/payment-methods/${UNKNOWN_UUID}`, json),
      ]) {
        expectError(await sent, 400, 'VALIDATION_ERROR');
      }
    },
  );

  it.each(['[]', '[{"name":"x"}]', '"text"', '5', 'true', 'null'])(
    'a body is refused if it is not an object: %s',
    async (json) => {
      const { user, fill } = entities;
      for (const sent of [
        sendJson(user, 'post', '/payment-methods', json),
        sendJson(user, 'put', fill('/payment-methods/{id}'), json),
      ]) {
        expectInvalid(await sent, 'body');
      }
    },
  );

  it('a body is required', async () => {
    const { user, fill } = entities;
    for (const sent of [
      user.post('/payment-methods'),
      user.put(fill('/payment-methods/{id}')),
      sendJson(user, 'post', '/payment-methods', ''),
      service.anonymous.post('/auth/login'),
    ]) {
      expectError(await sent, 422, 'VALIDATION_ERROR');
    }
  });

  it.each([
    ['malformed JSON', 'application/json', '{'],
    ['another type', 'application/xml', '<x/>'],
    ['a body above the size limit', 'application/json', 'x'.repeat(200 * 1024)],
  ])('a body is ignored for a method without a body: %s', async (_what, type, body) => {
    const { user, fill } = await createSampleEntities(service);
    await user.send('get', '/auth/me').set('Content-Type', type).send(body).expect(200);
    await user
      .send('delete', fill('/comments/{id}'))
      .set('Content-Type', type)
      .send(body)
      .expect(204);
  });

  it('a body is refused if malformed, also where the operation has no body', async () => {
    const { user } = entities;
    const sent = sendJson(user, 'post', '/households/current/invitations', '{');
    expectError(await sent, 400, 'VALIDATION_ERROR');
  });

  it('a body over 131,072 bytes is refused with 413, at sign-in and registration over 16,384', async () => {
    const user = await service.signUp();
    const json = JSON.stringify(paymentMethod);
    await sendJson(user, 'post', '/payment-methods', json.padEnd(131_072)).expect(201);
    const tooLong = sendJson(user, 'post', '/payment-methods', json.padEnd(131_073));
    expectError(await tooLong, 413, 'VALIDATION_ERROR');
    const { anonymous } = service;
    const signIn = (padding: number): Test =>
      anonymous
        .send('post', '/auth/login')
        .type('form')
        .send(`username=${user.email}&password=${'x'.repeat(padding - 19 - user.email.length)}`);
    expectError(await signIn(16_384), 422, 'VALIDATION_ERROR');
    expectError(await signIn(16_385), 413, 'VALIDATION_ERROR');
    const account = JSON.stringify({ email: 'padded@example.com', password: TEST_PASSWORD });
    const register = (length: number): Test =>
      sendJson(anonymous, 'post', '/auth/register', account.padEnd(length));
    expectError(await register(16_385), 413, 'VALIDATION_ERROR');
    await register(16_384).expect(201);
  });

  it.each([
    ['Content-Type', 'text/plain'],
    ['Content-Type', 'application/xml'],
    ['Content-Type', 'application/x-www-form-urlencoded'],
    ['Content-Type', 'multipart/form-data; boundary=x'],
    ['Content-Type', 'application/json; charset=iso-8859-1'],
    ['Content-Encoding', 'compress'],
    ['Content-Encoding', 'gzip'],
    ['Content-Encoding', 'deflate'],
    ['Content-Encoding', 'br'],
  ])('a body with the %s %s is refused with 415', async (header, value) => {
    const user = await service.signUp();
    const sent = user.send('post', '/payment-methods').type('json').set(header, value);
    expectError(await sent.send(JSON.stringify(paymentMethod)), 415, 'VALIDATION_ERROR');
  });

  it.each([
    ['objects in a known field', '{"name":', '{"a":', '1', '}'],
    ['arrays in a known field', '{"name":', '[', '', ']'],
    ['objects in an unknown field', '{"typo":', '{"a":', '1', '}'],
    ['objects in the recurrence config', '{"recurrence_config":', '{"a":', '1', '}'],
    ['arrays alone', '', '[', '', ']'],
  ])('nested 5000 levels deep is refused: %s', async (_kind, start, open, inner, close) => {
    const { user, fill } = entities;
    const json = start + open.repeat(5000) + inner + close.repeat(5000) + (start && '}');
    for (const sent of [
      sendJson(user, 'post', '/expense-templates', json),
      sendJson(user, 'put', fill('/expense-templates/{id}'), json),
    ]) {
      expectError(await sent, 422, 'VALIDATION_ERROR');
    }
  });

  it.each(['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty'])(
    'a body is refused with an unknown field %s',
    async (key) => {
      const { user, fill } = entities;
      const sent = sendJson(user, 'put', fill('/payment-methods/{id}'), `{"${key}":{"x":1}}`);
      expectInvalid(await sent, key);
    },
  );

  it.each(['__proto__', 'constructor', 'prototype', 'toString', 'valueOf', 'toJSON', 'length'])(
    'a body is refused with an object with the key %s in place of a scalar',
    async (key) => {
      const { user, fill } = entities;
      const json = `{"name":{"${key}":"x"},"access":{"${key}":"x"},"expires_in_days":[{"${key}":"x"}]}`;
      const refused = await sendJson(user, 'post', '/auth/tokens', json);
      expectInvalid(refused, 'name', 'access', 'expires_in_days');
      const element = `{"expenses":[{"id":"${fill('{expense_id}')}","paid":{"${key}":"x"}}]}`;
      const bulk = await sendJson(user, 'patch', fill('/cycles/{cycle_id}/expenses'), element);
      expectInvalid(bulk, 'expenses.0.paid');
    },
  );

  it.each(['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty'])(
    'a body is refused with an unknown field recurrence_config.%s',
    async (key) => {
      const { user, fill } = entities;
      const before = await databaseState(service);
      const json = `{"recurrence_config":{"day_of_month":2,"${key}":{"x":1}}}`;
      const sent = sendJson(user, 'put', fill('/expense-templates/{id}'), json);
      expectInvalid(await sent, `recurrence_config.${key}`);
      expect(await databaseState(service)).toEqual(before);
    },
  );
});
