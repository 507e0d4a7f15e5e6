import { describe, expect, it } from '@jest/globals';
import type { ActivityResponse } from '../../../src/activity/dto/activity.dto.js';
import type { PaymentMethodResponse } from '../../../src/payment-methods/dto/payment-method.dto.js';
import type { UserResponse } from '../../../src/users/dto/user.dto.js';
import { uniqueName, type Client } from '../../support/client.js';
import { expectError, expectInvalid } from '../../support/errors.js';
import { useService } from '../../support/service.js';

const UNKNOWN_UUID = '00000000-0000-4000-8000-000000000000';
const PAST_TIME = '2020-01-01T00:00:00.000Z';
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const TIMESTAMP = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

/** The members of cards of one without statements. */
const NO_STATEMENTS = {
  ...{ closing_day: null, due_day: null, due_days_after: null, due_weekend_rule: 'keep' },
  ...{ first_closing_date: null, autopay: false, paid_from_id: null },
};

const service = useService();

async function read(user: Client, id: string): Promise<PaymentMethodResponse> {
  return (await user.get(`/payment-methods/${id}`).expect(200)).body as PaymentMethodResponse;
}

async function change(user: Client, id: string, body: object): Promise<PaymentMethodResponse> {
  const response = await user.put(`/payment-methods/${id}`, body).expect(200);
  return response.body as PaymentMethodResponse;
}

async function namesListed(user: Client, query = ''): Promise<string[]> {
  const response = await user.get(`/payment-methods${query}`).expect(200);
  return (response.body as PaymentMethodResponse[]).map(({ name }) => name);
}

const activityOf = (user: Client, id: string): Promise<ActivityResponse[]> =>
  user.activityOf('payment_method', id);

async function actionsOn(user: Client, id: string): Promise<string[]> {
  return (await activityOf(user, id)).map(({ action }) => action);
}

async function backdate(id: string): Promise<void> {
  await service.query('UPDATE payment_methods SET updated_at = $1 WHERE id = $2', [PAST_TIME, id]);
}

/** The recorded changes of a creation: every field from null. */
const fromNull = (created: object): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(created).map(([field, to]: [string, unknown]) => [field, { from: null, to }]),
  );

/** A valid body with a unique name. */
const newMethod = (): Record<string, unknown> => ({
  name: uniqueName('Account'),
  method_type: 'debit',
  default_currency: 'MXN',
});

