import { describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import type { Response } from 'supertest';
import type { ActivityResponse } from '../../../src/activity/dto/activity.dto.js';
import { MAX_BUDGETS } from '../../../src/budgets/budget.entity.js';
import type { BudgetResponse } from '../../../src/budgets/dto/budget.dto.js';
import type { UserResponse } from '../../../src/users/dto/user.dto.js';
import { ChangesCopy, readChanges } from '../../support/changes-copy.js';
import { operationOf, uniqueName, type Client } from '../../support/client.js';
import { expectError, expectInvalid, expectLimitReached } from '../../support/errors.js';
import { expectIntegrity } from '../../support/integrity.js';
import { UNKNOWN_UUID } from '../../support/sample-entities.js';
import { useService } from '../../support/service.js';

const PAST_TIME = '2020-01-01T00:00:00.000Z';
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const TIMESTAMP = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

const service = useService();

const read = (user: Client, id: string): Promise<BudgetResponse> => user.read(`/budgets/${id}`);

async function change(user: Client, id: string, body: object): Promise<BudgetResponse> {
  return (await user.put(`/budgets/${id}`, body).expect(200)).body as BudgetResponse;
}

async function namesListed(user: Client, query = ''): Promise<string[]> {
  return (await user.read<BudgetResponse[]>(`/budgets${query}`)).map(({ name }) => name);
}

const activityOf = (user: Client, id: string): Promise<ActivityResponse[]> =>
  user.activityOf('budget', id);

async function actionsOn(user: Client, id: string): Promise<string[]> {
  return (await activityOf(user, id)).map(({ action }) => action);
}

async function backdate(id: string): Promise<void> {
  await service.query('UPDATE budgets SET updated_at = $1 WHERE id = $2', [PAST_TIME, id]);
}

/** The recorded changes of a creation: every field from null. */
const fromNull = (created: object): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(created).map(([field, to]: [string, unknown]) => [field, { from: null, to }]),
  );

