import { beforeAll, describe, expect, it } from '@jest/globals';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import {
  isApiError,
  NetworkError,
  UnexpectedResponseError,
  type ExpenseClient,
  type Schemas,
} from '../../clients/typescript/src/index.js';
import { uniqueName } from '../support/client.js';
import { CUT_RESPONSE, HANG, LOSE_RESPONSE, REFUSE, respondWith } from '../support/http-relay.js';
import { useRelayedClients } from '../support/relayed-client.js';
import { NO_LIMITS, TEST_PASSWORD, useService } from '../support/service.js';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const CREATE = 'POST /payment-methods';

const newMethod = (): Schemas['CreatePaymentMethodDto'] => ({
  name: uniqueName('Card'),
  method_type: 'debit',
  default_currency: 'USD',
});

const newCycle = (): Schemas['CreateCycleDto'] => ({
  name: uniqueName('Cycle'),
  start_date: '2026-01-19',
  end_date: '2026-03-01',
  income_amount: '5000.00',
});

const failure = (code: string, details = {}): object => ({
  success: false,
  error: { code, message: code, details },
});

async function errorOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => undefined,
    (error: unknown) => error,
  );
}

describe('requests of the TypeScript client', () => {
  const service = useService();
  const clients = useRelayedClients(service);
  const { relay } = clients;
  let client: ExpenseClient;

  beforeAll(async () => {
    client = await clients.signUp();
  });

  async function createCycle(): Promise<{ path: { id: string }; etag: string }> {
    const { data, etag } = await client.POST('/cycles', { body: newCycle() });
    return { path: { id: data.id }, etag };
  }

  describe('with a temporary failure', () => {
    it.each([
      ['is lost', LOSE_RESPONSE],
      ['is incomplete', CUT_RESPONSE],
      ['is that of a proxy which gave up', respondWith(504, 'Gateway Timeout')],
    ])(
      'the TypeScript client repeats a POST with the same key when its response %s',
      async (_, fault) => {
        const body = newMethod();
        relay.inject(CREATE, fault, REFUSE);
        const { data } = await client.POST('/payment-methods', { body });
        expect(data.name).toBe(body.name);
        const keys = relay.requestsOf(CREATE).map(({ headers }) => headers['idempotency-key']);
        expect(keys).toHaveLength(3);
        expect(new Set(keys)).toEqual(new Set([expect.stringMatching(/^[\da-f]{32}$/)]));
        const all = await client.GET('/payment-methods');
        expect(all.data.filter(({ name }) => name === body.name)).toHaveLength(1);
      },
    );

    it('the TypeScript client sends the key of the caller, and reports it when there is no response', async () => {
      const header = { 'Idempotency-Key': 'of-the-caller' };
      const impatient = clients.create({ token: client.token, maxRetries: 1 });
      relay.inject(CREATE, REFUSE, REFUSE);
      const body = newMethod();
      const error = await errorOf(impatient.POST('/payment-methods', { params: { header }, body }));
      expect(error).toBeInstanceOf(NetworkError);
      expect(error).toMatchObject({
        idempotencyKey: 'of-the-caller',
        cause: { message: 'fetch failed' },
      });
      expect(relay.requestsOf(CREATE)).toHaveLength(2);
    });

    it('the TypeScript client waits and repeats after a 503, as long as Retry-After says', async () => {
      const unavailable = failure('SERVICE_UNAVAILABLE');
      relay.inject('GET /enums', respondWith(503, unavailable, { 'Retry-After': '1' }));
      const start = performance.now();
      await client.GET('/enums');
      expect(performance.now() - start).toBeGreaterThan(990);
    });

    it('the TypeScript client gives up after the last repetition', async () => {
      const impatient = clients.create({ token: client.token, maxRetries: 1 });
      const fault = respondWith(503, failure('SERVICE_UNAVAILABLE'));
      relay.inject('GET /enums', fault, fault, fault);
      const error = await errorOf(impatient.GET('/enums'));
      expect(isApiError(error, 'SERVICE_UNAVAILABLE')).toBe(true);
      expect(relay.requestsOf('GET /enums')).toHaveLength(2);
    });

    it('the TypeScript client repeats a request without a response in time', async () => {
      // Long enough for the garbage collection, which must not remove the timer.
      const impatient = clients.create({ token: client.token, timeoutMs: 3000 });
      relay.inject('GET /enums', HANG);
      setTimeout(collectGarbage, 100);
      expect((await impatient.GET('/enums')).response.status).toBe(200);
      expect(relay.requestsOf('GET /enums')).toHaveLength(2);
    });

    it('the TypeScript client does not repeat a registration, which would be refused', async () => {
      relay.inject('POST /auth/register', LOSE_RESPONSE);
      const body = { email: 'lost-response@example.com', password: TEST_PASSWORD };
      const error = await errorOf(clients.create().POST('/auth/register', { body }));
      expect(error).toBeInstanceOf(NetworkError);
      expect(relay.requestsOf('POST /auth/register')).toHaveLength(1);
    });

    it('the TypeScript client does not fail when the lost response is that of a DELETE', async () => {
      const { path } = await createCycle();
      relay.inject(`DELETE /cycles/${path.id}`, LOSE_RESPONSE);
      const { data, response } = await client.DELETE('/cycles/{id}', { params: { path } });
      expect({ data, status: response.status }).toEqual({ data: undefined, status: 204 });
      expect(relay.requestsOf(`DELETE /cycles/${path.id}`)).toHaveLength(2);
      // Without a lost response, there was nothing to delete.
      const error = await errorOf(client.DELETE('/cycles/{id}', { params: { path } }));
      expect(error).toMatchObject({ code: 'CYCLE_NOT_FOUND', isRepeated: false });
    });

    it('the TypeScript client marks the 412 that a change of its own may have caused', async () => {
      const { path, etag } = await createCycle();
      relay.inject(`PUT /cycles/${path.id}`, LOSE_RESPONSE);
      const params = { path, header: { 'If-Match': etag } };
      const error = await errorOf(
        client.PUT('/cycles/{id}', { params, body: { income_amount: '1.00' } }),
      );
      expect(error).toMatchObject({ code: 'PRECONDITION_FAILED', isRepeated: true });
    });
  });

  describe('beyond a rate limit', () => {
    const limited = failure('RATE_LIMIT_EXCEEDED', { retry_after: 1 });

    it('requests of the TypeScript client beyond a rate limit wait for Retry-After seconds', async () => {
      relay.inject(CREATE, respondWith(429, limited, { 'Retry-After': '1' }));
      const start = performance.now();
      await client.POST('/payment-methods', { body: newMethod() });
      expect(performance.now() - start).toBeGreaterThan(990);
    });

    it('requests of the TypeScript client beyond a rate limit fail when the wait would be too long', async () => {
      const impatient = clients.create({ token: client.token, maxWaitMs: 1500 });
      const fault = respondWith(429, limited, { 'Retry-After': '1' });
      relay.inject('GET /enums', fault, fault);
      const error = await errorOf(impatient.GET('/enums'));
      expect(isApiError(error, 'RATE_LIMIT_EXCEEDED') && error.details.retry_after).toBe(1);
      expect(relay.requestsOf('GET /enums')).toHaveLength(2);
    });

    it('requests of the TypeScript client beyond a rate limit end the wait when they are aborted', async () => {
      relay.inject('GET /enums', respondWith(429, limited, { 'Retry-After': '30' }));
      const controller = new AbortController();
      const error = errorOf(client.GET('/enums', { signal: controller.signal }));
      const reason = new Error('The user left the page');
      setTimeout(() => controller.abort(reason), 200);
      expect(await error).toBe(reason);
    });
  });

  it.each(['http://localhost:3000/api/v1', 'http://localhost:3000/api/v1/'])(
    'the TypeScript client refuses the base address %s, which names the prefix',
    (baseUrl) => {
      expect(() => clients.create({ baseUrl })).toThrow(
        'baseUrl must not end in /api/v1, which the client adds: http://localhost:3000/api/v1',
      );
    },
  );

  it.each(['localhost:3000', '127.0.0.1:3000/gastos'])(
    'the TypeScript client refuses the base address %s, which has no scheme',
    (baseUrl) => {
      expect(() => clients.create({ baseUrl })).toThrow(
        `baseUrl must begin with http:// or https://: ${baseUrl}`,
      );
    },
  );

  it.each(['http://localhost:3000', 'https://[::1]:3000/gastos', '/gastos', ''])(
    'the TypeScript client takes the base address "%s"',
    (baseUrl) => {
      expect(() => clients.create({ baseUrl })).not.toThrow();
    },
  );

  it('requests of the TypeScript client are aborted while they run', async () => {
    relay.inject('GET /enums', HANG);
    const error = await errorOf(client.GET('/enums', { signal: AbortSignal.timeout(2000) }));
    expect(error).toMatchObject({ name: 'TimeoutError' });
    expect(relay.requestsOf('GET /enums')).toHaveLength(1);
  });

  it('requests of the TypeScript client wait while an earlier request with their key is running', async () => {
    const inUse = failure('IDEMPOTENCY_KEY_IN_USE');
    relay.inject(CREATE, respondWith(409, inUse, { 'Retry-After': '1' }));
    const { response } = await client.POST('/payment-methods', { body: newMethod() });
    expect(response.status).toBe(201);
  });

  it('requests of the TypeScript client change a record only if it is still the one that was read', async () => {
    const { path } = await createCycle();
    const { etag } = await client.GET('/cycles/{id}', { params: { path } });
    const update = { params: { path, header: { 'If-Match': etag } } };
    const changed = await client.PUT('/cycles/{id}', { ...update, body: { status: 'active' } });
    expect(changed.etag).not.toBe(etag);
    const error = await errorOf(
      client.PUT('/cycles/{id}', { ...update, body: { status: 'completed' } }),
    );
    expect(isApiError(error, 'PRECONDITION_FAILED')).toBe(true);
    expect(error).toMatchObject({ status: 412, isRepeated: false });
  });

  describe('that fail', () => {
    it('requests of the TypeScript client that fail throw the error of the API with its code, details and request id', async () => {
      const body = { ...newMethod(), name: '' };
      const error = await errorOf(client.POST('/payment-methods', { body }));
      if (!isApiError(error, 'VALIDATION_ERROR')) throw error;
      expect(error.details.reasons).toEqual({ name: [expect.any(String)] });
      expect(error).toMatchObject({
        status: 422,
        message: error.details.fields?.name?.[0],
        requestId: error.response.headers.get('X-Request-Id'),
      });
      expect(isApiError(error, 'CYCLE_NOT_FOUND', 'RESOURCE_NOT_FOUND')).toBe(false);
    });

    it('requests of the TypeScript client that fail throw another error without a connection', async () => {
      const nowhere = clients.create({ baseUrl: 'http://127.0.0.1:1', maxRetries: 0 });
      const error = await errorOf(nowhere.GET('/enums'));
      expect(error).toBeInstanceOf(NetworkError);
      expect(isApiError(error)).toBe(false);
    });

    it.each([200, 403, 502])(
      'requests of the TypeScript client that fail throw another error for a page of a proxy (%d)',
      async (status) => {
        const impatient = clients.create({ token: client.token, maxRetries: 0 });
        relay.inject('GET /enums', respondWith(status, '<h1>Welcome</h1>'));
        const error = await errorOf(impatient.GET('/enums'));
        expect(error).toBeInstanceOf(UnexpectedResponseError);
        expect(error).toMatchObject({ status, text: '<h1>Welcome</h1>' });
      },
    );
  });

  it('requests of the TypeScript client read and write CSV', async () => {
    const { path } = await createCycle();
    const params = { path: { cycle_id: path.id } };
    const { data: method } = await client.POST('/payment-methods', { body: newMethod() });
    const csv =
      'due_date,description,category,currency,amount,payment_method\r\n' +
      `2026-02-01,Rent,fixed,USD,1200.00,${method.name}\r\n`;
    const imported = await client.POST('/cycles/{cycle_id}/expenses/import', { params, body: csv });
    expect(imported.data.imported).toBe(1);
    const { data } = await client.GET('/cycles/{cycle_id}/expenses.csv', { params });
    expect(data).toMatch(/\r\n2026-02-01,Rent,fixed,USD,1200\.00,/);
  });

  describe('for several expenses', () => {
    /** A cycle with as many expenses. */
    async function createExpenses(count: number): Promise<{
      cycle: string;
      expenses: Schemas['ExpenseResponse'][];
    }> {
      const { data: method } = await client.POST('/payment-methods', { body: newMethod() });
      const cycle = (await createCycle()).path.id;
      const params = { path: { cycle_id: cycle } };
      for (let n = 0; n < count; n++) {
        await client.POST('/cycles/{cycle_id}/expenses', {
          params,
          body: {
            ...{ description: 'Rent', currency: 'USD', amount: '5.00', category: 'fixed' },
            ...{ due_date: '2026-02-01', payment_method_id: method.id },
          },
        });
      }
      const { data } = await client.GET('/cycles/{cycle_id}/expenses', { params });
      return { cycle, expenses: data.expenses };
    }

    it('pay and delete many with one request', async () => {
      const { cycle, expenses } = await createExpenses(2);
      const [first, second] = expenses;
      const { data } = await client.PATCH('/cycles/{cycle_id}/expenses', {
        params: { path: { cycle_id: cycle } },
        body: {
          expenses: [
            { id: first?.id ?? '', paid: true },
            { id: second?.id ?? '', active: false },
          ],
        },
      });
      expect(data.expenses.map(({ id, status }) => [id, status])).toEqual([[first?.id, 'paid']]);
    });

    it('payMany pays expenses only if all of them are still those that were read', async () => {
      const { cycle, expenses } = await createExpenses(2);
      const { data } = await client.payMany(cycle, expenses);
      expect(data).toMatchObject({
        expenses: expenses.map(({ id }) => ({ id, status: 'paid' })),
        remaining_balance: '4990.00',
      });
      expect(await errorOf(client.payMany(cycle, expenses))).toMatchObject({
        code: 'PRECONDITION_FAILED',
        details: { id: expenses[0]?.id },
        isRepeated: false,
      });
    });

    it('payMany marks the 412 that a payment of its own may have caused', async () => {
      const { cycle, expenses } = await createExpenses(1);
      relay.inject(`PATCH /cycles/${cycle}/expenses`, LOSE_RESPONSE);
      expect(await errorOf(client.payMany(cycle, expenses))).toMatchObject({
        code: 'PRECONDITION_FAILED',
        isRepeated: true,
      });
    });

    it('carryOver moves the given expenses, or all that are neither paid nor cancelled', async () => {
      const { cycle: from, expenses } = await createExpenses(3);
      const { id: to } = (await createCycle()).path;
      const [first, second, third] = expenses.map(({ id }) => id);
      const { data: one } = await client.carryOver({ from, to, expenseIds: [second ?? ''] });
      expect(one.moved.map(({ from_id }) => from_id)).toEqual([second]);
      expect(one.remaining_balance).toEqual({ from: '4990.00', to: '4995.00' });
      relay.inject(`POST /cycles/${from}/carry-over`, LOSE_RESPONSE);
      const { data: others } = await client.carryOver({ from, to });
      expect(others.moved.map(({ from_id }) => from_id)).toEqual([first, third]);
    });
  });

  it('undo takes back a record of the activity once, also after a lost response', async () => {
    const { path } = await createCycle();
    await client.PUT('/cycles/{id}', { params: { path }, body: { income_amount: '1.00' } });
    const query = { cycle_id: path.id, limit: 1 };
    const { data: records } = await client.GET('/activity', { params: { query } });
    const record = records[0]?.id ?? '';
    relay.inject(`POST /activity/${record}/undo`, LOSE_RESPONSE);
    const { data } = await client.undo(record);
    expect(data.representation).toMatchObject({ id: path.id, income_amount: '5000.00' });
    expect(await errorOf(client.undo(record))).toMatchObject({
      code: 'RESOURCE_CONFLICT',
      details: { fields: { income_amount: [expect.any(String)] } },
    });
    await client.undo(data.activity_id);
    const { data: again } = await client.GET('/cycles/{id}', { params: { path } });
    expect(again.income_amount).toBe('1.00');
  });

  it('payMany, carryOver and undo can be aborted', async () => {
    const signal = AbortSignal.abort(new Error('The user left the page'));
    const { id } = (await createCycle()).path;
    for (const promise of [
      client.payMany(id, [], { signal }),
      client.carryOver({ from: id, to: id }, { signal }),
      client.undo(id, { signal }),
    ]) {
      expect(await errorOf(promise)).toBe(signal.reason);
    }
  });

  describe('for pages', () => {
    it('requests of the TypeScript client for pages return each page of a list', async () => {
      const user = await clients.signUp();
      const names = ['a', 'b', 'c', 'd', 'e'];
      for (const name of names) await user.POST('/cycles', { body: { ...newCycle(), name } });
      const pages: string[][] = [];
      const options = { params: { query: { per_page: 2, status: 'draft' as const } } };
      for await (const { data } of user.pages('/cycles', options)) {
        pages.push(data.cycles.map(({ name }) => name));
      }
      expect(pages.map((page) => page.length)).toEqual([2, 2, 1]);
      expect(pages.flat().sort()).toEqual(names);
    });

    it('requests of the TypeScript client for pages return each page of the activity', async () => {
      const { path } = await createCycle();
      for (const day of ['20', '21', '22', '23']) {
        const body = { start_date: `2026-01-${day}` };
        await client.PUT('/cycles/{id}', { params: { path }, body });
      }
      const sizes: number[] = [];
      const query = { cycle_id: path.id, limit: 2 };
      for await (const { data } of client.pages('/activity', { params: { query } })) {
        sizes.push(data.length);
      }
      expect(sizes).toEqual([2, 2, 1]);
    });

    it('requests of the TypeScript client for pages return each page of the changes, and go on from the last one', async () => {
      const user = await clients.signUp();
      for (let i = 0; i < 5; i++) await user.POST('/payment-methods', { body: newMethod() });
      const sizes: number[] = [];
      let since = '';
      for await (const { data } of user.pages('/changes', { params: { query: { limit: 2 } } })) {
        sizes.push(data.changes.length);
        since = data.next;
      }
      expect(sizes).toEqual([2, 2, 1]);

      const { data: cycle } = await user.POST('/cycles', { body: newCycle() });
      const ids: string[] = [];
      for await (const { data } of user.pages('/changes', { params: { query: { since } } })) {
        ids.push(...data.changes.map((change) => change.entity_id));
      }
      expect(ids).toEqual([cycle.id]);
    });

    it('requests of the TypeScript client for pages end when the caller stops', async () => {
      await createCycle();
      await createCycle();
      for await (const page of client.pages('/cycles', { params: { query: { per_page: 1 } } })) {
        expect(page.data.cycles).toHaveLength(1);
        break;
      }
      expect(relay.requestsOf('GET /cycles')).toHaveLength(1);
    });
  });
});

describe('a sign-in beyond the rate limit', () => {
  const service = useService({ rateLimits: { ...NO_LIMITS, enabled: true, authPerMinute: 1 } });
  const clients = useRelayedClients(service);

  it('a sign-in beyond the rate limit fails when the wait would be too long', async () => {
    const client = clients.create({ maxWaitMs: 0 });
    const signIn = (): Promise<unknown> =>
      errorOf(client.signIn({ email: 'ana@example.com', password: TEST_PASSWORD }));
    expect(isApiError(await signIn(), 'INVALID_CREDENTIALS')).toBe(true);
    const error = await signIn();
    expect(isApiError(error, 'RATE_LIMIT_EXCEEDED')).toBe(true);
  });
});
