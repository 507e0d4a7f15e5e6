import { describe, expect, it } from '@jest/globals';
import type { ErrorDetails } from '../../src/common/errors/domain-error.js';
import type { ErrorCode } from '../../src/common/errors/error-code.js';
import { expectError } from '../support/errors.js';
import { NOBODY, oneOfEverything } from '../support/one-of-everything.js';
import { operationsOf, splitName } from '../support/operations.js';
import { databaseState, expectRefused } from '../support/refusals.js';
import { useService } from '../support/service.js';

const service = useService();

describe('the query', () => {
  /** What is refused after the parameter's name; NAME is that name once more. */
  const refused = (right: string, ...wrong: string[]): string[] =>
    ['', '%20', 'nonsense', '%00', `${right}%00`, ...wrong]
      .map((value) => `=${value}`)
      .concat(`[]=${right}`, `[key]=${right}`);
  const scalar = (right: string, ...wrong: string[]): string[] =>
    refused(right, ...wrong, `${right}&NAME=${right}`);
  const noInteger = ['0', '-1', '1.5', '1e1', '%201', '0x1', '99999999999999999999'];
  const uuid = scalar(NOBODY, NOBODY.slice(1), `${NOBODY}0`);
  const noDates = ['2025-02-30', '2025-2-1', '2025-01-01T00:00:00Z', '1899-12-31', '3000-01-01'];
  const ids = Array.from({ length: 51 }, (_, n) => NOBODY.slice(0, -2) + String(n + 10)).join(',');
  const brokenLists = [ids, `${NOBODY},`, `,${NOBODY}`, `${NOBODY},%20${NOBODY}`];

  const feed = {
    entity_type: scalar('cycle', 'expense_template'),
    entity_id: uuid,
    cycle_id: uuid,
    limit: scalar('1', '201', ...noInteger),
    before: uuid,
  };

  const WRONG_VALUES: Record<string, Record<string, string[]>> = {
    'GET /payment-methods': {
      active: scalar('true', '1', 'TRUE'),
      currency: scalar('USD', 'usd'),
    },
    'GET /expense-templates': {
      active: scalar('true', '0'),
      category: scalar('fixed'),
      currency: scalar('USD'),
    },
    'GET /cycles': {
      status: scalar('draft', 'paid'),
      page: scalar('1', ...noInteger),
      per_page: scalar('1', '101', ...noInteger),
    },
    'GET /cycles/{cycle_id}/expenses': {
      status: scalar('paid', 'draft'),
      category: scalar('fixed'),
      currency: scalar('USD'),
      payment_method_id: uuid,
    },
    'GET /reports/cycles-comparison': {
      cycle_ids: [...uuid, ...brokenLists.map((list) => `=${list}`)],
      metrics: refused('net_balance', 'net_balance,', 'NET_BALANCE', 'net_balance&NAME=nonsense'),
    },
    'GET /exchange-rates': {
      from: scalar('USD', 'usd'),
      to: scalar('MXN', 'EUR'),
      date: scalar('2025-01-01', ...noDates),
    },
    'GET /activity': feed,
    'GET /comments': feed,
  };

  /** What a query must have beside this parameter. */
  const besides = (operation: string, parameter?: string): string =>
    operation === 'GET /reports/cycles-comparison' && parameter !== 'cycle_ids'
      ? 'cycle_ids={cycle_id}&'
      : '';

  it.each(Object.entries(WRONG_VALUES))(
    'of %s is refused for each wrong value of each parameter',
    async (operation, wrong) => {
      const { user, fill } = await oneOfEverything(service);
      const { method, path } = splitName(operation);
      const requests = Object.entries(wrong).flatMap(([field, values]) =>
        values.map((value) => {
          const query = `${besides(operation, field)}${field}${value.replace('NAME', field)}`;
          return { field, value, send: () => user.send(method, fill(`${path}?${query}`)) };
        }),
      );
      await expectRefused(service, requests);
    },
  );

  it('has every parameter of the OpenAPI document in these tests', () => {
    const documented = operationsOf(service.app).flatMap(({ name, parameters }) =>
      parameters.query.map((parameter) => `${name}: ${parameter}`),
    );
    const tested = Object.entries(WRONG_VALUES).flatMap(([operation, wrong]) =>
      Object.keys(wrong).map((parameter) => `${operation}: ${parameter}`),
    );
    expect(tested.sort()).toEqual(documented.sort());
  });

  it('may have parameters that the service does not know', async () => {
    const { user, fill } = await oneOfEverything(service);
    const noise = 'utm_source=mail&_=1&_=2&__proto__=x&constructor=y';
    for (const operation of Object.keys(WRONG_VALUES)) {
      const { path } = splitName(operation);
      await user.get(fill(`${path}?${besides(operation)}${noise}`)).expect(200);
    }
  });
});