describe('POST /budgets', () => {
  it('POST /budgets creates an active budget, its name trimmed and in NFC', async () => {
    const user = await service.signUp();
    const name = 'Despensa niños 🛒';
    const response = await user
      .post('/budgets', { name: `  ${name.normalize('NFD')} \n`, limit: '400.00' })
      .expect(201);
    const created = response.body as BudgetResponse;
    expect(created).toEqual({
      id: expect.stringMatching(UUID),
      name,
      limit: '400.00',
      currency: 'USD',
      active: true,
      created_at: expect.stringMatching(TIMESTAMP),
      updated_at: created.created_at,
    });
    expect(await read(user, created.id)).toEqual(created);
  });

  it.each([
    ['left out', undefined, null],
    ['null', null, null],
    ['a text', '400.5', '400.50'],
    ['a text without a zero before the point', '.5', '0.50'],
    ['a whole number', 400, '400.00'],
    ['a number with decimals', 400.25, '400.25'],
    ['the least amount', '0.01', '0.01'],
    ['the greatest amount', '999999999.99', '999999999.99'],
  ])('POST /budgets accepts a limit that is %s', async (_kind, limit, stored) => {
    const user = await service.signUp();
    const created = await user.createBudget({ limit });
    expect(created).toMatchObject({ limit: stored });
    expect(await read(user, created.id)).toEqual(created);
  });

  it.each([
    ...[0, '0', '0.00', -1, '-1.00', '400.001', 400.001, '1000000000', 1e21],
    ...['', ' ', 'x', '1e3', '4,5', '$400', true, [], ['400'], {}],
  ])('POST /budgets refuses the limit %j', async (limit) => {
    const user = await service.signUp();
    expectInvalid(await user.post('/budgets', { name: 'Despensa', limit }), 'limit');
    expect(await namesListed(user)).toEqual([]);
  });

  it('POST /budgets counts the characters of the name', async () => {
    const user = await service.signUp();
    expectInvalid(await user.post('/budgets', { name: '😀'.repeat(101) }), 'name');
    await user.createBudget({ name: '😀'.repeat(100) });
  });

  it('POST /budgets names every refused field at once, missing and unknown ones too', async () => {
    const user = await service.signUp();
    const response = await user.post('/budgets', { limit: 0, active: false, nmae: 'x' });
    expectInvalid(response, 'name', 'limit', 'active', 'nmae');
    for (const name of [null, ' ', '', 1]) {
      expectInvalid(await user.post('/budgets', { name }), 'name');
    }
    expect(await namesListed(user)).toEqual([]);
  });

  it("POST /budgets refuses a name of the owner's other budgets, and returns the existing one", async () => {
    const user = await service.signUp();
    const { id, name } = await user.createBudget({ name: 'Niñera' });
    for (const taken of [name, ` ${name} `, name.normalize('NFD')]) {
      const response = await user.post('/budgets', { name: taken, limit: '5.00' });
      const details = { resource: 'budget', id, active: true } as const;
      expectError(response, 409, 'RESOURCE_CONFLICT', details);
    }
    expect(await namesListed(user)).toEqual([name]);
    expect(await actionsOn(user, id)).toEqual(['created']);
  });

  it('POST /budgets refuses the name of a deleted budget', async () => {
    const user = await service.signUp();
    const { id, name } = await user.createBudget();
    await user.delete(`/budgets/${id}`).expect(204);
    const response = await user.post('/budgets', { name });
    const details = { resource: 'budget', id, active: false } as const;
    expectError(response, 409, 'RESOURCE_CONFLICT', details);
  });

  it("POST /budgets accepts the name of another user's budget, and of a payment method", async () => {
    const owner = await service.signUp();
    const { name } = await owner.createBudget();
    for (const user of [await service.signUp(), await service.signUpMember(owner)]) {
      await user.createPaymentMethod({ name });
      expect(await user.createBudget({ name })).toMatchObject({ name });
    }
  });

  it('POST /budgets accepts exactly one of two concurrent requests with the same name', async () => {
    const user = await service.signUp();
    const body = { name: uniqueName('Budget') };
    const responses = await Promise.all([
      user.post('/budgets', body),
      user.post('/budgets', { ...body, limit: '5.00' }),
    ]);
    responses.sort((a, b) => a.status - b.status);
    const [created, refused] = responses;
    expect(created.status).toBe(201);
    const { id } = created.body as BudgetResponse;
    const details = { resource: 'budget', id, active: true } as const;
    expectError(refused, 409, 'RESOURCE_CONFLICT', details);
    expect(await namesListed(user)).toEqual([body.name]);
    expect(await actionsOn(user, id)).toEqual(['created']);
  });

  it('POST /budgets creates one budget for requests with the same Idempotency-Key', async () => {
    const user = await service.signUp();
    const [key, body] = [randomUUID(), { name: 'Despensa', limit: 400 }];
    const send = (): Promise<Response> =>
      user.post('/budgets', body).set('Idempotency-Key', key).expect(201);
    const first = await send();
    await change(user, (first.body as BudgetResponse).id, { limit: '5.00' });
    const again = await send();
    expect(again.get('Idempotent-Replayed')).toBe('true');
    expect(again.text).toBe(first.text);
    expect(operationOf(again)).toBe(operationOf(first));
    expect(await namesListed(user)).toEqual(['Despensa']);
    const other = await user.post('/budgets', { name: 'Other' }).set('Idempotency-Key', key);
    expectError(other, 422, 'IDEMPOTENCY_KEY_REUSED');
  });

  it('POST /budgets accepts at most 50, active or not; a taken name is reported first', async () => {
    expect(MAX_BUDGETS).toBe(50);
    const user = await service.signUp();
    const other = await service.signUpMember(user);
    await other.createBudget();
    const { id, name } = await user.createBudget();
    for (let n = 2; n < MAX_BUDGETS; n += 1) {
      const more = await user.createBudget();
      if (n % 10 === 0) await user.delete(`/budgets/${more.id}`).expect(204);
    }
    const last = await user.createBudget();
    const state = await namesListed(user);
    expect(state).toHaveLength(MAX_BUDGETS);
    expectLimitReached(await user.post('/budgets', { name: 'New' }), 'budget', MAX_BUDGETS);
    const taken = { resource: 'budget', id, active: true } as const;
    expectError(await user.post('/budgets', { name }), 409, 'RESOURCE_CONFLICT', taken);
    await user.delete(`/budgets/${last.id}`).expect(204);
    expectLimitReached(await user.post('/budgets', { name: 'New' }), 'budget', MAX_BUDGETS);
    await change(user, last.id, { active: true });
    expect(await namesListed(user)).toEqual(state);
    await other.createBudget();
  });
});

