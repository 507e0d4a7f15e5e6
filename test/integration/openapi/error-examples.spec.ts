import { beforeAll, describe, expect, it, jest } from '@jest/globals';
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import request, { type Response } from 'supertest';
import { RECORDED_EXAMPLES } from '../../../openapi/recorded-examples.js';
import { IdempotencyRepository } from '../../../src/idempotency/idempotency.repository.js';
import { errorExampleName } from '../../../src/platform/errors/error-body.js';
import { todayInUtc } from '../../../src/platform/values/calendar-date.js';
import { uniqueName, type Client } from '../../support/client.js';
import { parseResponses, sendRaw } from '../../support/raw-http.js';
import {
  UNKNOWN_UUID,
  createSampleEntities,
  type SampleEntities,
} from '../../support/sample-entities.js';
import { NO_LIMITS, TEST_PASSWORD, useService } from '../../support/service.js';
import { isDistributed } from '../../support/test-database.js';

interface Document {
  components: {
    examples: Record<string, { value: unknown }>;
    responses: Record<string, Documented>;
  };
  paths: Record<string, Record<string, { responses: Record<string, { $ref?: string }> }>>;
}

interface Documented {
  content: { 'application/json': { examples: Record<string, { $ref: string }> } };
}

const { components, paths } = JSON.parse(
  readFileSync(new URL('../../../docs/openapi.json', import.meta.url), 'utf8'),
) as Document;

const nameIn = (reference = ''): string => reference.slice(reference.lastIndexOf('/') + 1);

/** The names of the examples that are recorded errors. */
const RECORDED_ERRORS = new Set(
  Object.values(RECORDED_EXAMPLES)
    .flatMap((example) => Object.values(example?.errors ?? {}))
    .map(errorExampleName),
);

/** Whether document-examples.spec.ts compares the example with the response, or limits.long-spec.ts. */
const isComparedElsewhere = (example: string): boolean =>
  RECORDED_ERRORS.has(example) || example.endsWith('.limit');

/** Every other documented error, as its status and the name of its example. */
const DOCUMENTED_ERRORS = new Set(
  Object.values(paths)
    .flatMap((methods) => Object.values(methods))
    .flatMap(({ responses }) => Object.entries(responses))
    .flatMap(([status, { $ref }]) => {
      const examples = components.responses[nameIn($ref)]?.content['application/json'].examples;
      return Object.values(examples ?? {})
        .map((example) => nameIn(example.$ref))
        .filter((example) => !isComparedElsewhere(example))
        .map((example) => `${status} ${example}`);
    }),
);

/** The status and the body, without ids and seconds, which differ in each response. */
function comparable(status: number, body: unknown): unknown {
  const text = JSON.stringify(body)
    .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '<id>')
    .replaceAll(/("retry_after":|retry in )\d+/g, '$1<seconds>');
  return { status, body: JSON.parse(text.replaceAll(':<seconds>', ':0')) as unknown };
}

/** Fails with the error, and restores the state of the service. */
type FailingRequest = (entities: SampleEntities) => PromiseLike<Pick<Response, 'status' | 'body'>>;

