import { describe, expect, it } from '@jest/globals';
import type { Test } from 'supertest';
import type { ErrorBody } from '../../src/common/errors/error-body.js';
import type { Client } from '../support/client.js';
import { expectError, expectInvalid } from '../support/errors.js';
import { TEST_PASSWORD, useService } from '../support/service.js';

const NOBODY = '00000000-0000-4000-8000-000000000000';

const service = useService({ logLevel: 'fatal' });

/** A user with one of everything, under the names that the tables below have for them. */
async function setUp(): Promise<{ user: Client; resolve: (text: string) => string }> {
  const user = await service.signUp();
  const method = await user.createPaymentMethod();
  const template = await user.createTemplate({ payment_method_id: method.id });
  const cycle = await user.createCycle({ generate_from_templates: false });
  const expense = await user.createExpense(cycle.id, { payment_method_id: method.id });
  const ids = { METHOD: method.id, TEMPLATE: template.id, CYCLE: cycle.id, EXPENSE: expense.id };
  const resolve = (text: string): string =>
    Object.entries(ids).reduce((path, [name, id]) => path.replace(name, id), text);
  return { user, resolve };
}

/** Of every table: how many rows it has and what they say. */
async function databaseState(): Promise<unknown> {
  const tables = await service.query<{ name: string }>(
    `SELECT table_name AS name FROM information_schema.tables
     WHERE table_schema = 'public' ORDER BY table_name`,
  );
  const selects = tables.map(
    ({ name }) =>
      `SELECT '${name}' AS name, count(*), md5(string_agg(t::text, '' ORDER BY t::text))
       FROM "${name}" t`,
  );
  return service.query(selects.join(' UNION ALL '));
}

const sendJson = (user: Client, method: 'post' | 'put', path: string, json: string): Test =>
  user.send(method, path).set('Content-Type', 'application/json').send(json);

/** How the answer to one wrong value looks, in a form that a failing test shows well. */
function summarize(field: string, value: unknown, { status, body }: Awaited<Test>): object {
  const { error } = body as Partial<ErrorBody>;
  const paths = Object.keys(error?.details.fields ?? {});
  const fields = [...new Set(paths.map((path) => path.split('.')[0]))];
  return { field, value, status, code: error?.code, fields };
}

const refusal = (field: string, value: unknown): object => ({
  field,
  value,
  status: 422,
  code: 'VALIDATION_ERROR',
  fields: [field],
});