describe('GET /budgets', () => {
  it('GET /budgets lists active and inactive ones, newest first', async () => {
    const user = await service.signUp();
    const created: BudgetResponse[] = [];
    for (const limit of [null, '1.00', 20, undefined]) {
      created.unshift(await user.createBudget({ limit }));
    }
    const [last, deleted, ...others] = created as [BudgetResponse, BudgetResponse];
    await user.delete(`/budgets/${deleted.id}`).expect(204);
    const listed = await user.read('/budgets');
    expect(listed).toEqual([last, await read(user, deleted.id), ...others]);
  });

  it('GET /budgets filters by active', async () => {
    const user = await service.signUp();
    expect(await namesListed(user)).toEqual([]);
    for (const name of ['food', 'old food', 'fun', 'old fun']) {
      const { id } = await user.createBudget({ name });
      if (name.startsWith('old')) await user.delete(`/budgets/${id}`).expect(204);
    }
    expect(await namesListed(user, '?active=true')).toEqual(['fun', 'food']);
    expect(await namesListed(user, '?active=false')).toEqual(['old fun', 'old food']);
    expect(await namesListed(user, '?utm_source=mail')).toHaveLength(4);
  });

  it.each(['active=1', 'active=TRUE', 'active=', 'active=none', 'active=true&active=true'])(
    'GET /budgets refuses the query %s',
    async (query) => {
      const user = await service.signUp();
      expectInvalid(await user.get(`/budgets?${query}`), 'active');
    },
  );
});