describe('POST /payment-methods', () => {
  it('POST /payment-methods creates an active payment method, its texts trimmed', async () => {
    const user = await service.signUp();
    const response = await user
      .post('/payment-methods', {
        name: '  BBVA Débito 💳 ',
        method_type: 'debit',
        default_currency: 'MXN',
        description: ' Cuenta de nómina\n',
      })
      .expect(201);
    const created = response.body as PaymentMethodResponse;
    expect(created).toEqual({
      id: expect.stringMatching(UUID),
      name: 'BBVA Débito 💳',
      method_type: 'debit',
      default_currency: 'MXN',
      description: 'Cuenta de nómina',
      ...NO_STATEMENTS,
      active: true,
      created_at: expect.stringMatching(TIMESTAMP),
      updated_at: created.created_at,
    });
    expect(await read(user, created.id)).toEqual(created);
  });

  it.each(['debit', 'credit', 'cash', 'transfer'])(
    'POST /payment-methods accepts the type %s',
    async (method_type) => {
      const user = await service.signUp();
      expect(await user.createPaymentMethod({ method_type })).toMatchObject({ method_type });
    },
  );

  it.each([
    ['left out', undefined, null],
    ['null', null, null],
    ['empty', '', null],
    ['nothing but white space', ' \n ', null],
    ['500 characters', '😀'.repeat(500), '😀'.repeat(500)],
  ])(
    'POST /payment-methods accepts a description that is %s',
    async (_kind, description, stored) => {
      const user = await service.signUp();
      const { id } = await user.createPaymentMethod({ description });
      expect(await read(user, id)).toMatchObject({ description: stored });
    },
  );

  it('POST /payment-methods counts the characters of name and description', async () => {
    const user = await service.signUp();
    const body = { ...newMethod(), name: '😀'.repeat(101), description: '😀'.repeat(501) };
    expectInvalid(await user.post('/payment-methods', body), 'name', 'description');
    await user.createPaymentMethod({ name: '😀'.repeat(100) });
  });

  it('POST /payment-methods names every refused field at once, missing and unknown ones too', async () => {
    const user = await service.signUp();
    const response = await user.post('/payment-methods', { name: ' ', active: false, nmae: 'x' });
    expectInvalid(response, 'name', 'method_type', 'default_currency', 'active', 'nmae');
    expect(await namesListed(user)).toEqual([]);
  });

  it("POST /payment-methods refuses a name of the owner's other payment methods, and returns the existing one", async () => {
    const user = await service.signUp();
    const { id, name } = await user.createPaymentMethod();
    const response = await user.post('/payment-methods', { ...newMethod(), name: ` ${name} ` });
    const details = { resource: 'payment_method', id, active: true };
    expectError(response, 409, 'RESOURCE_CONFLICT', details);
    expect(await namesListed(user)).toEqual([name]);
  });

  it('POST /payment-methods refuses the name of a deleted payment method', async () => {
    const user = await service.signUp();
    const { id, name } = await user.createPaymentMethod();
    await user.delete(`/payment-methods/${id}`).expect(204);
    const response = await user.post('/payment-methods', { ...newMethod(), name });
    const details = { resource: 'payment_method', id, active: false };
    expectError(response, 409, 'RESOURCE_CONFLICT', details);
  });

  it("POST /payment-methods accepts the name of another user's payment method", async () => {
    const { name } = await (await service.signUp()).createPaymentMethod();
    const user = await service.signUp();
    expect(await user.createPaymentMethod({ name })).toMatchObject({ name });
  });

  it('POST /payment-methods accepts exactly one of two concurrent requests with the same name', async () => {
    const user = await service.signUp();
    const body = newMethod();
    const responses = await Promise.all([
      user.post('/payment-methods', body),
      user.post('/payment-methods', body),
    ]);
    responses.sort((a, b) => a.status - b.status);
    const [created, refused] = responses;
    expect(created.status).toBe(201);
    const { id } = created.body as PaymentMethodResponse;
    const details = { resource: 'payment_method', id, active: true };
    expectError(refused, 409, 'RESOURCE_CONFLICT', details);
    expect(await namesListed(user)).toEqual([body.name]);
    expect(await actionsOn(user, id)).toEqual(['created']);
  });
});

describe('GET /payment-methods', () => {
  it('GET /payment-methods lists active and inactive ones, newest first', async () => {
    const user = await service.signUp();
    const created: PaymentMethodResponse[] = [];
    for (let i = 0; i < 4; i++) created.unshift(await user.createPaymentMethod());
    const [last, deleted, ...others] = created as [PaymentMethodResponse, PaymentMethodResponse];
    await user.delete(`/payment-methods/${deleted.id}`).expect(204);
    const response = await user.get('/payment-methods').expect(200);
    expect(response.body).toEqual([last, await read(user, deleted.id), ...others]);
  });

  it('GET /payment-methods filters by active and by currency', async () => {
    const user = await service.signUp();
    const add = async (name: string, default_currency: string): Promise<string> =>
      (await user.createPaymentMethod({ name, default_currency })).id;
    await add('dollars', 'USD');
    await add('pesos', 'MXN');
    await user.delete(`/payment-methods/${await add('old dollars', 'USD')}`).expect(204);
    await user.delete(`/payment-methods/${await add('old pesos', 'MXN')}`).expect(204);

    expect(await namesListed(user, '?active=true')).toEqual(['pesos', 'dollars']);
    expect(await namesListed(user, '?active=false')).toEqual(['old pesos', 'old dollars']);
    expect(await namesListed(user, '?currency=USD')).toEqual(['old dollars', 'dollars']);
    expect(await namesListed(user, '?currency=MXN&active=true')).toEqual(['pesos']);
    expect(await namesListed(user, '?utm_source=mail')).toHaveLength(4);
  });

  it.each([
    ['active=1', 'active'],
    ['active=TRUE', 'active'],
    ['active=', 'active'],
    ['active=true&active=true', 'active'],
    ['currency=EUR', 'currency'],
    ['currency=usd', 'currency'],
    ['currency=', 'currency'],
    ['currency=USD&currency=MXN', 'currency'],
  ])('GET /payment-methods refuses the query %s', async (query, field) => {
    const user = await service.signUp();
    expectInvalid(await user.get(`/payment-methods?${query}`), field);
  });
});

