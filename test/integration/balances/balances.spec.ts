import { describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import type { Response } from 'supertest';
import { MAX_BALANCES } from '../../../src/balances/balance.entity.js';
import type {
  BalanceResponse,
  CreatedBalancesResponse,
} from '../../../src/balances/dto/balance.dto.js';
import type { PaymentMethodResponse } from '../../../src/payment-methods/dto/payment-method.dto.js';
import { operationOf, type Client } from '../../support/client.js';
import { expectError, expectInvalid, expectLimitReached } from '../../support/errors.js';
import { expectIntegrity } from '../../support/integrity.js';
import { race } from '../../support/races.js';
import { UNKNOWN_UUID } from '../../support/sample-entities.js';
import { useService } from '../../support/service.js';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const TIMESTAMP = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

const service = useService();

const read = (user: Client, id: string): Promise<BalanceResponse> => user.read(`/balances/${id}`);

const list = (user: Client, query = ''): Promise<BalanceResponse[]> =>
  user.read(`/balances${query}`);

const amountsOf = (balances: readonly BalanceResponse[]): string[] =>
  balances.map(({ amount }) => amount);

async function state(user: Client, body: object): Promise<CreatedBalancesResponse> {
  return (await user.post('/balances', body).expect(201)).body as CreatedBalancesResponse;
}

const referenceTo = ({ id, name, method_type }: PaymentMethodResponse): object => ({
  id,
  name,
  method_type,
});

const reasonsOf = (response: Response): unknown =>
  (response.body as { error: { details: { reasons?: unknown } } }).error.details.reasons;

const minutesFromNow = (minutes: number): string =>
  new Date(Date.now() + minutes * 60_000).toISOString();

/** Stores balances of a payment method beside those of requests. */
const store = (methodId: string, count: number): Promise<unknown> =>
  service.query(
    `INSERT INTO balances (household_id, user_id, payment_method_id, currency, amount, stated_at)
     SELECT household_id, user_id, id, default_currency, 1, now() - interval '1 year'
     FROM payment_methods, generate_series(1, $2::int) WHERE id = $1`,
    [methodId, count],
  );

describe('POST /balances', () => {
  it('states balances in the order of the request, each in the currency of its payment method', async () => {
    const user = await service.signUp();
    const dollars = await user.createPaymentMethod({ default_currency: 'USD' });
    const pesos = await user.createPaymentMethod({ default_currency: 'MXN' });
    const before = Date.now();
    const response = await user
      .post('/balances', {
        balances: [
          { payment_method_id: pesos.id.toUpperCase(), amount: '-18250.4' },
          { payment_method_id: dollars.id, amount: 12 },
        ],
      })
      .expect(201);
    const { balances, ...rest } = response.body as CreatedBalancesResponse;
    const [first] = balances;
    const fields = {
      id: expect.stringMatching(UUID) as unknown,
      stated_at: first?.stated_at,
      ...{ expected: null, difference: null },
      created_at: expect.stringMatching(TIMESTAMP) as unknown,
      updated_at: expect.stringMatching(TIMESTAMP) as unknown,
    };
    expect(balances).toEqual([
      { ...fields, payment_method: referenceTo(pesos), currency: 'MXN', amount: '-18250.40' },
      { ...fields, payment_method: referenceTo(dollars), currency: 'USD', amount: '12.00' },
    ]);
    expect(rest).toEqual({ unsettled: [], more: 0 });
    const statedAt = Date.parse(first?.stated_at ?? '');
    expect(statedAt).toBeGreaterThanOrEqual(before);
    expect(statedAt).toBeLessThanOrEqual(Date.now());
    for (const balance of balances) expect(await read(user, balance.id)).toEqual(balance);
    expect(response.get('ETag')).toBeUndefined();
    expect(operationOf(response)).toMatch(UUID);
    await expectIntegrity(service.dataSource);
  });

  it.each([
    ['0', '0.00'],
    ['-0', '0.00'],
    ['-0.00', '0.00'],
    [0, '0.00'],
    [-0.5, '-0.50'],
    ['-.5', '-0.50'],
    ['999999999.99', '999999999.99'],
    ['-999999999.99', '-999999999.99'],
  ])('accepts the amount %j', async (amount, stored) => {
    const user = await service.signUp();
    const balance = await user.createBalance({ amount });
    expect(balance.amount).toBe(stored);
    expect(await read(user, balance.id)).toEqual(balance);
    const record = await user.lastRecord('balance', balance.id);
    expect(record.changes.amount).toEqual({ from: null, to: stored });
  });

  it.each(['', '1e3', '--1', '-', '1.005', '1000000000', '-1000000000', null, true, {}])(
    'refuses the amount %j',
    async (amount) => {
      const user = await service.signUp();
      const { id: payment_method_id } = await user.createPaymentMethod();
      const response = await user.post('/balances', { balances: [{ payment_method_id, amount }] });
      expectInvalid(response, 'balances.0.amount');
    },
  );

  it('takes an instant as `paid_at` does, and one up to 5 minutes later than now as now', async () => {
    const user = await service.signUp();
    const earlier = await user.createBalance({ stated_at: '2026-01-25T20:11:09-06:00' });
    expect(earlier.stated_at).toBe('2026-01-26T02:11:09.000Z');
    const later = await user.createBalance({ stated_at: minutesFromNow(4.5) });
    expect(Date.parse(later.stated_at)).toBeLessThanOrEqual(Date.now());
    const refused = await user.post('/balances', {
      balances: [{ payment_method_id: UNKNOWN_UUID, amount: '1' }],
      stated_at: minutesFromNow(5.5),
    });
    expectInvalid(refused, 'stated_at');
    expect(reasonsOf(refused)).toEqual({ stated_at: ['out_of_order'] });
  });

  it('refuses a payment method twice, none, and more than 50', async () => {
    const user = await service.signUp();
    const { id } = await user.createPaymentMethod();
    const one = { payment_method_id: id, amount: '1' };
    const twice = await user.post('/balances', {
      balances: [one, { ...one, payment_method_id: id.toUpperCase() }],
    });
    expectInvalid(twice, 'balances.1.payment_method_id');
    expect(reasonsOf(twice)).toEqual({ 'balances.1.payment_method_id': ['repeated'] });
    const many = Array.from({ length: 51 }, () => ({ ...one, payment_method_id: randomUUID() }));
    for (const [balances, reason] of [
      [[], 'too_few'],
      [many, 'too_many'],
    ] as const) {
      const refused = await user.post('/balances', { balances });
      expect(reasonsOf(refused)).toEqual({ balances: [reason] });
    }
    const unknown = await user.post('/balances', { balances: [{ ...one, currency: 'USD' }], x: 1 });
    expectInvalid(unknown, 'balances.0.currency', 'x');
    expect(await list(user)).toEqual([]);
  });

  it('states 50 balances at once', async () => {
    const user = await service.signUp();
    const methods = await Promise.all(Array.from({ length: 50 }, () => user.createPaymentMethod()));
    const balances = methods.map(({ id }, n) => ({ payment_method_id: id, amount: String(n) }));
    const created = await state(user, { balances });
    expect(created.balances.map(({ payment_method }) => payment_method.id)).toEqual(
      methods.map(({ id }) => id),
    );
    // Of an equal instant, the one that was created later comes first.
    expect(await list(user)).toEqual(created.balances.toReversed());
  });

  it.each([
    ['of another household', false],
    ['of the same household', true],
  ])('does not find a payment method of a user %s, at its index', async (_kind, isShared) => {
    const owner = await service.signUp();
    const other = await (isShared ? service.signUpMember(owner) : service.signUp());
    const mine = await other.createPaymentMethod();
    const theirs = await owner.createPaymentMethod();
    for (const id of [theirs.id, UNKNOWN_UUID]) {
      const response = await other.post('/balances', {
        balances: [mine.id, id].map((payment_method_id) => ({ payment_method_id, amount: '1' })),
      });
      const details = { resource: 'payment_method', index: 1 } as const;
      expectError(response, 404, 'RESOURCE_NOT_FOUND', details);
    }
    expect(await list(other)).toEqual([]);
  });

  it('refuses an inactive payment method at its element, after the limit', async () => {
    const user = await service.signUp();
    const [active, inactive] = [await user.createPaymentMethod(), await user.createPaymentMethod()];
    await user.delete(`/payment-methods/${inactive.id}`).expect(204);
    const body = {
      balances: [active, inactive].map(({ id }) => ({ payment_method_id: id, amount: '1' })),
    };
    const refused = await user.post('/balances', body);
    const path = 'balances.1.payment_method_id';
    expectError(refused, 422, 'VALIDATION_ERROR', {
      fields: { [path]: [`${path} must be the id of an active payment method`] },
      reasons: { [path]: ['inactive'] },
      index: 1,
    });
    expect(await list(user)).toEqual([]);
    await store(active.id, MAX_BALANCES - 1);
    expectLimitReached(await user.post('/balances', body), 'balance', MAX_BALANCES);
    await user.createBalance({ payment_method_id: active.id });
    const [latest] = await list(user, '?limit=1');
    const one = { balances: [{ payment_method_id: active.id, amount: '1' }] };
    expectLimitReached(await user.post('/balances', one), 'balance', MAX_BALANCES);
    // A deleted one does not count.
    await user.delete(`/balances/${latest?.id ?? ''}`).expect(204);
    const second = await state(user, one);
    const deletion = (await user.activityOf('balance', latest?.id ?? '')).at(-1);
    const undo = await user.post(`/activity/${deletion?.id ?? ''}/undo`);
    expectLimitReached(undo, 'balance', MAX_BALANCES);
    await user.delete(`/balances/${second.balances[0]?.id ?? ''}`).expect(204);
    await user.undo(deletion ?? { id: '' });
    // Those that were stored without a record would be findings of the checks of other tests.
    await service.query('DELETE FROM balances WHERE payment_method_id = $1', [active.id]);
  });

  it('keeps its currency when the payment method gets another one', async () => {
    const user = await service.signUp();
    const method = await user.createPaymentMethod({ default_currency: 'MXN' });
    const { id } = await user.createBalance({ payment_method_id: method.id });
    await user.put(`/payment-methods/${method.id}`, { default_currency: 'USD' }).expect(200);
    expect(await read(user, id)).toMatchObject({ currency: 'MXN' });
    const second = await user.createBalance({ payment_method_id: method.id });
    expect(second).toMatchObject({ currency: 'USD', expected: null, difference: null });
  });

  it('two of one payment method at once are both stated, and the second expects the first', async () => {
    const user = await service.signUp();
    const { id: payment_method_id } = await user.createPaymentMethod();
    const bodies = ['10.00', '7.50'].map((amount) => ({ payment_method_id, amount }));
    const responses = await race(
      bodies.map((balance) => user.post('/balances', { balances: [balance] })),
    );
    expect(responses.map(({ status }) => status)).toEqual([201, 201]);
    const [later, earlier] = await list(user);
    expect(earlier).toMatchObject({ expected: null, difference: null });
    expect(later).toMatchObject({
      expected: earlier?.amount,
      difference: later?.amount === '10.00' ? '2.50' : '-2.50',
    });
  });

  it('several with the same payment methods in another order do not wait for each other forever', async () => {
    const user = await service.signUp();
    const methods = await Promise.all(Array.from({ length: 6 }, () => user.createPaymentMethod()));
    const balances = methods.map(({ id }) => ({ payment_method_id: id, amount: '1' }));
    const responses = await race(
      Array.from({ length: 6 }, (_, n) =>
        user.post('/balances', { balances: n % 2 ? balances : balances.toReversed() }),
      ),
    );
    expect(responses.map(({ status }) => status)).toEqual(Array(6).fill(201));
  });

  it('is sent again for the same key', async () => {
    const user = await service.signUp();
    const { id } = await user.createPaymentMethod();
    const body = { balances: [{ payment_method_id: id, amount: '1' }] };
    const key = randomUUID();
    const first = await user.post('/balances', body).set('Idempotency-Key', key).expect(201);
    const again = await user.post('/balances', body).set('Idempotency-Key', key).expect(201);
    expect(again.body).toEqual(first.body);
    expect(again.get('Idempotent-Replayed')).toBe('true');
    expect(operationOf(again)).toBe(operationOf(first));
    expect(await list(user)).toHaveLength(1);
  });
});

describe('the unsettled entries of POST /balances', () => {
  it('are the open ones with these payment methods until then, by date, as their endpoints show them', async () => {
    const user = await service.signUp({ time_zone: 'America/Mexico_City' });
    const method = await user.createPaymentMethod();
    const other = await user.createPaymentMethod();
    const unnamed = await user.createPaymentMethod();
    const chosen = { payment_method_id: method.id };
    const cycle = await user.createCycle();
    const expense = (due_date: string, body: object = {}): Promise<{ id: string }> =>
      user.createExpense(cycle.id, { ...chosen, due_date, ...body });
    const second = await expense('2026-01-20');
    const income = await user.createIncome(cycle.id, { ...chosen, income_date: '2026-01-20' });
    const first = await expense('2026-01-19', { payment_method_id: other.id });
    await expense('2026-01-22');
    await expense('2026-01-19', { payment_method_id: unnamed.id });
    await user.createIncome(cycle.id, { income_date: '2026-01-20' });
    const settle = async (status: string): Promise<unknown> =>
      user
        .put(`/cycles/${cycle.id}/expenses/${(await expense('2026-01-19')).id}`, { status })
        .expect(200);
    await settle('paid');
    await settle('cancelled');
    const received = await user.createIncome(cycle.id, { ...chosen, income_date: '2026-01-20' });
    await user.put(`/cycles/${cycle.id}/incomes/${received.id}`, { received: true }).expect(200);
    const deleted = await expense('2026-01-19');
    await user.delete(`/cycles/${cycle.id}/expenses/${deleted.id}`).expect(204);
    const completed = await user.createCycle();
    await user.createExpense(completed.id, { ...chosen, due_date: '2026-01-19' });
    await user.put(`/cycles/${completed.id}`, { status: 'completed' }).expect(200);

    const { unsettled, more } = await state(user, {
      balances: [method, other].map(({ id }) => ({ payment_method_id: id, amount: '1' })),
      // The 21st in Mexico.
      stated_at: '2026-01-22T05:59:59Z',
    });
    const path = `/cycles/${cycle.id}`;
    const shown = async (kind: 'expense' | 'income', id: string): Promise<object> => ({
      entity_type: `cycle_${kind}`,
      ...(await user.read<object>(`${path}/${kind}s/${id}`)),
    });
    expect(unsettled).toEqual([
      await shown('expense', first.id),
      await shown('expense', second.id),
      await shown('income', income.id),
    ]);
    expect(more).toBe(0);
  });

  it('are the first 20, and how many more', async () => {
    const user = await service.signUp();
    const { id: payment_method_id } = await user.createPaymentMethod();
    const { id } = await user.createCycle();
    const dates = Array.from(
      { length: 23 },
      (_, n) => `2026-02-${String(23 - n).padStart(2, '0')}`,
    );
    for (const due_date of dates) await user.createExpense(id, { payment_method_id, due_date });
    const balances = [{ payment_method_id, amount: '1' }];
    const { unsettled, more } = await state(user, { balances, stated_at: '2026-02-24T00:00:00Z' });
    expect(unsettled.map((entry) => 'due_date' in entry && entry.due_date)).toEqual(
      dates.toReversed().slice(0, 20),
    );
    expect(more).toBe(3);
  });
});

describe('GET /balances', () => {
  it('lists the latest first, filtered and in pages that a deletion does not change', async () => {
    const user = await service.signUp();
    const [one, two] = [await user.createPaymentMethod(), await user.createPaymentMethod()];
    const balance = (amount: string, method: { id: string }, stated_at: string): Promise<object> =>
      user.createBalance({ payment_method_id: method.id, amount, stated_at });
    await balance('3', one, '2026-01-03T00:00:00Z');
    await balance('1', one, '2026-01-01T00:00:00Z');
    await balance('2.1', two, '2026-01-02T00:00:00Z');
    await balance('2.2', one, '2026-01-02T00:00:00Z');
    const all = await list(user);
    expect(amountsOf(all)).toEqual(['3.00', '2.20', '2.10', '1.00']);
    expect(amountsOf(await list(user, `?payment_method_id=${two.id}`))).toEqual(['2.10']);
    expect(await list(user, `?payment_method_id=${UNKNOWN_UUID}`)).toEqual([]);
    expect(await list(user, `?before=${UNKNOWN_UUID}`)).toEqual([]);

    const first = await user.get(`/balances?limit=2&payment_method_id=${one.id}`).expect(200);
    expect(amountsOf(first.body as BalanceResponse[])).toEqual(['3.00', '2.20']);
    const last = (first.body as BalanceResponse[]).at(-1)?.id ?? '';
    expect(first.get('Link')).toBe(
      `</api/v1/balances?limit=2&payment_method_id=${one.id}&before=${last}>; rel="next"`,
    );
    await user.delete(`/balances/${last}`).expect(204);
    const next = await user
      .get(`/balances?limit=2&payment_method_id=${one.id}&before=${last}`)
      .expect(200);
    expect(amountsOf(next.body as BalanceResponse[])).toEqual(['1.00']);
    expect(next.get('Link')).toBeUndefined();
    for (const wrong of ['limit=0', 'limit=201', 'before=x', 'payment_method_id=x']) {
      expectInvalid(await user.get(`/balances?${wrong}`), wrong.split('=')[0] ?? '');
    }
  });

  it("has no other user's, and does not go on from one of theirs", async () => {
    const owner = await service.signUp();
    const member = await service.signUpMember(owner);
    const theirs = await owner.createBalance();
    await member.createBalance({ stated_at: '2020-01-01T00:00:00Z' });
    expect(await list(member)).toHaveLength(1);
    expect(await list(member, `?before=${theirs.id}`)).toEqual([]);
    expect(await list(member, `?payment_method_id=${theirs.payment_method.id}`)).toEqual([]);
  });
});

describe('GET and DELETE /balances/{id}', () => {
  const notFound = (response: Response): string =>
    expectError(response, 404, 'RESOURCE_NOT_FOUND', { resource: 'balance' });

  it('DELETE is soft, guarded by If-Match, and hides the balance everywhere', async () => {
    const user = await service.signUp();
    const { id, updated_at } = await user.createBalance();
    const path = `/balances/${id}`;
    const tag = (await user.get(path).expect(200)).get('ETag') ?? '';
    expect(tag).toMatch(/^"[\w-]{43}"$/);
    const other = await user.delete(path).set('If-Match', '"other"');
    expectError(other, 412, 'PRECONDITION_FAILED', {});
    expectInvalid(await user.delete(path).set('If-Match', updated_at), 'If-Match');
    const deleted = await user.delete(path).set('If-Match', tag).expect(204);
    expect(operationOf(deleted)).toMatch(UUID);
    notFound(await user.get(path));
    notFound(await user.delete(path));
    notFound(await user.delete(path).set('If-Match', '"other"'));
    expect(await list(user)).toEqual([]);
    const actions = (await user.activityOf('balance', id)).map(({ action }) => action);
    expect(actions).toEqual(['created', 'deactivated']);
    await expectIntegrity(service.dataSource);
  });

  it('DELETE accepts the quoted updated_at', async () => {
    const user = await service.signUp();
    const { id, updated_at } = await user.createBalance();
    await user.delete(`/balances/${id}`).set('If-Match', `"${updated_at}"`).expect(204);
  });

  it("another user's balance is not found, also a member's, and there is no PUT", async () => {
    const owner = await service.signUp();
    const balance = await owner.createBalance();
    for (const other of [await service.signUpMember(owner), await service.signUp()]) {
      notFound(await other.get(`/balances/${balance.id}`));
      notFound(await other.delete(`/balances/${balance.id}`));
    }
    await owner.put(`/balances/${balance.id}`, {}).expect(405);
    expect(await read(owner, balance.id)).toEqual(balance);
  });
});