describe('PUT /budgets/{id}', () => {
  it('changes only the given fields', async () => {
    const user = await service.signUp();
    const { id } = await user.createBudget({ limit: '400.00' });
    await backdate(id);
    const before = await read(user, id);
    const changed = await change(user, id, { name: ` ${'Niñera'.normalize('NFD')} ` });
    expect(changed).toEqual({ ...before, name: 'Niñera', updated_at: changed.updated_at });
    expect(changed.updated_at > PAST_TIME).toBe(true);
    expect(await read(user, id)).toEqual(changed);
    const limited = await change(user, id, { limit: 300 });
    expect(limited).toEqual({ ...changed, limit: '300.00', updated_at: limited.updated_at });
    expect(limited.updated_at > changed.updated_at).toBe(true);
  });

  it('PUT /budgets/{id} clears the limit with null, and sets one', async () => {
    const user = await service.signUp();
    const { id } = await user.createBudget({ limit: '400.00' });
    expect(await change(user, id, { limit: null })).toMatchObject({ limit: null });
    expect(await change(user, id, { name: 'Despensa' })).toMatchObject({ limit: null });
    expect(await change(user, id, { limit: '.5' })).toMatchObject({ limit: '0.50' });
  });

  it('PUT /budgets/{id} refuses null for every field that cannot be cleared', async () => {
    const user = await service.signUp();
    const budget = await user.createBudget();
    const response = await user.put(`/budgets/${budget.id}`, { name: null, active: null });
    expectInvalid(response, 'name', 'active');
    expect(await read(user, budget.id)).toEqual(budget);
  });

  it.each([
    ['name', ' '],
    ['name', 'x'.repeat(101)],
    ['limit', 0],
    ['limit', '-5.00'],
    ['limit', '5.001'],
    ['limit', ''],
    ['active', 'true'],
    ['active', 1],
  ])('PUT /budgets/{id} refuses for %s the value %j', async (field, value) => {
    const user = await service.signUp();
    const { id } = await user.createBudget();
    expectInvalid(await user.put(`/budgets/${id}`, { [field]: value }), field);
    expect(await actionsOn(user, id)).toEqual(['created']);
  });

  it('PUT /budgets/{id} refuses unknown fields, those that only the service sets too', async () => {
    const user = await service.signUp();
    const { id } = await user.createBudget();
    const body = { id, user_id: UNKNOWN_UUID, created_at: PAST_TIME, cycle_limit: '1.00' };
    const response = await user.put(`/budgets/${id}`, body);
    expectInvalid(response, 'id', 'user_id', 'created_at', 'cycle_limit');
  });

  it("PUT /budgets/{id} refuses the name of the owner's other budgets, deleted ones too", async () => {
    const user = await service.signUp();
    const taken = await user.createBudget();
    const budget = await user.createBudget();
    for (const active of [true, false]) {
      await change(user, taken.id, { active });
      const response = await user.put(`/budgets/${budget.id}`, { name: taken.name });
      const details = { resource: 'budget', id: taken.id, active } as const;
      expectError(response, 409, 'RESOURCE_CONFLICT', details);
    }
    expect(await read(user, budget.id)).toEqual(budget);
    expect(await actionsOn(user, budget.id)).toEqual(['created']);
  });

  it('PUT /budgets/{id} gives a name to exactly one of two concurrent requests', async () => {
    const user = await service.signUp();
    const budgets = [await user.createBudget(), await user.createBudget()];
    const responses = await Promise.all(
      budgets.map(({ id }) => user.put(`/budgets/${id}`, { name: 'Despensa' })),
    );
    const changed = responses.filter(({ status }) => status === 200);
    const [refused] = responses.filter(({ status }) => status !== 200);
    expect(changed).toHaveLength(1);
    const { id } = changed[0]?.body as BudgetResponse;
    const details = { resource: 'budget', id, active: true } as const;
    if (refused) expectError(refused, 409, 'RESOURCE_CONFLICT', details);
    expect((await namesListed(user)).filter((name) => name === 'Despensa')).toHaveLength(1);
  });

  it('PUT /budgets/{id} accepts another case of its own name, and a name that is no longer used', async () => {
    const user = await service.signUp();
    const first = await user.createBudget({ name: 'Food' });
    await change(user, first.id, { name: 'FOOD' });
    expect(await user.createBudget({ name: 'Food' })).toMatchObject({ name: 'Food' });
  });

  it('PUT /budgets/{id} deletes and restores by `active`', async () => {
    const user = await service.signUp();
    const { id } = await user.createBudget({ limit: '5.00' });
    expect(await change(user, id, { active: false })).toMatchObject({ active: false });
    const restored = await change(user, id, { active: true });
    expect(restored).toMatchObject({ active: true, limit: '5.00' });
    expect(await actionsOn(user, id)).toEqual(['created', 'deactivated', 'reactivated']);
  });

  it.each([
    ['nothing', {}],
    ['what is there already', { name: ' Same ', limit: 400, active: true }],
  ])(
    'PUT /budgets/{id} records nothing and keeps updated_at for a body of %s',
    async (_kind, body) => {
      const user = await service.signUp();
      const { id } = await user.createBudget({ name: 'Same', limit: '400.00' });
      await backdate(id);
      const before = await read(user, id);
      const response = await user.put(`/budgets/${id}`, body).expect(200);
      expect(response.body).toEqual(before);
      expect(operationOf(response)).toBeUndefined();
      expect(await read(user, id)).toEqual({ ...before, updated_at: PAST_TIME });
      expect(await actionsOn(user, id)).toEqual(['created']);
    },
  );

  it('PUT /budgets/{id} leaves the limits of stored cycles alone; new cycles have the new one', async () => {
    const user = await service.signUp();
    const { id } = await user.createBudget({ limit: '400.00' });
    const limits = (limit: string): object[] => [{ budget_id: id, limit }];
    const cycle = await user.createCycle();
    expect(cycle).toMatchObject({ budget_limits: limits('400.00') });
    await change(user, id, { limit: '300.00' });
    expect(await user.createCycle()).toMatchObject({ budget_limits: limits('300.00') });
    await change(user, id, { limit: null });
    expect(await user.createCycle()).toMatchObject({ budget_limits: [] });
    await change(user, id, { limit: '200.00', active: false });
    expect(await user.createCycle()).toMatchObject({ budget_limits: [] });
    expect(await user.cycle(cycle.id)).toEqual(cycle);
  });
});