describe('PUT /payment-methods/{id}', () => {
  it('changes only the given fields', async () => {
    const user = await service.signUp();
    const { id } = await user.createPaymentMethod({ description: 'Old' });
    await backdate(id);
    const before = await read(user, id);
    const changed = await change(user, id, { name: ' Nómina ', method_type: 'cash' });
    const { updated_at } = changed;
    expect(changed).toEqual({ ...before, name: 'Nómina', method_type: 'cash', updated_at });
    expect(updated_at > PAST_TIME).toBe(true);
    expect(await read(user, id)).toEqual(changed);
  });

  it.each([null, '', '  '])(
    'PUT /payment-methods/{id} clears the description with %j',
    async (description) => {
      const user = await service.signUp();
      const { id } = await user.createPaymentMethod({ description: 'Old' });
      expect(await change(user, id, { description })).toMatchObject({ description: null });
    },
  );

  it('PUT /payment-methods/{id} refuses null for every field that cannot be cleared', async () => {
    const user = await service.signUp();
    const { id } = await user.createPaymentMethod();
    const fields = ['name', 'method_type', 'default_currency', 'active'];
    const body = Object.fromEntries(fields.map((field) => [field, null]));
    expectInvalid(await user.put(`/payment-methods/${id}`, body), ...fields);
  });

  it('PUT /payment-methods/{id} refuses unknown fields, those that only the service sets too', async () => {
    const user = await service.signUp();
    const { id } = await user.createPaymentMethod();
    const body = { id, user_id: UNKNOWN_UUID, created_at: PAST_TIME, typo: 1 };
    const response = await user.put(`/payment-methods/${id}`, body);
    expectInvalid(response, 'id', 'user_id', 'created_at', 'typo');
  });

  it("PUT /payment-methods/{id} refuses the name of the owner's other payment methods, deleted ones too", async () => {
    const user = await service.signUp();
    const taken = await user.createPaymentMethod();
    const method = await user.createPaymentMethod();
    for (const active of [true, false]) {
      await change(user, taken.id, { active });
      const response = await user.put(`/payment-methods/${method.id}`, { name: taken.name });
      const details = { resource: 'payment_method', id: taken.id, active };
      expectError(response, 409, 'RESOURCE_CONFLICT', details);
    }
    expect(await read(user, method.id)).toEqual(method);
    expect(await actionsOn(user, method.id)).toEqual(['created']);
  });

  it('PUT /payment-methods/{id} accepts another case of its own name, and a name that is no longer used', async () => {
    const user = await service.signUp();
    const first = await user.createPaymentMethod({ name: 'Cash' });
    await change(user, first.id, { name: 'CASH' });
    expect(await user.createPaymentMethod({ name: 'Cash' })).toMatchObject({ name: 'Cash' });
  });

  it('PUT /payment-methods/{id} deletes and restores by `active`', async () => {
    const user = await service.signUp();
    const { id } = await user.createPaymentMethod();
    expect(await change(user, id, { active: false })).toMatchObject({ active: false });
    expect(await change(user, id, { active: true })).toMatchObject({ active: true });
    expect(await actionsOn(user, id)).toEqual(['created', 'deactivated', 'reactivated']);
  });

  it.each([
    ['nothing', {}],
    ['what is there already', { name: ' Same ', description: ' Same\n', active: true }],
  ])(
    'PUT /payment-methods/{id} records nothing and keeps updated_at for a body of %s',
    async (_kind, body) => {
      const user = await service.signUp();
      const { id } = await user.createPaymentMethod({ name: 'Same', description: 'Same' });
      await backdate(id);
      const before = await read(user, id);
      expect(await change(user, id, body)).toEqual(before);
      expect(await read(user, id)).toEqual({ ...before, updated_at: PAST_TIME });
      expect(await actionsOn(user, id)).toEqual(['created']);
    },
  );
});

