import { describe, expect, it } from '@jest/globals';
import type { ErrorDetails } from '../../../src/platform/errors/error-body.js';
import type { ErrorCode } from '../../../src/platform/errors/error-types.js';
import { expectError } from '../../support/errors.js';
import { operationsOf, splitName } from '../../support/operations.js';
import { databaseState, expectRefused } from '../../support/rejected-requests.js';
import {
  createSampleEntities,
  useSampleEntities,
  UNKNOWN_UUID,
  VALID_QUERIES,
} from '../../support/sample-entities.js';
import { useService } from '../../support/service.js';

const service = useService();
const entities = useSampleEntities(service);

describe('the query', () => {
  /** What is refused after the parameter's name; NAME is that name once more. */
  const refused = (right: string, ...wrong: string[]): string[] =>
    ['', '%20', 'nonsense', '%00', `${right}%00`, ...wrong]
      .map((value) => `=${value}`)
      .concat(`[]=${right}`, `[key]=${right}`);
  const scalar = (right: string, ...wrong: string[]): string[] =>
    refused(right, ...wrong, `${right}&NAME=${right}`);
  const noInteger = ['0', '-1', '1.5', '1e1', '%201', '0x1', '99999999999999999999'];
  const uuid = scalar(UNKNOWN_UUID, UNKNOWN_UUID.slice(1), `${UNKNOWN_UUID}0`);
  const budget = scalar(UNKNOWN_UUID, UNKNOWN_UUID.slice(1), `${UNKNOWN_UUID}0`, 'NONE', 'null');
  const noDates = ['2025-02-30', '2025-2-1', '2025-01-01T00:00:00Z', '1899-12-31', '3000-01-01'];
  const ids = Array.from({ length: 51 }, (_, n) => UNKNOWN_UUID.slice(0, -2) + String(n + 10)).join(
    ',',
  );
  const brokenLists = [
    ids,
    `${UNKNOWN_UUID},`,
    `,${UNKNOWN_UUID}`,
    `${UNKNOWN_UUID},%20${UNKNOWN_UUID}`,
  ];

  const feed = {
    entity_type: scalar('cycle', 'expense_template'),
    entity_id: uuid,
    cycle_id: uuid,
    limit: scalar('1', '201', ...noInteger),
    before: uuid,
  };

  const period = {
    from: scalar('2026-01-19', ...noDates),
    to: scalar('2026-03-01', '2026-01-18', '2029-01-24', ...noDates),
  };
  const PERIOD = ['from=2026-01-19', 'to=2026-03-01'];

  const REQUIRED: Record<string, string[]> = {
    'GET /reports/budgets': ['cycle_ids={cycle_id}'],
    'GET /reports/cycles-comparison': ['cycle_ids={cycle_id}'],
    'GET /expense-templates/{id}/occurrences': PERIOD,
    'GET /income-templates/{id}/occurrences': PERIOD,
  };

  const INVALID_VALUES: Record<string, Record<string, string[]>> = {
    'GET /payment-methods': {
      active: scalar('true', '1', 'TRUE'),
      currency: scalar('USD', 'usd'),
    },
    'GET /payment-methods/{id}/statements': {
      from: scalar('2026-01-19', ...noDates),
      to: scalar('2026-03-01', '2026-01-18&from=2026-01-19', ...noDates),
    },
    'GET /card-statements': {
      from: scalar('2026-01-19', ...noDates),
      to: scalar('2026-03-01', '2026-01-18&from=2026-01-19', ...noDates),
    },
    'GET /budgets': { active: scalar('true', '1', 'TRUE') },
    'GET /balances': {
      limit: scalar('1', '201', ...noInteger),
      before: uuid,
      payment_method_id: uuid,
    },
    'GET /expense-templates': {
      active: scalar('true', '0'),
      category: scalar('fixed'),
      currency: scalar('USD'),
      budget_id: budget,
    },
    'GET /income-templates': {
      active: scalar('true', '0'),
      currency: scalar('USD'),
      budget_id: budget,
    },
    'GET /expense-templates/{id}/occurrences': period,
    'GET /income-templates/{id}/occurrences': period,
    'GET /cycles': {
      status: scalar('draft', 'paid'),
      date: scalar('2026-01-19', ...noDates),
      page: scalar('1', ...noInteger),
      per_page: scalar('1', '101', ...noInteger),
    },
    'GET /cycles/{cycle_id}/expenses': {
      status: scalar('paid', 'draft'),
      category: scalar('fixed'),
      currency: scalar('USD'),
      payment_method_id: uuid,
      budget_id: budget,
    },
    'GET /cycles/{cycle_id}/expenses.csv': { bom: scalar('true', '1', 'TRUE') },
    'POST /cycles/{cycle_id}/expenses/import': { dry_run: scalar('true', '1', 'TRUE') },
    'GET /expenses': {
      from: scalar('2026-01-19', ...noDates),
      to: scalar('2026-03-01', '2026-01-18&from=2026-01-19', ...noDates),
      status: scalar('paid', 'draft'),
      category: scalar('fixed'),
      currency: scalar('USD'),
      payment_method_id: uuid,
      budget_id: budget,
      template_id: uuid,
      open_cycles: scalar('true', '1'),
      q: scalar('super', 'x'.repeat(101)).filter((value) => value !== '=nonsense'),
      page: scalar('1', ...noInteger),
      per_page: scalar('1', '101', ...noInteger),
    },
    'GET /cycles/{cycle_id}/incomes': {
      currency: scalar('USD'),
      received: scalar('true', '1'),
      payment_method_id: uuid,
      budget_id: budget,
    },
    'GET /incomes': {
      from: scalar('2026-01-19', ...noDates),
      to: scalar('2026-03-01', '2026-01-18&from=2026-01-19', ...noDates),
      currency: scalar('USD'),
      received: scalar('true', '1'),
      payment_method_id: uuid,
      budget_id: budget,
      template_id: uuid,
      open_cycles: scalar('true', '1'),
      q: scalar('super', 'x'.repeat(101)).filter((value) => value !== '=nonsense'),
      page: scalar('1', ...noInteger),
      per_page: scalar('1', '101', ...noInteger),
    },
    'GET /cycles/{id}/cash-flow': {
      opening_balance: scalar('-1.50', '1.005', '1e3', '1000000000', '--1'),
    },
    'GET /reports/cycles-comparison': {
      cycle_ids: [...uuid, ...brokenLists.map((list) => `=${list}`)],
      metrics: refused('net_balance', 'net_balance,', 'NET_BALANCE', 'net_balance&NAME=nonsense'),
    },
    'GET /reports/budgets': {
      cycle_ids: [...uuid, ...brokenLists.map((list) => `=${list}`)],
    },
    'GET /reports/variance': {
      cycle_ids: [...uuid, ...brokenLists.map((list) => `=${list}`)],
      last: scalar('1', '25', ...noInteger),
    },
    'GET /forecast': {
      to: scalar('2026-03-01', ...noDates),
      free_until: scalar('2026-03-01', ...noDates),
      currency: scalar('USD', 'usd'),
      payment_method_id: uuid,
      opening_balance: scalar('-1.50', '1.005', '1e3', '1000000000'),
      minimum_balance: scalar('1.50', '-1', '1.005', '1e3'),
      set_aside: scalar('budgets', 'BUDGETS', 'budget', 'true'),
      include: refused('days', 'days,', 'DAYS', 'days&NAME=nonsense'),
    },
    'GET /exchange-rates': {
      from: scalar('USD', 'usd'),
      to: scalar('MXN', 'EUR'),
      date: scalar('2025-01-01', ...noDates),
    },
    'GET /activity': { ...feed, operation_id: uuid },
    'GET /changes': {
      since: scalar('nonsense'),
      limit: scalar('1', '501', ...noInteger),
    },
    'GET /comments': feed,
  };

  /** The required parameters of an operation except one, before that one. */
  const besides = (operation: string, parameter?: string): string =>
    (REQUIRED[operation] ?? [])
      .filter((part) => !part.startsWith(`${parameter}=`))
      .map((part) => `${part}&`)
      .join('');

  it.each(Object.entries(INVALID_VALUES))(
    'the query of %s is refused for each wrong value of each parameter',
    async (operation, wrong) => {
      const { user, fill, sendBody } = entities;
      const { method, path } = splitName(operation);
      const requests = Object.entries(wrong).flatMap(([field, values]) =>
        values.map((value) => {
          const query = `${besides(operation, field)}${field}${value.replace('NAME', field)}`;
          return {
            field,
            value,
            send: () => sendBody(user.send(method, fill(`${path}?${query}`)), operation),
          };
        }),
      );
      await expectRefused(service, requests);
    },
  );

  it('the query has every parameter of the OpenAPI document in these tests', () => {
    // What turns reminders off does not show whether a token is valid.
    const documented = operationsOf(service.app)
      .filter(({ path }) => path !== '/account/reminders/unsubscribe')
      .flatMap(({ name, parameters }) =>
        parameters.query.map((parameter) => `${name}: ${parameter}`),
      );
    const tested = Object.entries(INVALID_VALUES).flatMap(([operation, wrong]) =>
      Object.keys(wrong).map((parameter) => `${operation}: ${parameter}`),
    );
    expect(tested.sort()).toEqual(documented.sort());
  });

  it('the query may have unknown parameters', async () => {
    const { user, fill, sendBody } = await createSampleEntities(service);
    const noise = 'utm_source=mail&_=1&_=2&__proto__=x&constructor=y';
    for (const operation of Object.keys(INVALID_VALUES)) {
      const { method, path } = splitName(operation);
      const sent = user.send(method, fill(`${path}?${besides(operation)}${noise}`));
      await sendBody(sent, operation).expect(200);
    }
  });
});