describe('DELETE /budgets/{id}', () => {
  it('DELETE /budgets/{id} keeps the budget readable, with `active` false and a new updated_at', async () => {
    const user = await service.signUp();
    const budget = await user.createBudget({ limit: '400.00' });
    await backdate(budget.id);
    const response = await user.delete(`/budgets/${budget.id}`).expect(204);
    expect(response.text).toBe('');
    const deleted = await read(user, budget.id);
    const { updated_at } = deleted;
    expect(deleted).toEqual({ ...budget, active: false, updated_at });
    expect(updated_at > PAST_TIME).toBe(true);
  });

  it('DELETE /budgets/{id} returns 204 for an inactive one and records nothing', async () => {
    const user = await service.signUp();
    const { id } = await user.createBudget();
    await user.delete(`/budgets/${id}`).expect(204);
    await backdate(id);
    const response = await user.delete(`/budgets/${id}`).expect(204);
    expect(operationOf(response)).toBeUndefined();
    expect(await read(user, id)).toMatchObject({ updated_at: PAST_TIME });
    expect(await actionsOn(user, id)).toEqual(['created', 'deactivated']);
  });

  it('DELETE /budgets/{id} leaves it to the templates and expenses that have it', async () => {
    const user = await service.signUp();
    const { id, name } = await user.createBudget();
    const template = await user.createTemplate({ budget_id: id });
    const { id: cycleId } = await user.createCycle();
    await user.createExpense(cycleId, { budget_id: id });
    await user.delete(`/budgets/${id}`).expect(204);
    const budget = { id, name };
    expect(await user.read(`/expense-templates/${template.id}`)).toMatchObject({ budget });
    const { expenses } = await user.expenses(cycleId);
    expect(expenses.map((expense) => expense.budget)).toEqual(expenses.map(() => budget));
    expect(expenses.length).toBeGreaterThan(1);
  });
});

describe("another user's budget", () => {
  it.each([
    ['of another household', false],
    ['of the same household', true],
  ])('%s is not found and not changed', async (_kind, isShared) => {
    const owner = await service.signUp();
    const other = await (isShared ? service.signUpMember(owner) : service.signUp());
    const budget = await owner.createBudget();
    const path = `/budgets/${budget.id}`;
    for (const response of [
      await other.get(path),
      await other.put(path, { name: 'Mine' }),
      await other.put(path, {}),
      await other.delete(path),
    ]) {
      expectError(response, 404, 'RESOURCE_NOT_FOUND', { resource: 'budget' });
    }
    expect(await namesListed(other)).toEqual([]);
    expect(await read(owner, budget.id)).toEqual(budget);
    expect(await actionsOn(owner, budget.id)).toEqual(['created']);
  });

  it('an unknown budget is not found, and an id that is no UUID is refused', async () => {
    const user = await service.signUp();
    for (const [id, expectRefusal] of [
      [
        UNKNOWN_UUID,
        (response: Response) =>
          expectError(response, 404, 'RESOURCE_NOT_FOUND', { resource: 'budget' }),
      ],
      ['none', (response: Response) => expectInvalid(response, 'id')],
    ] as const) {
      expectRefusal(await user.get(`/budgets/${id}`));
      expectRefusal(await user.put(`/budgets/${id}`, {}));
      expectRefusal(await user.delete(`/budgets/${id}`));
    }
  });
});

describe('the ETag of a budget', () => {
  const tagOf = (response: Response): string => {
    const tag = response.get('ETag') ?? '';
    expect(tag).toMatch(/^"[\w-]{43}"$/);
    return tag;
  };

  it('is that of its representation, and If-Match guards changes and deletions', async () => {
    const user = await service.signUp();
    const created = await user.post('/budgets', { name: 'Despensa' }).expect(201);
    const path = `/budgets/${(created.body as BudgetResponse).id}`;
    const old = tagOf(created);
    expect(tagOf(await user.get(path))).toBe(old);
    const changed = await user.put(path, { limit: 5 }).set('If-Match', old).expect(200);
    expect(tagOf(changed)).not.toBe(old);
    expect(tagOf(await user.get(path))).toBe(tagOf(changed));
    for (const refused of [
      await user.put(path, { limit: 6 }).set('If-Match', old),
      await user.put(path, {}).set('If-Match', '"other"'),
      await user.delete(path).set('If-Match', old),
    ]) {
      expectError(refused, 412, 'PRECONDITION_FAILED', {});
    }
    expect(await user.read(path)).toEqual(changed.body);
    const { updated_at } = changed.body as BudgetResponse;
    await user.delete(path).set('If-Match', `"${updated_at}"`).expect(204);
    expect(await user.read(path)).toMatchObject({ active: false, limit: '5.00' });
  });
});