describe('the example in the OpenAPI document', () => {
  const service = useService({ logLevel: 'fatal' });
  const limited = useService({
    logLevel: 'fatal',
    rateLimits: { ...NO_LIMITS, enabled: true, authenticatedPerHour: 1 },
  });
  const closed = useService({ registration: 'invitation', mail: undefined });
  let entities: SampleEntities;

  beforeAll(async () => {
    entities = await createSampleEntities(service);
  });

  const method = { name: 'Card', method_type: 'debit', default_currency: 'USD' };
  const cycle = (body: object = {}): Record<string, unknown> => ({
    name: uniqueName('Cycle'),
    start_date: '2026-01-19',
    end_date: '2026-03-01',
    income_amount: '1.00',
    ...body,
  });
  const credentials = (user: Client): object => ({ username: user.email, password: TEST_PASSWORD });

  async function without<T>(table: string, work: () => PromiseLike<T>): Promise<T> {
    await service.query(`ALTER TABLE ${table} RENAME TO hidden_table`);
    try {
      return await work();
    } finally {
      await service.query(`ALTER TABLE hidden_table RENAME TO ${table}`);
    }
  }

  async function withoutRates<T>(work: () => PromiseLike<T>): Promise<T> {
    await service.query('CREATE TABLE kept_rates AS TABLE exchange_rates');
    await service.query('DELETE FROM exchange_rates');
    try {
      return await work();
    } finally {
      await service.query('INSERT INTO exchange_rates SELECT * FROM kept_rates');
      await service.query('DROP TABLE kept_rates');
    }
  }

  const FAILING_REQUESTS: Record<string, FailingRequest> = {
    '400 VALIDATION_ERROR.400': ({ user }) => user.post('/payment-methods', '{').type('json'),
    '408 VALIDATION_ERROR.408': async () => {
      const { headersTimeout, requestTimeout } = service.server;
      // Shorter than in production, so that the test is fast.
      Object.assign(service.server, { headersTimeout: 500, requestTimeout: 1000 });
      try {
        const { port } = service.server.address() as AddressInfo;
        const head = ['POST /api/v1/auth/register HTTP/1.1', 'Host: x', 'Content-Length: 9'];
        const [response] = parseResponses(
          await sendRaw(
            port,
            `${[...head, 'Content-Type: application/json'].join('\r\n')}\r\n\r\n`,
          ),
        );
        return {
          status: response?.status ?? 0,
          body: JSON.parse(response?.body ?? '') as unknown,
        };
      } finally {
        Object.assign(service.server, { headersTimeout, requestTimeout });
      }
    },
    '431 VALIDATION_ERROR.431': ({ user }) =>
      user.get('/auth/me').set('X-Large', 'x'.repeat(20_000)),
    '413 VALIDATION_ERROR.413': ({ user }) =>
      user.post('/payment-methods', { ...method, description: 'x'.repeat(1_000_000) }),
    '415 VALIDATION_ERROR.415': ({ user }) => user.post('/payment-methods', 'x').type('text'),
    '400 INCORRECT_PASSWORD': ({ user }) =>
      user.put('/auth/me/password', {
        current_password: 'not my password',
        new_password: 'another password',
      }),
    '401 INVALID_TOKEN': () => service.anonymous.get('/auth/me'),
    '401 INVALID_CREDENTIALS': ({ user }) =>
      service.anonymous
        .post('/auth/login', { username: user.email, password: 'not my password' })
        .type('form'),
    '403 INACTIVE_USER': async () => {
      const user = await service.signUp();
      await service.query('UPDATE users SET active = false WHERE email = $1', [user.email]);
      return service.anonymous.post('/auth/login', credentials(user)).type('form');
    },
    '403 FORBIDDEN': async ({ user }) => {
      const member = await service.signUpMember(user);
      return member.put('/households/current', { name: 'Ours' });
    },
    '404 USER_NOT_FOUND': ({ user }) =>
      user.put(`/households/current/members/${UNKNOWN_UUID}`, { role: 'member' }),
    '404 RESOURCE_NOT_FOUND': ({ user }) => user.get(`/payment-methods/${UNKNOWN_UUID}`),
    '404 RESOURCE_NOT_FOUND.budget.index': ({ user, fill }) =>
      user.put(fill('/cycles/{cycle_id}'), {
        budget_limits: [{ budget_id: UNKNOWN_UUID, limit: '5.00' }],
      }),
    '404 RESOURCE_NOT_FOUND.payment_method.index': ({ user }) =>
      user.post('/balances', { balances: [{ payment_method_id: UNKNOWN_UUID, amount: '5' }] }),
    '404 RESOURCE_NOT_FOUND.template.index': ({ user }) => {
      const change = { op: 'skip_template', template_id: UNKNOWN_UUID };
      const from = todayInUtc();
      return user.post('/forecast', { changes: [{ ...change, from, to: from }] });
    },
    '404 RESOURCE_NOT_FOUND.cycle_expense.id': ({ user, fill }) =>
      user.patch(fill('/cycles/{cycle_id}/expenses'), { expenses: [{ id: UNKNOWN_UUID }] }),
    '404 RESOURCE_NOT_FOUND.cycle_income.id': ({ user, fill }) =>
      user.patch(fill('/cycles/{cycle_id}/incomes'), { incomes: [{ id: UNKNOWN_UUID }] }),
    '404 CYCLE_NOT_FOUND': ({ user }) => user.get(`/cycles/${UNKNOWN_UUID}`),
    '409 USER_ALREADY_EXISTS': ({ user }) =>
      service.anonymous.post('/auth/register', { email: user.email, password: TEST_PASSWORD }),
    '409 RESOURCE_CONFLICT': async ({ user }) => {
      const { name } = await user.createPaymentMethod();
      return user.post('/payment-methods', { ...method, name });
    },
    '409 RESOURCE_CONFLICT.cycle_expense.fields': async ({ user }) => {
      const { id: cycleId } = await user.createCycle();
      const { id } = await user.createExpense(cycleId);
      const path = `/cycles/${cycleId}/expenses/${id}`;
      await user.put(path, { amount: '6.00' }).expect(200);
      const { id: recordId } = await user.lastRecord('cycle_expense', id);
      await user.put(path, { amount: '7.00' }).expect(200);
      return user.post(`/activity/${recordId}/undo`);
    },
    '409 RESOURCE_CONFLICT.household': async () => {
      const admin = await service.signUp();
      const { id } = await admin.read<{ id: string }>('/auth/me');
      return admin.put(`/households/current/members/${id}`, { role: 'member' });
    },
    '409 RESOURCE_CONFLICT.account': async ({ user }) =>
      user.post('/import', await user.read('/export')),
    '409 RESOURCE_CONFLICT.cycle.open_expense_count.open_income_count': ({ user, fill }) =>
      user.post(fill('/cycles/{id}/close')),
    '409 CYCLE_NAME_EXISTS': async ({ user }) => {
      const { name } = await user.createCycle();
      return user.post('/cycles', cycle({ name }));
    },
    '409 CYCLE_ALREADY_COMPLETED': async ({ user }) => {
      const { id } = await user.createCycle();
      await user.put(`/cycles/${id}`, { status: 'completed' }).expect(200);
      return user.delete(`/cycles/${id}`);
    },
    '422 INVALID_CYCLE_DATES': ({ user }) =>
      user.post('/cycles', cycle({ start_date: '2026-03-01', end_date: '2026-01-19' })),
    '422 CURRENCY_CONVERSION_ERROR': ({ user, fill, validBody }) =>
      withoutRates(() =>
        user.post(fill('/cycles/{cycle_id}/expenses'), {
          ...validBody('POST /cycles/{cycle_id}/expenses'),
          currency: 'MXN',
          due_date: '2026-02-01',
        }),
      ),
    '422 CYCLE_GENERATION_ERROR': async () => {
      const user = await service.signUp();
      await user.createTemplate({ description: 'Renta Mérida', currency: 'MXN' });
      return withoutRates(() => user.post('/cycles', cycle()));
    },
    '412 PRECONDITION_FAILED': ({ user, fill }) =>
      user.delete(fill('/payment-methods/{id}')).set('If-Match', '"other"'),
    '409 IDEMPOTENCY_KEY_IN_USE': ({ user }) => {
      const records = service.app.get(IdempotencyRepository, { strict: false });
      jest
        .spyOn(records, 'lockAndFind')
        .mockResolvedValueOnce({ isLocked: false, stored: undefined });
      return user.post('/payment-methods', method).set('Idempotency-Key', 'in-use');
    },
    '401 INVALID_TOKEN.public': () =>
      closed.anonymous.post('/account/password-reset/confirm', {
        token: 'unknown',
        new_password: TEST_PASSWORD,
      }),
    '403 FORBIDDEN.public': () =>
      closed.anonymous.post('/auth/register', {
        email: 'new@example.com',
        password: TEST_PASSWORD,
      }),
    '404 RESOURCE_NOT_FOUND.route': () =>
      closed.anonymous.post('/account/password-reset', { email: 'new@example.com' }),
    '422 IDEMPOTENCY_KEY_REUSED': async ({ user }) => {
      await user
        .post('/payment-methods', { ...method, name: uniqueName('Card') })
        .set('Idempotency-Key', 'reused');
      return user.post('/payment-methods', method).set('Idempotency-Key', 'reused');
    },
    '429 RATE_LIMIT_EXCEEDED': async () => {
      const user = await limited.signUp();
      await user.get('/auth/me').expect(200);
      return user.get('/auth/me');
    },
    '500 INTERNAL_SERVER_ERROR': ({ user }) =>
      without('payment_methods', () => user.get('/payment-methods')),
    '503 SERVICE_UNAVAILABLE': async ({ user }) => {
      await service.query(`
        CREATE FUNCTION raise_timeout() RETURNS trigger LANGUAGE plpgsql AS $$
          BEGIN RAISE EXCEPTION 'the lock is held' USING ERRCODE = '55P03'; END $$`);
      await service.query(
        'CREATE TRIGGER raise_timeout BEFORE INSERT ON payment_methods EXECUTE FUNCTION raise_timeout()',
      );
      try {
        return await user.post('/payment-methods', method);
      } finally {
        await service.query('DROP FUNCTION raise_timeout CASCADE');
      }
    },
    '503 SERVICE_UNAVAILABLE.readiness': async () => {
      await service.dataSource.destroy();
      try {
        return await request(service.server).get('/health/ready');
      } finally {
        await service.dataSource.initialize();
      }
    },
  };

  it('the example in the OpenAPI document is tested for every error', () => {
    expect(Object.keys(FAILING_REQUESTS).sort()).toEqual([...DOCUMENTED_ERRORS].sort());
    const used = Object.keys(FAILING_REQUESTS).map((errorName) => errorName.split(' ')[1]);
    const others = Object.keys(components.examples).filter((name) => !isComparedElsewhere(name));
    expect(others.sort()).toEqual(used.sort());
  });

  /** Needs a trigger, which Citus does not support. */
  const NEEDS_ONE_SERVER = ['503 SERVICE_UNAVAILABLE'];

  it.each(
    Object.entries(FAILING_REQUESTS).filter(
      ([errorName]) => !(isDistributed && NEEDS_ONE_SERVER.includes(errorName)),
    ),
  )('%s equals the response of the service', async (errorName, send) => {
    const [status, example = ''] = errorName.split(' ');
    const response = await send(entities);
    expect(comparable(response.status, response.body)).toEqual(
      comparable(Number(status), components.examples[example]?.value),
    );
  });
});