describe('the request body', () => {
  const noText = [5, true, [], ['x'], {}, '\0', 'a\ud800', '\udc00b'];
  const longerThan = (max: number): string => 'x'.repeat(max + 1);
  const optionalText = (max: number): unknown[] => [longerThan(max), ...noText];
  const text = (max: number): unknown[] => [null, '', ' \n', longerThan(max), ...noText];
  const optionalEnum = ['', 'nonsense', ' USD', 1, true, [], ['USD'], {}, '\0'];
  const oneOf = [null, ...optionalEnum];
  const noMoney = [
    '',
    'x',
    '1.234',
    1.234,
    '1e3',
    1e21,
    '1,000',
    '1000000000',
    true,
    [],
    ['1'],
    {},
  ];
  const zeroOrMoney = [null, '-1', -1, '+1', ' 1', '1.', '.5', 'Infinity', '\0', ...noMoney];
  const money = ['0', 0, '0.00', ...zeroOrMoney];
  const noDates = ['2025-02-30', '2025-2-1', '2025-01-01T00:00:00Z', '1899-12-31', '3000-01-01'];
  const date = [null, '', ...noDates, 20250101, true, [], {}, '\0'];
  const noTimes = [
    '2026-01-01',
    '2026-01-01T00:00:00',
    '2026-02-30T00:00:00Z',
    '2026-01-01T25:00Z',
  ];
  const timestamp = [null, '', ...noTimes, 0, true, [], {}, '\0'];
  const optionalBoolean = ['true', '', 1, 0, [], {}];
  const boolean = [null, ...optionalBoolean];
  const uuid = [null, '', 'x', NOBODY.slice(1), `${NOBODY}\0`, 5, true, [], {}];
  const object = [null, '', 'x', 5, true, [], [{}], {}];
  const newPassword = [null, '', 'x'.repeat(7), longerThan(128), ...noText];

  const paymentMethod = { name: 'New', method_type: 'cash', default_currency: 'USD' };
  const template = {
    description: 'Rent',
    currency: 'USD',
    payment_method_id: 'METHOD',
    base_amount: '5',
    category: 'fixed',
    recurrence_type: 'monthly',
    recurrence_config: { day_of_month: 1 },
    reference_date: '2025-01-01',
  };
  const cycle = {
    name: 'New',
    start_date: '2026-01-19',
    end_date: '2026-03-01',
    income_amount: '5',
  };
  const expense = {
    description: 'Dinner',
    currency: 'USD',
    payment_method_id: 'METHOD',
    amount: '5',
    due_date: '2026-02-01',
    category: 'fixed',
  };

  const profileFields = { first_name: optionalText(100), last_name: optionalText(100) };
  const methodFields = { name: text(100), method_type: oneOf, default_currency: oneOf };
  const templateFields = {
    description: text(255),
    currency: oneOf,
    payment_method_id: uuid,
    base_amount: money,
    category: oneOf,
    recurrence_type: oneOf,
    recurrence_config: object,
    reference_date: date,
    autopay_info: noText,
  };
  const cycleFields = {
    name: text(100),
    start_date: date,
    end_date: date,
    income_amount: zeroOrMoney,
  };
  const expenseFields = {
    description: text(255),
    currency: oneOf,
    payment_method_id: uuid,
    amount: money,
    due_date: date,
    category: oneOf,
    comments: optionalText(1000),
    autopay_info: noText,
  };

  it.each<['post' | 'put', string, object, Record<string, unknown[]>]>([
    [
      'post',
      '/auth/register',
      { email: 'new@example.com', password: TEST_PASSWORD },
      {
        email: [...text(255), 'ana', 'ana@', '@example.com'],
        password: newPassword,
        ...profileFields,
        preferred_currency: optionalEnum,
        locale: ['', ' ', ...optionalText(10)],
      },
    ],
    ['put', '/auth/me', {}, { ...profileFields, preferred_currency: oneOf, locale: text(10) }],
    [
      'put',
      '/auth/me/password',
      { current_password: TEST_PASSWORD, new_password: 'a new password' },
      { current_password: [null, '', ...noText], new_password: newPassword },
    ],
    [
      'post',
      '/payment-methods',
      paymentMethod,
      { ...methodFields, description: optionalText(500) },
    ],
    [
      'put',
      '/payment-methods/METHOD',
      {},
      { ...methodFields, description: optionalText(500), active: boolean },
    ],
    ['post', '/expense-templates', template, templateFields],
    ['put', '/expense-templates/TEMPLATE', {}, { ...templateFields, active: boolean }],
    [
      'post',
      '/cycles',
      cycle,
      { ...cycleFields, remaining_balance: noMoney, generate_from_templates: optionalBoolean },
    ],
    ['put', '/cycles/CYCLE', {}, { ...cycleFields, status: oneOf }],
    ['post', '/cycles/CYCLE/expenses', expense, expenseFields],
    [
      'put',
      '/cycles/CYCLE/expenses/EXPENSE',
      {},
      { ...expenseFields, status: oneOf, paid: boolean, paid_at: timestamp },
    ],
  ])(
    'of %s %s is refused for each wrong value of each field',
    async (method, path, body, wrong) => {
      const { user, resolve } = await setUp();
      const right = JSON.parse(resolve(JSON.stringify(body))) as object;
      const before = await databaseState();
      const answers: object[] = [];
      const expected: object[] = [];
      for (const [field, values] of Object.entries({ ...wrong, typo: ['x'] })) {
        for (const value of values) {
          const response = await user
            .send(method, resolve(path))
            .send({ ...right, [field]: value });
          answers.push(summarize(field, value, response));
          expected.push(refusal(field, value));
        }
      }
      expect(answers).toEqual(expected);
      expect(await databaseState()).toEqual(before);
    },
  );

  it.each(['username', 'email', 'password', 'grant_type', 'scope', 'client_id', 'client_secret'])(
    'of POST /auth/login is refused for each wrong %s',
    async (field) => {
      const user = await service.signUp();
      const form = { username: user.email, password: TEST_PASSWORD };
      const values = ['a\0', ['x', 'y'], ...(field === 'password' ? [''] : [])];
      for (const value of values) {
        const sent = service.anonymous.send('post', '/auth/login').type('form');
        const response = await sent.send({ ...form, [field]: value });
        expect(summarize(field, value, response)).toEqual(refusal(field, value));
      }
    },
  );

  it('is refused with all its wrong fields at once', async () => {
    const { user, resolve } = await setUp();
    const wrong = { currency: 'EUR', amount: '-1', due_date: 'soon', paid: true, category: null };
    const response = await user.post(resolve('/cycles/CYCLE/expenses'), wrong);
    expectInvalid(response, ...Object.keys(wrong), 'description', 'payment_method_id');
  });

  it.each(['{', '{"name":}', '{"name":"x",}', "{'name':'x'}", 'name', '{"name":"x"}}'])(
    'of malformed JSON gives 400: %s',
    async (json) => {
      const user = await service.signUp();
      for (const sent of [
        sendJson(user, 'post', '/payment-methods', json),
        sendJson(user, 'put', `/payment-methods/${NOBODY}`, json),
      ]) {
        expectError(await sent, 400, 'VALIDATION_ERROR');
      }
    },
  );

  it.each(['[]', '[{"name":"x"}]', '"text"', '5', 'true', 'null'])(
    'is refused when it is no object: %s',
    async (json) => {
      const { user, resolve } = await setUp();
      for (const sent of [
        sendJson(user, 'post', '/payment-methods', json),
        sendJson(user, 'put', resolve('/payment-methods/METHOD'), json),
      ]) {
        expectInvalid(await sent, 'body');
      }
    },
  );

  it('is demanded', async () => {
    const { user, resolve } = await setUp();
    for (const sent of [
      user.post('/payment-methods'),
      user.put(resolve('/payment-methods/METHOD')),
      sendJson(user, 'post', '/payment-methods', ''),
      service.anonymous.post('/auth/login'),
    ]) {
      expectError(await sent, 422, 'VALIDATION_ERROR');
    }
  });

  it('over 100 kB gives 413', async () => {
    const user = await service.signUp();
    const body = { ...paymentMethod, description: 'x'.repeat(100 * 1024) };
    expectError(await user.post('/payment-methods', body), 413, 'VALIDATION_ERROR');
    const form = service.anonymous.send('post', '/auth/login').type('form');
    const sent = form.send({ username: 'x'.repeat(100 * 1024), password: TEST_PASSWORD });
    expectError(await sent, 413, 'VALIDATION_ERROR');
  });

  it.each([
    ['Content-Type', 'text/plain'],
    ['Content-Type', 'application/xml'],
    ['Content-Type', 'application/x-www-form-urlencoded'],
    ['Content-Type', 'multipart/form-data; boundary=x'],
    ['Content-Type', 'application/json; charset=iso-8859-1'],
    ['Content-Encoding', 'compress'],
  ])('with the %s %s gives 415', async (header, value) => {
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
    const { user, resolve } = await setUp();
    const json = start + open.repeat(5000) + inner + close.repeat(5000) + (start && '}');
    for (const sent of [
      sendJson(user, 'post', '/expense-templates', json),
      sendJson(user, 'put', resolve('/expense-templates/TEMPLATE'), json),
    ]) {
      expectError(await sent, 422, 'VALIDATION_ERROR');
    }
  });

  it.each(['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty'])(
    'does not know a field %s',
    async (key) => {
      const { user, resolve } = await setUp();
      const sent = sendJson(user, 'put', resolve('/payment-methods/METHOD'), `{"${key}":{"x":1}}`);
      expectInvalid(await sent, key);
    },
  );

  it.each(['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty'])(
    'does not know a field recurrence_config.%s',
    async (key) => {
      const { user, resolve } = await setUp();
      const before = await databaseState();
      const json = `{"recurrence_config":{"day_of_month":2,"${key}":{"x":1}}}`;
      const sent = sendJson(user, 'put', resolve('/expense-templates/TEMPLATE'), json);
      expectInvalid(await sent, `recurrence_config.${key}`);
      expect(await databaseState()).toEqual(before);
    },
  );
});

