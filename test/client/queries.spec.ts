import { afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import {
  isApiError,
  NetworkError,
  Queries,
  type ExpenseClient,
  type Query,
  type QueryState,
  type Schemas,
} from '../../clients/typescript/src/index.js';
import { uniqueName } from '../support/client.js';
import { eventually } from '../support/eventually.js';
import {
  HANG,
  LOSE_RESPONSE,
  REFUSE,
  respondWith,
  respondWithChanged,
  type Fault,
} from '../support/http-relay.js';
import { useRelayedClients } from '../support/relayed-client.js';
import { useService } from '../support/service.js';

const newCycle = (): Schemas['CreateCycleDto'] => ({
  name: uniqueName('Cycle'),
  start_date: '2026-01-19',
  end_date: '2026-03-01',
  income_amount: '5000.00',
});

async function errorOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => undefined,
    (error: unknown) => error,
  );
}

/** Responds as the service does, when the test says so. */
function delayed(): { fault: Fault; release: () => void } {
  const { promise, resolve } = withResolvers();
  const fault: Fault = async (response, forward) => {
    const forwarded = await forward();
    const body = Buffer.from(await forwarded.arrayBuffer());
    await promise;
    response.writeHead(forwarded.status, { 'content-type': 'application/json' }).end(body);
  };
  return { fault, release: resolve };
}

function withResolvers(): { promise: Promise<void>; resolve: () => void } {
  let resolve!: () => void;
  const promise = new Promise<void>((settle) => (resolve = settle));
  return { promise, resolve };
}