describe('the activity of a budget', () => {
  it('the activity of a budget has the actor, the action and exactly the changed fields', async () => {
    const user = await service.signUp({ first_name: 'Ana', last_name: 'Ruiz' });
    const me = await user.read<UserResponse>('/auth/me');
    const created = await user.createBudget({ name: 'Despensa', limit: 400 });
    const { id } = created;
    await change(user, id, { name: 'Despensa', limit: null });
    await user.delete(`/budgets/${id}`).expect(204);
    await change(user, id, { active: true, name: 'Súper', limit: '300.00' });

    const records = await activityOf(user, id);
    const [household] = await service.query<{ household_id: string }>(
      'SELECT household_id FROM users WHERE id = $1',
      [me.id],
    );
    const record = {
      id: expect.stringMatching(UUID) as unknown,
      household_id: household?.household_id,
      entity_type: 'budget',
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
      { ...record, action: 'updated', changes: { limit: { from: '400.00', to: null } } },
      { ...record, action: 'deactivated', changes: { active: { from: true, to: false } } },
      {
        ...record,
        action: 'reactivated',
        changes: {
          name: { from: 'Despensa', to: 'Súper' },
          limit: { from: null, to: '300.00' },
          active: { from: false, to: true },
        },
      },
    ]);
    await expectIntegrity(service.dataSource);
  });

  it('the activity of a budget is read by members of the household, and by no others', async () => {
    const owner = await service.signUp();
    const { id } = await owner.createBudget();
    await change(owner, id, { limit: '5.00' });
    const records = await activityOf(owner, id);
    expect(records).toHaveLength(2);
    expect(await activityOf(await service.signUpMember(owner), id)).toEqual(records);
    expect(await activityOf(await service.signUp(), id)).toEqual([]);
  });

  it('the activity of a budget has the Operation-Id of the responses', async () => {
    const user = await service.signUp();
    const created = await user.post('/budgets', { name: 'Despensa' }).expect(201);
    const { id } = created.body as BudgetResponse;
    const changed = await user.put(`/budgets/${id}`, { limit: 5 }).expect(200);
    const deleted = await user.delete(`/budgets/${id}`).expect(204);
    const operations = (await activityOf(user, id)).map(({ operation_id }) => operation_id);
    expect(operations).toEqual([created, changed, deleted].map(operationOf));
    expect(new Set(operations).size).toBe(3);
    const undone = await user.undoOperation(deleted);
    expect(undone.records).toMatchObject([
      { entity_type: 'budget', entity_id: id, representation: await read(user, id) },
    ]);
    expect(await read(user, id)).toMatchObject({ active: true, limit: '5.00' });
  });

  it('POST /comments refuses a budget: it cannot be commented on', async () => {
    const user = await service.signUp();
    const { id } = await user.createBudget();
    const body = { entity_type: 'budget', entity_id: id, body: 'Why?' };
    expectInvalid(await user.post('/comments', body), 'entity_type');
    expect(await actionsOn(user, id)).toEqual(['created']);
  });
});