describe('the path', () => {
  type NotFound = [ErrorCode, ErrorDetails];
  const missing = (resource: string): NotFound => ['RESOURCE_NOT_FOUND', { resource }];
  const noCycle: NotFound = ['CYCLE_NOT_FOUND', {}];

  /** By methods and path: what a UUID that names nothing is answered with. */
  const NOT_FOUND: Record<string, Record<string, NotFound>> = {
    'PUT /households/current/members/{user_id}': { user_id: ['USER_NOT_FOUND', {}] },
    'DELETE /households/current/invitations/{id}': { id: missing('invitation') },
    'GET,PUT,DELETE /payment-methods/{id}': { id: missing('payment_method') },
    'GET,PUT,DELETE /expense-templates/{id}': { id: missing('expense_template') },
    'GET,PUT,DELETE /cycles/{id}': { id: noCycle },
    'GET,POST /cycles/{cycle_id}/expenses': { cycle_id: noCycle },
    'GET,PUT,DELETE /cycles/{cycle_id}/expenses/{expense_id}': {
      cycle_id: noCycle,
      expense_id: missing('cycle_expense'),
    },
    'GET /cycles/{cycle_id}/summary': { cycle_id: noCycle },
    'PATCH,DELETE /comments/{id}': { id: missing('comment') },
  };

  const operations = Object.entries(NOT_FOUND).flatMap(([key, parameters]) => {
    const [methods = '', path = ''] = key.split(' ');
    return methods
      .split(',')
      .map((method): [string, typeof parameters] => [`${method} ${path}`, parameters]);
  });

  it.each(operations)('of %s demands UUIDs', async (operation, parameters) => {
    const { user, fill, rightBody } = await oneOfEverything(service);
    const { method, path } = splitName(operation);
    const wrong = ['1', 'x', NOBODY.slice(1), `${NOBODY}0`, `${NOBODY}%00`, '%27', '%20', 'null'];
    const requests = Object.keys(parameters).flatMap((field) =>
      wrong.map((value) => ({
        field,
        value,
        send: () =>
          user.send(method, fill(path.replace(`{${field}}`, value))).send(rightBody(operation)),
      })),
    );
    await expectRefused(service, requests);
  });

  it.each(operations)('of %s that names nothing gives 404', async (operation, parameters) => {
    const { user, fill, rightBody } = await oneOfEverything(service);
    const { method, path } = splitName(operation);
    const before = await databaseState(service);
    for (const [parameter, [code, details]] of Object.entries(parameters)) {
      const address = fill(path.replace(`{${parameter}}`, NOBODY));
      const response = await user.send(method, address).send(rightBody(operation));
      expectError(response, 404, code, details);
    }
    expect(await databaseState(service)).toEqual(before);
  });

  it.each(operations)('of %s takes UUIDs in upper case', async (operation) => {
    const { user, fill, rightBody } = await oneOfEverything(service);
    const { method, path } = splitName(operation);
    const address = fill(path).replaceAll(/[0-9a-f-]{36}/g, (id) => id.toUpperCase());
    const { status } = await user.send(method, address).send(rightBody(operation));
    expect(status).toBe({ get: 200, put: 200, patch: 200, post: 201, delete: 204 }[method]);
  });

  it('has every parameter of the OpenAPI document in these tests', () => {
    const documented = operationsOf(service.app).flatMap(({ name, parameters }) =>
      parameters.path.map((parameter) => `${name}: ${parameter}`),
    );
    const tested = operations.flatMap(([operation, parameters]) =>
      Object.keys(parameters).map((parameter) => `${operation}: ${parameter}`),
    );
    expect(tested.sort()).toEqual(documented.sort());
  });

  it('may end in a slash', async () => {
    const { user, fill } = await oneOfEverything(service);
    for (const path of [
      '/payment-methods',
      '/cycles/{id}',
      '/cycles/{cycle_id}/expenses/{expense_id}',
    ]) {
      const plain = await user.get(fill(path)).expect(200);
      const slashed = await user.get(`${fill(path)}/`).expect(200);
      expect(slashed.body).toEqual(plain.body);
    }
    await user
      .post('/payment-methods/', { name: 'Slash', method_type: 'cash', default_currency: 'USD' })
      .expect(201);
    await user.delete(fill('/payment-methods/{id}/')).expect(204);
  });

  it('that is badly encoded gives 400', async () => {
    const user = await service.signUp();
    expectError(await user.get('/cycles/%E0%A4%A'), 400, 'VALIDATION_ERROR');
  });

  it.each([
    ['get', '/nowhere'],
    ['get', '/payment-methods/x/y'],
    ['post', '/auth/me'],
    ['put', '/payment-methods'],
    ['delete', '/cycles'],
    ['patch', '/cycles/{id}'],
  ] as const)('%s %s is no route, with a token or without', async (method, path) => {
    const { user, fill } = await oneOfEverything(service);
    for (const client of [user, service.anonymous]) {
      const response = await client.send(method, fill(path));
      expectError(response, 404, 'RESOURCE_NOT_FOUND', { resource: 'route' });
    }
  });
});