describe('DELETE /payment-methods/{id}', () => {
  it('DELETE /payment-methods/{id} keeps the payment method readable, with `active` false and a new updated_at', async () => {
    const user = await service.signUp();
    const method = await user.createPaymentMethod();
    await backdate(method.id);
    const response = await user.delete(`/payment-methods/${method.id}`).expect(204);
    expect(response.text).toBe('');
    const deleted = await read(user, method.id);
    const { updated_at } = deleted;
    expect(deleted).toEqual({ ...method, active: false, updated_at });
    expect(updated_at > PAST_TIME).toBe(true);
  });

  it('DELETE /payment-methods/{id} returns 204 for an inactive one and records nothing', async () => {
    const user = await service.signUp();
    const { id } = await user.createPaymentMethod();
    await user.delete(`/payment-methods/${id}`).expect(204);
    await backdate(id);
    await user.delete(`/payment-methods/${id}`).expect(204);
    expect(await read(user, id)).toMatchObject({ updated_at: PAST_TIME });
    expect(await actionsOn(user, id)).toEqual(['created', 'deactivated']);
  });
});

describe("another user's payment method", () => {
  it.each([
    ['of another household', false],
    ['of the same household', true],
  ])('%s is not found and not changed', async (_kind, isShared) => {
    const owner = await service.signUp();
    const other = await (isShared ? service.signUpMember(owner) : service.signUp());
    const method = await owner.createPaymentMethod();
    const path = `/payment-methods/${method.id}`;
    for (const response of [
      await other.get(path),
      await other.put(path, { name: 'Mine' }),
      await other.put(path, {}),
      await other.delete(path),
    ]) {
      expectError(response, 404, 'RESOURCE_NOT_FOUND', { resource: 'payment_method' });
    }
    expect(await namesListed(other)).toEqual([]);
    expect(await read(owner, method.id)).toEqual(method);
    expect(await actionsOn(owner, method.id)).toEqual(['created']);
  });
});

describe('the activity of a payment method', () => {
  it('the activity of a payment method has the actor, the action and exactly the changed fields', async () => {
    const user = await service.signUp({ first_name: 'Ana', last_name: 'Ruiz' });
    const me = (await user.get('/auth/me')).body as UserResponse;
    const created = await user.createPaymentMethod({ name: 'Card', description: 'Blue' });
    const { id } = created;
    await change(user, id, { name: 'Card', description: null, default_currency: 'MXN' });
    await user.delete(`/payment-methods/${id}`).expect(204);
    await change(user, id, { active: true, method_type: 'credit' });

    const records = await activityOf(user, id);
    const [household] = await service.query<{ household_id: string }>(
      'SELECT household_id FROM users WHERE id = $1',
      [me.id],
    );
    const record = {
      id: expect.stringMatching(UUID) as unknown,
      household_id: household?.household_id,
      entity_type: 'payment_method',
      entity_id: id,
      cycle_id: null,
      actor_user_id: me.id,
      undoes: null,
      operation_id: expect.stringMatching(UUID) as unknown,
      created_at: expect.stringMatching(TIMESTAMP) as unknown,
      actor: { id: me.id, email: user.email, first_name: 'Ana', last_name: 'Ruiz' },
    };
    expect(records).toEqual([
      { ...record, action: 'created', changes: fromNull(created) },
      {
        ...record,
        action: 'updated',
        changes: {
          description: { from: 'Blue', to: null },
          default_currency: { from: 'USD', to: 'MXN' },
        },
      },
      { ...record, action: 'deactivated', changes: { active: { from: true, to: false } } },
      {
        ...record,
        action: 'reactivated',
        changes: {
          active: { from: false, to: true },
          method_type: { from: 'debit', to: 'credit' },
        },
      },
    ]);
  });
});
