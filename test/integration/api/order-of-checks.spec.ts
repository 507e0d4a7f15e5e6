import { beforeAll, describe, expect, it } from '@jest/globals';
import request, { type Test } from 'supertest';
import type { CycleResponse } from '../../../src/cycles/dto/cycle.dto.js';
import type { ExpenseResponse } from '../../../src/expenses/dto/expense.dto.js';
import type { PaymentMethodResponse } from '../../../src/payment-methods/dto/payment-method.dto.js';
import type { Client } from '../../support/client.js';
import { expectError, expectInvalid } from '../../support/errors.js';
import { operationsOf, splitName } from '../../support/operations.js';
import { databaseState } from '../../support/rejected-requests.js';
import { bodyWith, CLOSING_DATE, UNKNOWN_UUID } from '../../support/sample-entities.js';
import { NO_LIMITS, TEST_PASSWORD, useService } from '../../support/service.js';

/** Each request has several errors. The response has the first of: 422 for the body, 404, 409. */
describe('a write checks', () => {
  const service = useService();
  let user: Client;
  let completed: CycleResponse;
  let expense: ExpenseResponse;
  let inactive: PaymentMethodResponse;

  const pathOf = (id: string): string => `/cycles/${completed.id}/expenses/${id}`;

  beforeAll(async () => {
    user = await service.signUp();
    await user.createCycle({ name: 'Spring' });
    completed = await user.createCycle();
    expense = await user.createExpense(completed.id);
    await user.put(`/cycles/${completed.id}`, { status: 'completed' }).expect(200);
    inactive = await user.createPaymentMethod();
    await user.delete(`/payment-methods/${inactive.id}`).expect(204);
  });

  it('a write checks the body before it reads the entities of the path', async () => {
    const named = operationsOf(service.app).filter(
      // Files have no fields: `expense-csv.spec.ts`.
      ({ body, parameters }) => body?.type === 'application/json' && parameters.path.length > 0,
    );
    expect(named.length).toBeGreaterThan(5);
    const ids = {
      '{payment_method_id}': UNKNOWN_UUID,
      '{other_cycle_id}': UNKNOWN_UUID,
      '{unpaid_expense_id}': UNKNOWN_UUID,
      '{expense_id}': UNKNOWN_UUID,
      '{income_id}': UNKNOWN_UUID,
    };
    for (const { name } of named) {
      const { method, path } = splitName(name);
      const address = path.replaceAll('{closing_date}', CLOSING_DATE);
      const sent = user.send(method, address.replaceAll(/\{\w+\}/g, UNKNOWN_UUID));
      expectInvalid(await sent.send({ ...bodyWith(name, ids), typo: 1 }), 'typo');
    }
  });

  /** Bodies that are invalid whatever is stored. */
  const CONTRADICTIONS: [body: object, ...fields: string[]][] = [
    [{ paid: true, status: 'pending' }, 'paid', 'status'],
    [{ paid: false, status: 'paid' }, 'paid', 'status'],
    [{ paid: false, paid_at: '2026-02-01T00:00:00Z' }, 'paid_at'],
    [{ status: 'cancelled', paid_at: '2026-02-01T00:00:00Z' }, 'paid_at'],
  ];

  it.each(CONTRADICTIONS)(
    'a write checks the fields of an expense against each other first: %j',
    async (body, ...fields) => {
      for (const path of [
        pathOf(expense.id),
        pathOf(UNKNOWN_UUID),
        `/cycles/${UNKNOWN_UUID}/expenses/${UNKNOWN_UUID}`,
      ]) {
        expectInvalid(await user.put(path, body), ...fields);
      }
    },
  );

  it.each([
    { start_date: '2026-03-01', end_date: '2026-01-19' },
    { start_date: '2026-01-01', end_date: '2026-12-31' },
  ])('a write checks the dates of a cycle against each other first: %j', async (body) => {
    for (const id of [completed.id, UNKNOWN_UUID]) {
      const fields = { end_date: [expect.any(String)] };
      const details = { ...body, max_days: 45, fields };
      expectError(await user.put(`/cycles/${id}`, body), 422, 'INVALID_CYCLE_DATES', details);
    }
  });

  it('null fields of a recurrence config first', async () => {
    const body = { recurrence_config: { day_of_month: 1, handle_month_end: null } };
    expectInvalid(
      await user.put(`/expense-templates/${UNKNOWN_UUID}`, body),
      'recurrence_config.handle_month_end',
    );
  });

  it('a write checks the existence of all entities before whether the cycle is completed', async () => {
    const notFound = { resource: 'cycle_expense' };
    for (const sent of [user.put(pathOf(UNKNOWN_UUID), {}), user.delete(pathOf(UNKNOWN_UUID))]) {
      expectError(await sent, 404, 'RESOURCE_NOT_FOUND', notFound);
    }
    const payment_method_id = UNKNOWN_UUID;
    const { description, currency, amount, due_date, category } = expense;
    const body = { description, currency, amount, due_date, category, payment_method_id };
    for (const sent of [
      user.post(`/cycles/${completed.id}/expenses`, body),
      user.put(pathOf(expense.id), { payment_method_id }),
    ]) {
      expectError(await sent, 404, 'RESOURCE_NOT_FOUND', { resource: 'payment_method' });
    }
  });

  it('a write checks whether the cycle is completed before rules that depend on stored data', async () => {
    const before = await databaseState(service);
    const path = `/cycles/${completed.id}`;
    const payment_method_id = inactive.id;
    const { description, currency, amount, due_date, category } = expense;
    const body = { description, currency, amount, due_date, category, payment_method_id };
    for (const sent of [
      user.put(path, {}),
      user.put(path, { name: 'Spring' }),
      user.put(path, { end_date: '2026-01-01' }),
      user.put(path, { status: 'completed' }),
      user.post(`${path}/expenses`, body),
      user.put(pathOf(expense.id), { payment_method_id }),
      user.put(pathOf(expense.id), { paid_at: '2026-02-01T00:00:00Z' }),
      user.put(pathOf(expense.id), { amount: '0.01', currency: 'MXN' }),
    ]) {
      expectError(await sent, 409, 'CYCLE_ALREADY_COMPLETED');
    }
    expectInvalid(await user.put(path, { name: '' }), 'name');
    expectInvalid(await user.put(pathOf(expense.id), { amount: '-1' }), 'amount');
    expect(await databaseState(service)).toEqual(before);
  });

  it('a write checks If-Match before rules that depend on stored data', async () => {
    const open = await user.createCycle();
    const openExpense = await user.createExpense(open.id);
    const openIncome = await user.createIncome(open.id);
    const template = await user.createTemplate();
    const incomeTemplate = await user.createIncomeTemplate();
    for (const path of [
      `/cycles/${open.id}/expenses/${openExpense.id}`,
      `/cycles/${open.id}/incomes/${openIncome.id}`,
      `/expense-templates/${template.id}`,
      `/income-templates/${incomeTemplate.id}`,
    ]) {
      const body = { payment_method_id: inactive.id };
      const changed = user.put(path, body).set('If-Match', '"changed"');
      expectError(await changed, 412, 'PRECONDITION_FAILED');
      expectInvalid(await user.put(path, body), 'payment_method_id');
    }
  });
});