describe('the undo of a change of a budget', () => {
  const isNow = (budget: BudgetResponse): object => ({
    ...budget,
    updated_at: expect.stringMatching(TIMESTAMP),
  });

  it('the undo of a creation makes the budget inactive, whoever uses it, and can be undone', async () => {
    const user = await service.signUp();
    const budget = await user.createBudget({ limit: '400.00' });
    const { id, name } = budget;
    const template = await user.createTemplate({ budget_id: id });
    const { representation } = await user.undo(['budget', id]);
    expect(representation).toEqual({ ...isNow(budget), active: false });
    expect(await read(user, id)).toEqual(representation);
    expect(await user.lastRecord('budget', id)).toMatchObject({
      action: 'deactivated',
      changes: { active: { from: true, to: false } },
    });
    const used = await user.read(`/expense-templates/${template.id}`);
    expect(used).toMatchObject({ budget: { id, name } });
    expect((await user.undo(['budget', id])).representation).toEqual(isNow(budget));
    expect(await actionsOn(user, id)).toEqual(['created', 'deactivated', 'reactivated']);
    await expectIntegrity(service.dataSource);
  });

  it('the undo of an update gives the fields their values again, a limit of null too', async () => {
    const user = await service.signUp();
    const first = await user.createBudget({ name: 'Despensa', limit: '400.00' });
    const { id } = first;
    const second = await change(user, id, { name: 'Súper', limit: null });
    const third = await change(user, id, { limit: '5.00' });
    const [, update] = await activityOf(user, id);
    const refused = await user.post(`/activity/${update?.id}/undo`);
    expectError(refused, 409, 'RESOURCE_CONFLICT', {
      resource: 'budget',
      fields: { limit: [expect.any(String) as unknown as string] },
    });
    expect(await read(user, id)).toEqual(third);
    expect((await user.undo(['budget', id])).representation).toEqual(isNow(second));
    const undone = await user.undo(update ?? { id: '' });
    expect(undone.representation).toEqual(isNow(first));
    expect((await user.undo(['budget', id])).representation).toEqual(isNow(second));
    await expectIntegrity(service.dataSource);
  });

  it('the undo of a deletion restores the budget', async () => {
    const user = await service.signUp();
    const budget = await user.createBudget({ limit: '400.00' });
    await user.delete(`/budgets/${budget.id}`).expect(204);
    const deletion = await user.lastRecord('budget', budget.id);
    expect((await user.undo(deletion)).representation).toEqual(isNow(budget));
    expect(await user.lastRecord('budget', budget.id)).toMatchObject({
      action: 'reactivated',
      undoes: deletion.id,
      changes: { active: { from: false, to: true } },
    });
  });

  it('the undo of a new name is refused where the earlier one is taken meanwhile', async () => {
    const user = await service.signUp();
    const { id } = await user.createBudget({ name: 'First', limit: '5.00' });
    const changed = await change(user, id, { name: 'Second', limit: '6.00' });
    const other = await user.createBudget({ name: 'First' });
    const record = await user.lastRecord('budget', id);
    for (const active of [true, false]) {
      await change(user, other.id, { active });
      const details = { resource: 'budget', id: other.id, active } as const;
      const refused = await user.post(`/activity/${record.id}/undo`);
      expectError(refused, 409, 'RESOURCE_CONFLICT', details);
    }
    expect(await read(user, id)).toEqual(changed);
  });

  it("the undo of another user's record is a 404, also a member's", async () => {
    const owner = await service.signUp();
    const budget = await owner.createBudget();
    const { id } = await owner.lastRecord('budget', budget.id);
    for (const other of [await service.signUpMember(owner), await service.signUp()]) {
      const response = await other.post(`/activity/${id}/undo`);
      expectError(response, 404, 'RESOURCE_NOT_FOUND', { resource: 'activity_record' });
    }
    expect(await read(owner, budget.id)).toEqual(budget);
  });
});

describe('budgets in GET /changes', () => {
  it('GET /changes has active and inactive budgets in the first read, and of no other user', async () => {
    const owner = await service.signUp();
    await (await service.signUpMember(owner)).createBudget();
    const method = await owner.createPaymentMethod();
    const { id } = await owner.createBudget({ limit: '400.00' });
    const other = await owner.createBudget();
    await owner.delete(`/budgets/${id}`).expect(204);
    const { changes } = await readChanges(owner);
    expect(changes).toEqual(
      [
        { entity_type: 'payment_method', representation: method },
        { entity_type: 'budget', representation: await read(owner, id) },
        { entity_type: 'budget', representation: other },
      ].map((one) => ({
        ...one,
        entity_id: one.representation.id,
        cycle_id: null,
        deleted: false,
      })),
    );
  });

  it('GET /changes names a budget after each change of it, with its present state', async () => {
    const user = await service.signUp();
    const copy = new ChangesCopy(user);
    await copy.update();
    const { id } = await user.createBudget();
    const expectChange = async (): Promise<void> => {
      const representation = await read(user, id);
      const entity = { entity_type: 'budget', entity_id: id, cycle_id: null };
      expect(await copy.update()).toEqual([{ ...entity, deleted: false, representation }]);
    };
    await expectChange();
    await change(user, id, { limit: '5.00' });
    await change(user, id, { name: 'Despensa' });
    await expectChange();
    await user.delete(`/budgets/${id}`).expect(204);
    await expectChange();
    await user.undo(['budget', id]);
    await expectChange();
    await change(user, id, {});
    expect(await copy.update()).toEqual([]);
  });

  it('GET /changes lists budgets once on pages of one', async () => {
    const user = await service.signUp();
    const ids: string[] = [];
    for (let n = 0; n < 5; n += 1) ids.push((await user.createBudget()).id);
    // All at once, so that their order of creation alone orders them.
    await service.query(`UPDATE budgets SET created_at = $1 WHERE id = ANY($2)`, [PAST_TIME, ids]);
    const copy = new ChangesCopy(user, 1);
    await copy.update();
    expect([...copy.entities.keys()]).toEqual(ids.map((id) => `budget ${id}`));
    await copy.update();
    for (const id of ids) await change(user, id, { limit: '5.00' });
    expect((await copy.update()).map(({ entity_id }) => entity_id)).toEqual(ids);
  });
});