describe('the path', () => {
  const queryOf = (operation: string): string => VALID_QUERIES[operation] ?? '';
  type NotFound = [ErrorCode, ErrorDetails];
  const missing = (resource: string): NotFound => ['RESOURCE_NOT_FOUND', { resource }];
  const noCycle: NotFound = ['CYCLE_NOT_FOUND', {}];

  /** The expected errors for unknown UUIDs, by method and path. */
  const NOT_FOUND: Record<string, Record<string, NotFound>> = {
    'PUT /households/current/members/{user_id}': { user_id: ['USER_NOT_FOUND', {}] },
    'DELETE /households/current/invitations/{id}': { id: missing('invitation') },
    'DELETE /auth/sessions/{id}': { id: missing('session') },
    'DELETE /auth/tokens/{id}': { id: missing('personal_access_token') },
    'GET,PUT,DELETE /payment-methods/{id}': { id: missing('payment_method') },
    'GET /payment-methods/{id}/statements': { id: missing('payment_method') },
    'GET,PUT /payment-methods/{id}/statements/{closing_date}': { id: missing('payment_method') },
    'GET,PUT,DELETE /budgets/{id}': { id: missing('budget') },
    'GET,DELETE /balances/{id}': { id: missing('balance') },
    'GET,PUT,DELETE /expense-templates/{id}': { id: missing('recurrent_expense') },
    'GET,PUT,DELETE /income-templates/{id}': { id: missing('recurrent_income') },
    'GET /expense-templates/{id}/occurrences': { id: missing('recurrent_expense') },
    'GET /income-templates/{id}/occurrences': { id: missing('recurrent_income') },
    'GET,PUT,DELETE /cycles/{id}': { id: noCycle },
    'GET /cycles/{id}/cash-flow': { id: noCycle },
    'POST /activity/{id}/undo': { id: missing('activity_record') },
    'POST /activity/operations/{operation_id}/undo': {
      operation_id: missing('activity_record'),
    },
    'GET,POST /cycles/{id}/sync': { id: noCycle },
    'POST /cycles/{id}/reprice': { id: noCycle },
    'POST /cycles/{id}/carry-over': { id: noCycle },
    'GET,POST /cycles/{id}/close': { id: noCycle },
    'GET,POST,PATCH /cycles/{cycle_id}/expenses': { cycle_id: noCycle },
    'GET /cycles/{cycle_id}/expenses.csv': { cycle_id: noCycle },
    'POST /cycles/{cycle_id}/expenses/import': { cycle_id: noCycle },
    'GET,PUT,DELETE /cycles/{cycle_id}/expenses/{expense_id}': {
      cycle_id: noCycle,
      expense_id: missing('cycle_expense'),
    },
    'GET,POST,PATCH /cycles/{cycle_id}/incomes': { cycle_id: noCycle },
    'GET,PUT,DELETE /cycles/{cycle_id}/incomes/{income_id}': {
      cycle_id: noCycle,
      income_id: missing('cycle_income'),
    },
    'GET /cycles/{cycle_id}/summary': { cycle_id: noCycle },
    'PATCH,DELETE /comments/{id}': { id: missing('comment') },
    'PUT,DELETE /calendar-feeds/{id}': { id: missing('calendar_feed') },
  };

  const operations = Object.entries(NOT_FOUND).flatMap(([key, parameters]) => {
    const [methods = '', path = ''] = key.split(' ');
    return methods
      .split(',')
      .map((method): [string, typeof parameters] => [`${method} ${path}`, parameters]);
  });

  it.each(operations)('the path of %s requires UUIDs', async (operation, parameters) => {
    const { user, fill, sendBody } = entities;
    const { method, path } = splitName(operation);
    const wrong = [
      '1',
      'x',
      UNKNOWN_UUID.slice(1),
      `${UNKNOWN_UUID}0`,
      `${UNKNOWN_UUID}%00`,
      '%27',
      '%20',
      'null',
    ];
    const requests = Object.keys(parameters).flatMap((field) =>
      wrong.map((value) => ({
        field,
        value,
        send: () =>
          sendBody(
            user.send(method, fill(path.replace(`{${field}}`, value) + queryOf(operation))),
            operation,
          ),
      })),
    );
    await expectRefused(service, requests);
  });

  it.each(operations)(
    'the path of %s with unknown ids returns 404',
    async (operation, parameters) => {
      const { user, fill, sendBody } = entities;
      const { method, path } = splitName(operation);
      const before = await databaseState(service);
      for (const [parameter, [code, details]] of Object.entries(parameters)) {
        const address = fill(path.replace(`{${parameter}}`, UNKNOWN_UUID) + queryOf(operation));
        const response = await sendBody(user.send(method, address), operation);
        expectError(response, 404, code, details);
      }
      expect(await databaseState(service)).toEqual(before);
    },
  );

  it.each(operations)('the path of %s accepts UUIDs in upper case', async (operation) => {
    const { user, fill, sendBody } = await createSampleEntities(service);
    const { method, path } = splitName(operation);
    const address = fill(path + queryOf(operation)).replaceAll(/[0-9a-f-]{36}/g, (id) =>
      id.toUpperCase(),
    );
    const { status } = await sendBody(user.send(method, address), operation);
    const success = { get: [200], put: [200], patch: [200], post: [200, 201], delete: [204] };
    expect(success[method]).toContain(status);
  });

  it('the path has every parameter of the OpenAPI document in these tests', () => {
    // The token of a calendar and a closing date are no UUIDs: `calendar.spec.ts`, `cards.spec.ts`.
    const others = ['token', 'closing_date'];
    const documented = operationsOf(service.app).flatMap(({ name, parameters }) =>
      parameters.path
        .filter((parameter) => !others.includes(parameter))
        .map((parameter) => `${name}: ${parameter}`),
    );
    const tested = operations.flatMap(([operation, parameters]) =>
      Object.keys(parameters).map((parameter) => `${operation}: ${parameter}`),
    );
    expect(tested.sort()).toEqual(documented.sort());
  });

  it('the path may end in a slash', async () => {
    const { user, fill } = await createSampleEntities(service);
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

  it('the path with invalid percent-encoding returns 400', async () => {
    const user = await service.signUp();
    expectError(await user.get('/cycles/%E0%A4%A'), 400, 'VALIDATION_ERROR');
  });

  it.each([
    ['get', '/nowhere'],
    ['get', '/payment-methods/x/y'],
    ['post', '/auth'],
  ] as const)('%s %s is not a route, with a token or without', async (method, path) => {
    const user = await service.signUp();
    for (const client of [user, service.anonymous]) {
      const response = await client.send(method, path);
      expectError(response, 404, 'RESOURCE_NOT_FOUND', { resource: 'route' });
    }
  });
});