describe('the query', () => {
  const scalar = (right: string, ...wrong: string[]): string[] =>
    ['', '%20', 'nonsense', '%00', `${right}%00`, `${right}&PARAMETER=${right}`].concat(wrong);
  const noInteger = ['0', '-1', '1.5', '1e1', '%201', '0x1', '99999999999999999999'];

  it.each([
    ['/payment-methods', 'active', scalar('true', '1', 'TRUE')],
    ['/payment-methods', 'currency', scalar('USD', 'usd')],
    ['/expense-templates', 'active', scalar('true', '0')],
    ['/expense-templates', 'category', scalar('fixed')],
    ['/expense-templates', 'currency', scalar('USD')],
    ['/cycles', 'status', scalar('draft', 'paid')],
    ['/cycles', 'page', scalar('1', ...noInteger)],
    ['/cycles', 'per_page', scalar('1', '101', ...noInteger)],
    ['/cycles/CYCLE/expenses', 'status', scalar('paid', 'draft')],
    ['/cycles/CYCLE/expenses', 'category', scalar('fixed')],
    ['/cycles/CYCLE/expenses', 'currency', scalar('USD')],
    ['/cycles/CYCLE/expenses', 'payment_method_id', scalar(NOBODY)],
    ['/activity', 'entity_type', scalar('cycle', 'expense_template')],
    ['/activity', 'entity_id', scalar(NOBODY)],
    ['/activity', 'cycle_id', scalar(NOBODY)],
    ['/activity', 'before', scalar(NOBODY)],
    ['/activity', 'limit', scalar('1', '201', ...noInteger)],
  ])('of GET %s is refused for each wrong value of %s', async (path, parameter, wrong) => {
    const { user, resolve } = await setUp();
    const answers: object[] = [];
    for (const value of wrong) {
      const query = `${parameter}=${value.replace('PARAMETER', parameter)}`;
      answers.push(summarize(parameter, value, await user.get(`${resolve(path)}?${query}`)));
    }
    expect(answers).toEqual(wrong.map((value) => refusal(parameter, value)));
  });

  it('may have parameters that the service does not know', async () => {
    const { user, resolve } = await setUp();
    const noise = 'utm_source=mail&_=1&_=2&__proto__=x&constructor=y';
    for (const path of ['/payment-methods', '/expense-templates', '/cycles', '/activity']) {
      await user.get(`${path}?${noise}`).expect(200);
    }
    await user.get(resolve(`/cycles/CYCLE/expenses?${noise}`)).expect(200);
  });
});