describe('queries of the TypeScript client', () => {
  const service = useService();
  const clients = useRelayedClients(service);
  const { relay } = clients;
  let client: ExpenseClient;
  let queries: Queries;
  let cycle: Schemas['CycleResponse'];
  let path: { id: string };
  let operation: string;
  let unsubscribes: (() => void)[] = [];

  beforeAll(async () => {
    client = await clients.signUp({ maxRetries: 0 });
  });

  beforeEach(async () => {
    queries = new Queries(client);
    cycle = (await client.POST('/cycles', { body: newCycle() })).data;
    path = { id: cycle.id };
    operation = `GET /cycles/${cycle.id}`;
    relay.reset();
  });

  afterEach(() => {
    for (const unsubscribe of unsubscribes) unsubscribe();
    unsubscribes = [];
    jest.restoreAllMocks();
  });

  function cycleQuery(): Query<Schemas['CycleResponse']> {
    return queries.query('/cycles/{id}', { params: { path } });
  }

  /** Subscribes until the end of the test. Returns the states that the listener has seen. */
  function watch<Data>(query: Query<Data>): QueryState<Data>[] {
    const states: QueryState<Data>[] = [];
    unsubscribes.push(query.subscribe(() => states.push(query.getSnapshot())));
    return states;
  }

  async function loaded<Data>(query: Query<Data>): Promise<QueryState<Data>> {
    await eventually('the end of a request', () => !query.getSnapshot().isLoading);
    return query.getSnapshot();
  }

  async function requested(name: string, times: number): Promise<void> {
    await eventually(`${times} ${name}`, () => relay.requestsOf(name).length === times);
  }

  async function shown(query: Query<{ name: string }>, name: string | undefined): Promise<void> {
    await eventually(`the name ${name ?? ''}`, () => query.getSnapshot().data?.name === name);
  }

  const rename = (name: string): Promise<unknown> =>
    client.PUT('/cycles/{id}', { params: { path }, body: { name } });

  describe('reading', () => {
    it('a query is the same one for equal parameters, in whatever order', () => {
      const { query } = { query: queries.query.bind(queries) };
      const first = query('/cycles', { params: { query: { page: 1, status: 'active' } } });
      const second = query('/cycles', { params: { query: { status: 'active', page: 1 } } });
      const other = query('/cycles', { params: { query: { status: 'active', page: 2 } } });
      expect(second).toBe(first);
      expect(other).not.toBe(first);
      expect(query('/enums')).toBe(query('/enums'));
    });

    it('a query reads once for all its subscribers, beginning with the first one', async () => {
      const query = cycleQuery();
      const unread = query.getSnapshot();
      expect(unread).toEqual({
        data: undefined,
        etag: undefined,
        error: undefined,
        isLoading: true,
      });
      expect(query.getSnapshot()).toBe(unread);
      const states = watch(query);
      watch(query);
      const state = await loaded(query);
      expect(state.data).toEqual(cycle);
      expect(state).toMatchObject({ etag: expect.any(String), error: undefined });
      expect(query.getSnapshot()).toBe(state);
      expect(states).toEqual([state]);
      expect(relay.requestsOf(operation)).toHaveLength(1);
      const { data } = await client.PUT('/cycles/{id}', {
        params: { path, header: { 'If-Match': state.etag ?? '' } },
        body: { name: uniqueName('Cycle') },
      });
      expect(data.id).toBe(cycle.id);
    });

    it('a snapshot of a query cannot be changed', async () => {
      const query = cycleQuery();
      watch(query);
      expect(Object.isFrozen(await loaded(query))).toBe(true);
    });

    it('a query aborts its request when the last subscriber leaves, and reads again for the next one', async () => {
      relay.inject(operation, HANG);
      const closed = jest.fn();
      const query = cycleQuery();
      const leave = query.subscribe(closed);
      const leaveToo = query.subscribe(closed);
      await requested(operation, 1);
      leave();
      leave();
      await Promise.resolve();
      expect(query.getSnapshot().isLoading).toBe(true);
      leaveToo();
      watch(query);
      // The same task: the request goes on.
      await new Promise((resolve) => setTimeout(resolve, 50));
      expect(relay.requestsOf(operation)).toHaveLength(1);
      unsubscribes.pop()?.();
      await Promise.resolve();
      watch(query);
      expect((await loaded(query)).data).toEqual(cycle);
      expect(relay.requestsOf(operation)).toHaveLength(2);
      expect(closed).not.toHaveBeenCalled();
    });

    it('a refresh that was aborted with the last subscriber begins again with the next one', async () => {
      const query = cycleQuery();
      watch(query);
      await loaded(query);
      const name = uniqueName('Cycle');
      await rename(name);
      relay.inject(operation, HANG);
      void queries.refresh();
      await requested(operation, 2);
      unsubscribes.pop()?.();
      await Promise.resolve();
      watch(query);
      await shown(query, name);
    });

    it('a query shows its data to the next subscriber, and reads again after ten seconds', async () => {
      const query = cycleQuery();
      watch(query);
      const { data } = await loaded(query);
      unsubscribes.pop()?.();
      await Promise.resolve();
      watch(query);
      expect(query.getSnapshot()).toMatchObject({ data, isLoading: false });
      unsubscribes.pop()?.();
      jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 10_001);
      watch(query);
      expect(query.getSnapshot().data).toBe(data);
      expect(query.getSnapshot().isLoading).toBe(true);
      jest.restoreAllMocks();
      await loaded(query);
      expect(relay.requestsOf(operation)).toHaveLength(2);
    });

    it('a query reads without subscribers when it is asked to', async () => {
      const query = cycleQuery();
      await query.refresh();
      expect(query.getSnapshot().data).toEqual(cycle);
    });

    it('a query keeps its data after an error, and has none of a record that is gone', async () => {
      const query = cycleQuery();
      watch(query);
      const { data } = await loaded(query);
      relay.inject(operation, REFUSE);
      await query.refresh();
      const failed = query.getSnapshot();
      expect(failed.error).toBeInstanceOf(NetworkError);
      expect(failed.data).toBe(data);
      await query.refresh();
      expect(query.getSnapshot()).toMatchObject({ data, error: undefined });
      await client.DELETE('/cycles/{id}', { params: { path } });
      await query.refresh();
      expect(query.getSnapshot()).toMatchObject({ data: undefined, etag: undefined });
      expect(isApiError(query.getSnapshot().error, 'CYCLE_NOT_FOUND')).toBe(true);
    });
  });

  describe('reading again', () => {
    it('a query keeps the object of its data while nothing has changed', async () => {
      const query = cycleQuery();
      const states = watch(query);
      const before = await loaded(query);
      await queries.refresh();
      expect(query.getSnapshot().data).toBe(before.data);
      expect(states.map(({ isLoading }) => isLoading)).toEqual([false, true, false]);
      await rename(uniqueName('Cycle'));
      await queries.refresh();
      expect(query.getSnapshot().data).not.toBe(before.data);
      expect(query.getSnapshot().etag).not.toBe(before.etag);
      expect(
        relay.requestsOf(operation).every(({ headers }) => !('if-none-match' in headers)),
      ).toBe(true);
    });

    it('queries with subscribers are read again at once, and the others with their next one', async () => {
      const watched = cycleQuery();
      const left = queries.query('/enums');
      watch(left);
      watch(watched);
      await loaded(left);
      await loaded(watched);
      unsubscribes.shift()?.();
      await Promise.resolve();
      await queries.refresh();
      expect(relay.requestsOf(operation)).toHaveLength(2);
      expect(relay.requestsOf('GET /enums')).toHaveLength(1);
      watch(left);
      await loaded(left);
      expect(relay.requestsOf('GET /enums')).toHaveLength(2);
    });

    it('a response that arrives after a later one does not replace it', async () => {
      const query = cycleQuery();
      const first = delayed();
      relay.inject(operation, first.fault);
      const states = watch(query);
      await requested(operation, 1);
      const name = uniqueName('Cycle');
      await rename(name);
      await query.refresh();
      first.release();
      await new Promise((resolve) => setTimeout(resolve, 50));
      expect(query.getSnapshot().data?.name).toBe(name);
      expect(states.map(({ data }) => data?.name)).not.toContain(cycle.name);
    });

    it('an earlier refresh of a query ends with the later one', async () => {
      const query = cycleQuery();
      watch(query);
      await loaded(query);
      relay.inject(operation, HANG, respondWithChanged({ name: 'The later one' }));
      const earlier = query.refresh();
      await requested(operation, 2);
      void query.refresh();
      await earlier;
      expect(query.getSnapshot()).toMatchObject({
        data: { name: 'The later one' },
        error: undefined,
      });
    });
  });

  describe('keeping', () => {
    const page = (number: number): Query<unknown> =>
      queries.query('/cycles', { params: { query: { page: number } } });

    it('at most 100 queries without subscribers are kept', () => {
      const watched = cycleQuery();
      watch(watched);
      const first = page(1);
      for (let number = 2; number <= 100; number++) page(number);
      expect(page(1)).toBe(first);
      page(101);
      expect(page(1)).not.toBe(first);
      expect(cycleQuery()).toBe(watched);
    });

    it('a query that was dropped is read again after writes when it has a subscriber', async () => {
      const dropped = page(1);
      for (let number = 2; number <= 101; number++) page(number);
      watch(dropped);
      await loaded(dropped);
      expect(page(1)).toBe(dropped);
      await queries.refresh();
      expect(relay.requestsOf('GET /cycles')).toHaveLength(2);
    });

    it('nothing is left after a sign-out', async () => {
      const watched = cycleQuery();
      const left = queries.query('/enums');
      const states = watch(watched);
      await loaded(watched);
      await left.refresh();
      const late = delayed();
      relay.inject(operation, late.fault);
      const refreshed = queries.refresh();
      await requested(operation, 2);
      queries.clear();
      await refreshed;
      late.release();
      const empty = { data: undefined, etag: undefined, error: undefined };
      expect(watched.getSnapshot()).toEqual({ ...empty, isLoading: false });
      expect(states.at(-1)).toBe(watched.getSnapshot());
      expect(left.getSnapshot()).toEqual({ ...empty, isLoading: true });
      expect(queries.query('/enums')).not.toBe(left);
      expect(cycleQuery()).toBe(watched);
      await new Promise((resolve) => setTimeout(resolve, 50));
      expect(relay.requestsOf(operation)).toHaveLength(2);
      await queries.refresh();
      expect(watched.getSnapshot().data).toEqual(cycle);
    });
  });

  describe('writing', () => {
    const CREATE = 'POST /payment-methods';
    const keysOf = (): unknown[] =>
      relay.requestsOf(CREATE).map(({ headers }) => headers['idempotency-key']);
    const newMethod = (): Schemas['CreatePaymentMethodDto'] => ({
      name: uniqueName('Card'),
      method_type: 'debit',
      default_currency: 'USD',
    });
    const countOf = async (name: string): Promise<number> =>
      (await client.GET('/payment-methods')).data.filter((each) => each.name === name).length;

    it('a write reads the queries again, and can be taken back and made again', async () => {
      const query = cycleQuery();
      watch(query);
      const { etag } = await loaded(query);
      const name = uniqueName('Cycle');
      const sent = await queries.send('PUT', '/cycles/{id}', {
        params: { path },
        body: { name },
        ifMatch: etag,
      });
      expect(sent.data.name).toBe(name);
      expect(sent.etag).not.toBe(etag);
      expect(sent.operationId).toBe(sent.response.headers.get('Operation-Id'));
      await shown(query, name);

      const undone = await queries.undo(sent.operationId ?? '');
      await shown(query, cycle.name);
      expect(undone.operationId).toBe(undone.data.operation_id);
      const redone = await queries.undo(undone.operationId ?? '');
      await shown(query, name);

      const { data } = await client.undoOperation(redone.operationId ?? '');
      expect(data.records.map(({ entity_id }) => entity_id)).toEqual([cycle.id]);
    });

    it('a write leaves what it does not change to the next page', async () => {
      const changed = cycleQuery();
      const left = queries.query('/enums');
      watch(changed);
      watch(left);
      await loaded(changed);
      await loaded(left);
      const body = { name: uniqueName('Cycle') };
      const refreshLater = ['/enums', '/budgets'] as const;
      await queries.send('PUT', '/cycles/{id}', { params: { path }, body, refreshLater });
      await shown(changed, body.name);
      expect(left.getSnapshot().isLoading).toBe(false);
      expect(relay.requestsOf('GET /enums')).toHaveLength(1);
      unsubscribes.pop()?.();
      watch(left);
      await loaded(left);
      expect(relay.requestsOf('GET /enums')).toHaveLength(2);
    });

    it('a request that was running at a write starts again, whatever the write leaves', async () => {
      const left = queries.query('/enums');
      const early = delayed();
      relay.inject('GET /enums', early.fault);
      watch(left);
      await requested('GET /enums', 1);
      const options = { params: { path }, body: { name: uniqueName('Cycle') } };
      await queries.send('PUT', '/cycles/{id}', { ...options, refreshLater: ['/enums'] });
      await loaded(left);
      early.release();
      expect(relay.requestsOf('GET /enums')).toHaveLength(2);
    });

    it('a write that finds changed data reads all of it again', async () => {
      const left = queries.query('/enums');
      watch(left);
      await loaded(left);
      const id = '00000000-0000-4000-8000-000000000000';
      const options = { params: { path: { id } }, body: { name: 'Gone' } };
      const sent = queries.send('PUT', '/cycles/{id}', { ...options, refreshLater: ['/enums'] });
      expect(isApiError(await errorOf(sent), 'CYCLE_NOT_FOUND')).toBe(true);
      await requested('GET /enums', 2);
    });

    it('a write that changes nothing has no operation that could be taken back', async () => {
      const sent = await queries.send('PUT', '/cycles/{id}', {
        params: { path },
        body: { name: cycle.name },
      });
      expect(sent.operationId).toBeUndefined();
    });

    it('a write with the tag of an older version is refused, and the present version is read', async () => {
      const query = cycleQuery();
      watch(query);
      const { etag } = await loaded(query);
      const name = uniqueName('Cycle');
      await rename(name);
      const update = { params: { path }, body: { name: 'Mine' }, ifMatch: etag };
      const error = await errorOf(queries.send('PUT', '/cycles/{id}', update));
      expect(isApiError(error, 'PRECONDITION_FAILED')).toBe(true);
      await shown(query, name);
      await queries.send('DELETE', '/cycles/{id}', {
        params: { path },
        ifMatch: query.getSnapshot().etag,
      });
      await shown(query, undefined);
    });

    it.each([
      ['the response is lost', LOSE_RESPONSE],
      ['the service is not reached', REFUSE],
      ['a proxy gives up', respondWith(504, 'Gateway Timeout')],
      ['the service is not available', respondWith(503, 'Service Unavailable')],
    ])('a write that is submitted again takes effect once, where %s', async (_, fault) => {
      const body = newMethod();
      relay.inject(CREATE, fault);
      expect(await errorOf(queries.send('POST', '/payment-methods', { body }))).toBeDefined();
      const { default_currency, method_type, name } = body;
      const again = { body: { name, default_currency, method_type } };
      const sent = await queries.send('POST', '/payment-methods', again);
      expect(sent.operationId).toBeDefined();
      const [first, second] = keysOf();
      expect(first).toMatch(/^[\da-f]{32}$/);
      expect(second).toBe(first);
      expect(await countOf(name)).toBe(1);
    });

    it('each submission has a key of its own', async () => {
      const path = { cycle_id: cycle.id };
      const { data: method } = await client.POST('/payment-methods', { body: newMethod() });
      const expense: Schemas['CreateExpenseDto'] = {
        ...{ description: 'Coffee', currency: 'USD', amount: '5.00', category: 'variable' },
        ...{ due_date: '2026-02-01', payment_method_id: method.id },
      };
      const add = (amount: string): Promise<unknown> =>
        queries.send('POST', '/cycles/{cycle_id}/expenses', {
          params: { path },
          body: { ...expense, amount },
        });
      await add('5.00');
      await add('5.00');
      relay.inject(`POST /cycles/${cycle.id}/expenses`, REFUSE);
      await errorOf(add('6.00'));
      await add('7.00');
      const keys = relay
        .requestsOf(`POST /cycles/${cycle.id}/expenses`)
        .map(({ headers }) => headers['idempotency-key']);
      expect(new Set(keys).size).toBe(4);
      const { data } = await client.GET('/cycles/{cycle_id}/expenses', { params: { path } });
      expect(data.expenses.map(({ amount }) => amount).sort()).toEqual(['5.00', '5.00', '7.00']);
    });

    it('a write that is submitted twice at once takes effect once', async () => {
      const patient = await clients.signUp();
      const both = new Queries(patient);
      const body = newMethod();
      const [first, second] = await Promise.all([
        both.send('POST', '/payment-methods', { body }),
        both.send('POST', '/payment-methods', { body }),
      ]);
      expect(second.data.id).toBe(first.data.id);
    });

    it('a write that is submitted again after ten minutes, or after a sign-out, is another one', async () => {
      const body = newMethod();
      relay.inject(CREATE, REFUSE, REFUSE, REFUSE, REFUSE);
      const submit = (): Promise<unknown> =>
        errorOf(queries.send('POST', '/payment-methods', { body }));
      await submit();
      await submit();
      const now = Date.now();
      jest.spyOn(Date, 'now').mockReturnValue(now + 10 * 60_000 + 1000);
      await submit();
      jest.restoreAllMocks();
      queries.clear();
      await submit();
      const [first, second, third, fourth] = keysOf();
      expect(second).toBe(first);
      expect(new Set([first, third, fourth]).size).toBe(3);
    });

    it('the key of the caller is sent in place of one of the submission', async () => {
      const header = { 'Idempotency-Key': 'of-the-caller' };
      await queries.send('POST', '/payment-methods', { params: { header }, body: newMethod() });
      expect(keysOf()).toEqual(['of-the-caller']);
    });

    it('a write that ends after a sign-out reads nothing', async () => {
      const query = cycleQuery();
      watch(query);
      await loaded(query);
      const late = delayed();
      relay.inject(CREATE, late.fault);
      const sent = queries.send('POST', '/payment-methods', { body: newMethod() });
      await requested(CREATE, 1);
      queries.clear();
      late.release();
      await sent;
      await new Promise((resolve) => setTimeout(resolve, 50));
      expect(relay.requestsOf(operation)).toHaveLength(1);
    });

    it('a write can be aborted', async () => {
      relay.inject(CREATE, HANG);
      const controller = new AbortController();
      const sent = errorOf(
        queries.send('POST', '/payment-methods', {
          body: newMethod(),
          signal: controller.signal,
        }),
      );
      await requested(CREATE, 1);
      const reason = new Error('The user left the page');
      controller.abort(reason);
      expect(await sent).toBe(reason);
    });
  });
});
