import { describe, expect, it } from '@jest/globals';
import type { Response, Test } from 'supertest';
import type { ErrorBody } from '../../../src/platform/errors/error-body.js';
import { expectError } from '../../support/errors.js';
import { operationsOf, splitName } from '../../support/operations.js';
import {
  createSampleEntities,
  useSampleEntities,
  UNKNOWN_UUID,
  VALID_BODIES,
} from '../../support/sample-entities.js';
import { useService } from '../../support/service.js';

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

  it('a failure of the service reveals only the request id', async () => {
    const user = await service.signUp();
    expectMasked(await without('payment_methods', () => user.get('/payment-methods')));
    expect((await user.get('/payment-methods').expect(200)).body).toEqual([]);
  });

  it('during the token check is not a 401', async () => {
    const user = await service.signUp();
    expectMasked(await without('users', () => user.get('/auth/me')));
  });
});

describe('a refused request', () => {
  const service = useService();
  const entities = useSampleEntities(service);

  type Refusal = [message: string, fields: Record<string, string[]>];

  const refusal = ({ status, body }: Response): Refusal => {
    const { code, message, details } = (body as ErrorBody).error;
    expect({ status, code }).toEqual({ status: 422, code: 'VALIDATION_ERROR' });
    return [message, details.fields as Refusal[1]];
  };

  it('a refused request has a message that names every field', async () => {
    const user = await service.signUp();
    const body = { name: '', method_type: 'gold', color: 'red' };
    const [message, fields] = refusal(await user.post('/payment-methods', body));
    expect(fields).toEqual({
      color: ['property color should not exist'],
      name: ['name must have 1 to 100 characters'],
      method_type: ['method_type must be one of: debit, credit, cash, transfer'],
      default_currency: ['default_currency is required'],
    });
    expect(message).toBe(Object.values(fields).flat().join('; '));
  });

  it('a refused request has a reason for each message', async () => {
    const { user, validBody } = await createSampleEntities(service);
    const reasons = async (path: string, changes: object): Promise<unknown> => {
      const response = await user.post(path, { ...validBody(`POST ${path}`), ...changes });
      refusal(response);
      return (response.body as ErrorBody).error.details.reasons;
    };
    const method = { name: 'x'.repeat(101), method_type: 'gold', color: 'red', description: '\0' };
    expect(await reasons('/payment-methods', method)).toEqual({
      color: ['unknown_field'],
      name: ['too_long'],
      method_type: ['not_an_option'],
      description: ['invalid_characters'],
    });
    const template = {
      description: '',
      base_amount: '0.001',
      recurrence_config: { day_of_month: 0.5, handle_month_end: 'yes' },
      reference_date: '2026-02-30',
      starts_on: '2026-02-02',
      ends_on: '2026-02-01',
      payment_method_id: 'card',
    };
    expect(await reasons('/expense-templates', template)).toEqual({
      description: ['too_short'],
      base_amount: ['not_an_amount'],
      'recurrence_config.day_of_month': ['not_an_integer'],
      'recurrence_config.handle_month_end': ['not_a_boolean'],
      reference_date: ['not_a_date'],
      ends_on: ['out_of_order'],
      payment_method_id: ['not_a_uuid'],
    });
    expect(await reasons('/comments', { body: ' ' })).toEqual({ body: ['blank'] });
    const put = await user.put(`/payment-methods/${UNKNOWN_UUID}`, { active: null });
    expect((put.body as ErrorBody).error.details.reasons).toEqual({ active: ['null'] });
  });

  interface Problems {
    fields: Record<string, string[]>;
    reasons: Record<string, string[]>;
    more?: number;
  }

  const problemsOf = (response: Response): Problems => {
    refusal(response);
    return (response.body as ErrorBody).error.details as unknown as Problems;
  };

  const unknownFields = (count: number): Record<string, number> =>
    Object.fromEntries(Array.from({ length: count }, (_, n) => [`u${n}`, 1]));

  it('a refused request names the first 100 problems in order, and how many more there are', async () => {
    const user = await service.signUp();
    const { fields, reasons, more } = problemsOf(
      await user.post('/payment-methods', unknownFields(10_000)),
    );
    const names = ['name', 'method_type', 'default_currency'];
    const unknown = Array.from({ length: 97 }, (_, n) => `u${n}`);
    expect(Object.keys(fields)).toEqual([...names, ...unknown]);
    expect(Object.keys(reasons)).toEqual(Object.keys(fields));
    expect(more).toBe(9903);
  });

  it.each(['expenses', 'incomes'])(
    'a refused request that changes several %s names the first 100 problems of all elements, and how many more there are',
    async (list) => {
      const user = await service.signUp();
      const { id } = await user.createCycle();
      const unknown = Object.fromEntries(Array.from({ length: 60 }, (_, n) => [`u${n}`, 1]));
      const elements = Array.from({ length: 200 }, () => unknown);
      const response = await user.send('patch', `/cycles/${id}/${list}`).send({ [list]: elements });
      const { code, details } = (response.body as ErrorBody).error;
      expect([response.status, code]).toEqual([422, 'VALIDATION_ERROR']);
      const { fields, more } = details as { fields: object; more: number };
      // Each element misses its id and has 60 fields too many.
      const first = [`${list}.0.id`, ...Object.keys(unknown).map((name) => `${list}.0.${name}`)];
      expect(Object.keys(fields).slice(0, 62)).toEqual([...first, `${list}.1.id`]);
      expect(Object.keys(fields)).toHaveLength(100);
      expect(more).toBe(200 * 61 - 100);
      expect(response.text.length).toBeLessThan(20_000);
    },
  );

  it('a refused request with exactly 100 problems does not say that there are more', async () => {
    const user = await service.signUp();
    const problems = problemsOf(await user.post('/payment-methods', unknownFields(97)));
    expect(Object.keys(problems.fields)).toHaveLength(100);
    expect(problems).not.toHaveProperty('more');
    expect(problemsOf(await user.post('/payment-methods', unknownFields(98))).more).toBe(1);
  });

  it('a refused request without a body of its own names 100 unknown fields', async () => {
    const user = await service.signUp();
    const { fields, more } = problemsOf(await user.post('/auth/logout', unknownFields(150)));
    expect(Object.keys(fields)).toHaveLength(100);
    expect(more).toBe(50);
  });

  it('a refused request has a small response, however long the names of its fields are', async () => {
    const user = await service.signUp();
    const bodies: object[] = [
      { ['x'.repeat(100_000)]: 1 },
      { name: 'x', ['x'.repeat(50_000)]: [{ constructor: 1 }, { toString: 1 }] },
      Object.fromEntries(Array.from({ length: 500 }, (_, n) => [`${'x'.repeat(200)}${n}`, 1])),
    ];
    for (const body of bodies) {
      const response = await user.post('/payment-methods', body);
      expect(Object.keys(problemsOf(response).fields).join('').length).toBeLessThan(2000);
      expect(response.text.length).toBeLessThan(50_000);
    }
  });

  it('a refused request names unknown fields once whose long names begin alike', async () => {
    const user = await service.signUp();
    const names = Array.from({ length: 500 }, (_, n) => `${'x'.repeat(200)}${n}`);
    const body = Object.fromEntries(names.map((name) => [name, 1]));
    const { fields, reasons, more } = problemsOf(await user.post('/payment-methods', body));
    expect(Object.values(fields).flat()).toHaveLength(4);
    expect(reasons[`${'x'.repeat(100)}…`]).toEqual(['unknown_field']);
    expect(more).toBeUndefined();
  });

  it('a refused request has a message of at most 300 characters, without cut sentences', async () => {
    const user = await service.signUp();
    const wrong = ['currency', 'base_amount', 'category', 'recurrence_type', 'reference_date'];
    const body = Object.fromEntries(wrong.map((field) => [field, 'x']));
    const [message, fields] = refusal(await user.post('/expense-templates', body));
    const all = Object.values(fields).flat();
    expect(all.join('; ').length).toBeGreaterThan(300);
    expect(message.length).toBeLessThanOrEqual(300);
    const shown = message.split('; ');
    expect(shown).toEqual(all.slice(0, shown.length));
    expect(`${message}; ${all[shown.length] ?? ''}`.length).toBeGreaterThan(300);
  });

  it('a refused request names a field within another by its path', async () => {
    const { user, validBody } = await createSampleEntities(service);
    const send = async (recurrence_config: unknown): Promise<Refusal> =>
      refusal(
        await user.post('/expense-templates', {
          ...validBody('POST /expense-templates'),
          recurrence_config,
        }),
      );
    const path = 'recurrence_config.day_of_month';
    expect(await send({})).toEqual([`${path} is required`, { [path]: [`${path} is required`] }]);
    expect(await send({ day_of_month: 32 })).toEqual([
      `${path} must be between 1 and 31`,
      { [path]: [`${path} must be between 1 and 31`] },
    ]);
  });

  it('a refused request describes the error of a parameter', async () => {
    const { user } = await createSampleEntities(service);
    const messageOf = async (path: string): Promise<string> => refusal(await user.get(path))[0];
    expect(await messageOf('/cycles/latest')).toBe('id must be a UUID');
    expect(await messageOf('/cycles?page=0')).toBe('page must be at least 1');
    expect(await messageOf('/reports/cycles-comparison')).toBe('cycle_ids is required');
    const repeatedParameter = '/reports/cycles-comparison?cycle_ids=a&cycle_ids=b';
    expect(await messageOf(repeatedParameter)).toMatch(
      /^cycle_ids must be given once, separated by commas/,
    );
  });

  it('a refused request names the expected content type', async () => {
    const user = await service.signUp();
    expect(refusal(await user.post('/payment-methods', '[]').type('json'))[0]).toBe(
      'body must be a JSON object',
    );
    expect(refusal(await service.anonymous.post('/auth/login', {}))[0]).toBe(
      'body must be a form (application/x-www-form-urlencoded) with the fields username and password',
    );
  });

  // An import reports the members of its document in their order, as its own tests show; a forecast
  // and a closing require none.
  const APART = ['POST /import', 'POST /forecast', 'POST /cycles/{id}/close'];
  const creations = Object.keys(VALID_BODIES).filter(
    (name) => name.startsWith('POST ') && !APART.includes(name),
  );

  it.each(creations)(
    'a refused request of %s reports a null or missing required field as required',
    async (operation) => {
      const { user, fill, validBody } = entities;
      const { method, path } = splitName(operation);
      const { type = '', required = [] } =
        operationsOf(service.app).find(({ name }) => name === operation)?.body ?? {};
      expect(required).not.toEqual([]);
      for (const field of required) {
        // A form has no null.
        for (const value of type === 'application/json' ? [undefined, null] : [undefined]) {
          const body = { ...validBody(operation), [field]: value };
          expect(refusal(await user.send(method, fill(path)).type(type).send(body))).toEqual([
            `${field} is required`,
            { [field]: [`${field} is required`] },
          ]);
        }
      }
    },
  );

  it('a refused request reports null in a PUT as required or as not allowed', async () => {
    const { user, fill } = entities;
    const put = async (body: object): Promise<Refusal> =>
      refusal(await user.put(fill('/cycles/{id}'), body));
    expect(await put({ name: null })).toEqual(['name is required', { name: ['name is required'] }]);
    expect(await put({ status: null })).toEqual([
      'status must not be null',
      { status: ['status must not be null'] },
    ]);
  });
});