describe('the path', () => {
  it.each([
    ['get', '/nowhere'],
    ['get', '/payment-methods/x/y'],
    ['post', '/auth/me'],
    ['put', '/payment-methods'],
    ['delete', '/cycles'],
    ['patch', '/cycles/CYCLE'],
  ] as const)('%s %s is no route, with a token or without', async (method, path) => {
    const { user, resolve } = await setUp();
    for (const client of [user, service.anonymous]) {
      const response = await client.send(method, resolve(path));
      expectError(response, 404, 'RESOURCE_NOT_FOUND', { resource: 'route' });
    }
  });

  it('may end in a slash', async () => {
    const { user, resolve } = await setUp();
    for (const path of ['/payment-methods', '/cycles/CYCLE', '/cycles/CYCLE/expenses/EXPENSE']) {
      const plain = await user.get(resolve(path)).expect(200);
      const slashed = await user.get(`${resolve(path)}/`).expect(200);
      expect(slashed.body).toEqual(plain.body);
    }
    await user
      .post('/payment-methods/', { name: 'Slash', method_type: 'cash', default_currency: 'USD' })
      .expect(201);
    await user.delete(resolve('/payment-methods/METHOD/')).expect(204);
  });

  it.each([
    ['/payment-methods/ID', 'id'],
    ['/expense-templates/ID', 'id'],
    ['/cycles/ID', 'id'],
    ['/cycles/ID/expenses/EXPENSE', 'cycle_id'],
    ['/cycles/CYCLE/expenses/ID', 'expense_id'],
  ])('%s demands a UUID', async (path, field) => {
    const { user, resolve } = await setUp();
    for (const id of ['1', 'x', NOBODY.slice(1), `${NOBODY}0`, `${NOBODY}%00`, '%27', 'null']) {
      const address = resolve(path.replace('ID', id));
      expectInvalid(await user.get(address), field);
      expectInvalid(await user.put(address, {}), field);
      expectInvalid(await user.delete(address), field);
    }
  });

  it.each(['/cycles/x/expenses', '/cycles/1/expenses'])('%s demands a UUID', async (path) => {
    const user = await service.signUp();
    expectInvalid(await user.get(path), 'cycle_id');
  });

  it('that is badly encoded gives 400', async () => {
    const user = await service.signUp();
    expectError(await user.get('/cycles/%E0%A4%A'), 400, 'VALIDATION_ERROR');
  });

  const NO_CYCLE = ['CYCLE_NOT_FOUND', {}] as const;

  it.each([
    ['/payment-methods/NOBODY', 'RESOURCE_NOT_FOUND', { resource: 'payment_method' }],
    ['/expense-templates/NOBODY', 'RESOURCE_NOT_FOUND', { resource: 'expense_template' }],
    ['/cycles/NOBODY', ...NO_CYCLE],
    ['/cycles/NOBODY/expenses/EXPENSE', ...NO_CYCLE],
    ['/cycles/CYCLE/expenses/NOBODY', 'RESOURCE_NOT_FOUND', { resource: 'cycle_expense' }],
  ] as const)('%s names nothing: 404', async (path, code, details) => {
    const { user, resolve } = await setUp();
    const address = resolve(path.replace('NOBODY', NOBODY));
    expectError(await user.get(address), 404, code, details);
    expectError(await user.put(address, {}), 404, code, details);
    expectError(await user.delete(address), 404, code, details);
  });

  it.each([
    '/payment-methods/METHOD',
    '/expense-templates/TEMPLATE',
    '/cycles/CYCLE',
    '/cycles/CYCLE/expenses/EXPENSE',
  ])('%s takes UUIDs in upper case', async (path) => {
    const { user, resolve } = await setUp();
    const plain = await user.get(resolve(path)).expect(200);
    const shouted = resolve(path).replaceAll(/[0-9a-f-]{36}/g, (id) => id.toUpperCase());
    expect((await user.get(shouted).expect(200)).body).toEqual(plain.body);
    expect((await user.put(shouted, {}).expect(200)).body).toEqual(plain.body);
    await user.delete(shouted).expect(204);
  });
});

describe('a failure of the service', () => {
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