describe('a request beyond the limit of its user', () => {
  const service = useService({
    rateLimits: { ...NO_LIMITS, enabled: true, authenticatedPerHour: 2, authPerMinute: 1000 },
  });

  async function limitedUser(): Promise<Client> {
    const user = await service.signUp();
    for (let n = 0; n < 2; n += 1) await user.get('/auth/me').expect(200);
    expectError(await user.get('/auth/me'), 429, 'RATE_LIMIT_EXCEEDED');
    return user;
  }

  it('a request beyond the limit of its user is checked for its path and method first', async () => {
    const user = await limitedUser();
    expectError(await user.get('/nowhere'), 404, 'RESOURCE_NOT_FOUND', { resource: 'route' });
    expect((await user.delete('/payment-methods')).status).toBe(405);
  });

  it('a request beyond the limit of its user is checked for its session before the limit', async () => {
    const user = await limitedUser();
    await service.query(
      'DELETE FROM sessions s USING users u WHERE s.user_id = u.id AND u.email = $1',
      [user.email],
    );
    await service.invalidateUserCache(user);
    expectError(await user.get('/auth/me'), 401, 'INVALID_TOKEN');
  });

  it('a request beyond the limit of its user is checked for an inactive user before the limit', async () => {
    const user = await limitedUser();
    await service.query('UPDATE users SET active = false WHERE email = $1', [user.email]);
    await service.invalidateUserCache(user);
    expectError(await user.get('/auth/me'), 403, 'INACTIVE_USER');
  });

  it('a request beyond the limit of its user is refused before its body is looked at', async () => {
    const user = await limitedUser();
    for (const sent of [
      user.post('/payment-methods', {}),
      user.send('post', '/payment-methods').type('text/plain').send('x'),
      user.put(`/cycles/${UNKNOWN_UUID}`, { name: '' }),
    ]) {
      expectError(await sent, 429, 'RATE_LIMIT_EXCEEDED');
    }
  });
});

/** Paths of operations that a client network may call a few times a minute. */
const LIMITED = [
  '/api/v1/auth/login',
  '/api/v1/auth/register',
  '/account/password-reset',
  '/account/password-reset/confirm',
  '/account/reminders/confirm',
];

describe.each(LIMITED)('POST %s', (path) => {
  const service = useService({
    trustProxy: 1,
    rateLimits: { ...NO_LIMITS, enabled: true, authPerMinute: 1, authPerAddressPerMinute: 6 },
  });
  let lastNetwork = 0;
  const newNetwork = (): string => `198.51.100.${++lastNetwork}`;

  const post = (network: string): Test =>
    request(service.server).post(path).set('X-Forwarded-For', network);

  const isForm = path.endsWith('login');
  const send = (network: string, body: object): Test =>
    post(network)
      .type(isForm ? 'form' : 'json')
      .send(body);

  /** Names the account, and lacks a field or has an unknown one. */
  const invalid = (name: string): object =>
    path.endsWith('confirm')
      ? { token: name, typo: 1 }
      : { email: `${name}@example.com`, ...(path.endsWith('reset') && { typo: 1 }) };

  const limitsOf = (headers: Record<string, unknown>): string[] =>
    [...String(headers['ratelimit-policy']).matchAll(/"([\w-]+)"/g)].map(([, name = '']) => name);

  it('an operation with a password checks the limit of the client network before the body, which is then not counted for the account', async () => {
    const network = newNetwork();
    for (let n = 0; n < 6; n += 1) await send(network, invalid(`user-${n}`));
    for (const sent of [
      post(network).type('text/plain').send('x'),
      post(network).type('json').send('{'),
      send(network, { ...invalid('user-0'), more: 'x'.repeat(20_000) }),
      send(network, invalid('user-0')),
    ]) {
      const refused = await sent;
      expectError(refused, 429, 'RATE_LIMIT_EXCEEDED');
      expect(limitsOf(refused.headers as Record<string, unknown>)).toEqual(['auth-address']);
    }
  });

  it('an operation with a password checks the content type before the limit of the account, and that before the fields', async () => {
    const network = newNetwork();
    const body = invalid('ana');
    const first = await send(network, body);
    expectError(first, 422, 'VALIDATION_ERROR');
    expect(limitsOf(first.headers as Record<string, unknown>)).toEqual(['auth-address', 'auth']);
    expectError(await send(network, body), 429, 'RATE_LIMIT_EXCEEDED');
    expectError(
      await send(network, { ...body, password: TEST_PASSWORD }),
      429,
      'RATE_LIMIT_EXCEEDED',
    );
    const text = await post(network).type('text/plain').send('x');
    expectError(text, isForm ? 422 : 415, 'VALIDATION_ERROR');
    if (!isForm) expectError(await post(network).type('json').send('{'), 400, 'VALIDATION_ERROR');
    const large = await send(network, { ...body, more: 'x'.repeat(20_000) });
    expectError(large, 413, 'VALIDATION_ERROR');
  });
});

describe.each([
  ['closed registration', '/api/v1/auth/register', { registration: 'closed' }, [403, 'FORBIDDEN']],
  [
    'a reset without a mail server',
    '/account/password-reset',
    { mail: undefined },
    [404, 'RESOURCE_NOT_FOUND'],
  ],
] as const)('%s', (_name, path, settings, [status, code]) => {
  const service = useService({
    ...settings,
    rateLimits: { ...NO_LIMITS, enabled: true, authPerMinute: 1, authPerAddressPerMinute: 5 },
  });

  it('is refused after the limit of the client network and before the body, which is not counted', async () => {
    const send = (type: string, body: string): Test =>
      request(service.server).post(path).type(type).send(body);
    const body = JSON.stringify({ email: 'ana@example.com' });
    for (const [type, text] of [
      ['text/plain', 'x'],
      ['json', '{'],
      ['json', `"${'x'.repeat(20_000)}"`],
      ['json', body],
      ['json', body],
    ] as const) {
      expectError(await send(type, text), status, code);
    }
    expectError(await send('json', body), 429, 'RATE_LIMIT_EXCEEDED');
  });
});
