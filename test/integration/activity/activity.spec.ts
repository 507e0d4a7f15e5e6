import { describe, expect, it } from '@jest/globals';
import type { ActivityResponse } from '../../../src/activity/dto/activity.dto.js';
import type { BudgetResponse } from '../../../src/budgets/dto/budget.dto.js';
import type { CyclePageResponse } from '../../../src/cycles/dto/cycle.dto.js';
import type { PaymentMethodResponse } from '../../../src/payment-methods/dto/payment-method.dto.js';
import type { ExpenseTemplateResponse } from '../../../src/templates/dto/expense-template.dto.js';
import type { UserResponse } from '../../../src/users/dto/user.dto.js';
import type { Client } from '../../support/client.js';
import { expectError, expectInvalid } from '../../support/errors.js';
import { useService } from '../../support/service.js';

type Fields = Record<string, unknown>;

const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000';

/**
 * Far in the future: expenses must not be overdue, because that status is derived and not recorded.
 */
const FUTURE_PERIOD = { start_date: '2998-01-19', end_date: '2998-03-01' };

/**
 * Converts a response to the fields of the log: without derived values, and with ids as references.
 */
function asLogged(representation: object): Fields {
  const fields: Fields = { active: true, ...representation };
  const method = fields.payment_method as { id: string } | undefined;
  if (method) fields.payment_method_id = method.id;
  delete fields.payment_method;
  if ('budget' in fields) {
    fields.budget_id = (fields.budget as { id: string } | null)?.id ?? null;
    delete fields.budget;
  }
  delete fields.remaining_balance;
  delete fields.summary;
  delete fields.planned_amount;
  return fields;
}

const fromNull = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).map(([field, to]) => [field, { from: null, to }]));

/**
 * Returns the state after all records, and expects each old value to be the one recorded before.
 */
function replay(records: ActivityResponse[]): Fields {
  const state: Fields = {};
  for (const { action, changes } of records) {
    for (const [field, { from, to }] of Object.entries(changes)) {
      expect([action, field, from]).toEqual([action, field, state[field] ?? null]);
      state[field] = to;
    }
  }
  return state;
}

const ignoringUpdatedAt = (fields: Fields): Fields => ({ ...fields, updated_at: undefined });

const actionsOf = (records: ActivityResponse[]): string[] => records.map(({ action }) => action);

describe('activity', () => {
  const service = useService();

  const feed = async (user: Client, query: string): Promise<ActivityResponse[]> =>
    (await user.get(`/activity?${query}`).expect(200)).body as ActivityResponse[];

  /** A cycle with an expense on each day, generated in one transaction: 43 records. */
  async function createCycleWithManyRecords(user: Client): Promise<string> {
    await user.createTemplate({
      recurrence_type: 'bi_weekly',
      recurrence_config: { interval_days: 1 },
    });
    return (await user.createCycle()).id;
  }

  describe('GET /activity', () => {
    it('GET /activity returns the activity of an entity, newest first', async () => {
      const user = await service.signUp({ first_name: 'Ana' });
      const { id } = await user.createCycle();
      await user.createCycle();
      await user.put(`/cycles/${id}`, { name: 'Spring' }).expect(200);
      await user.put(`/cycles/${id}`, { status: 'completed' }).expect(200);
      const records = await feed(user, `entity_type=cycle&entity_id=${id}`);
      expect(actionsOf(records)).toEqual(['completed', 'updated', 'created']);

      const me = (await user.get('/auth/me').expect(200)).body as UserResponse;
      const [household] = await service.query<{ household_id: string }>(
        'SELECT household_id FROM users WHERE id = $1',
        [me.id],
      );
      expect(records[0]).toEqual({
        id: expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
        household_id: household?.household_id,
        entity_type: 'cycle',
        entity_id: id,
        cycle_id: id,
        actor_user_id: me.id,
        action: 'completed',
        changes: { status: { from: 'draft', to: 'completed' } },
        undoes: null,
        operation_id: expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
        created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        actor: { id: me.id, email: user.email, first_name: 'Ana', last_name: null },
      });
    });

    it('GET /activity returns the activity of a cycle and its expenses, deleted ones too', async () => {
      const user = await service.signUp();
      const { id } = await user.createCycle();
      const first = await user.createExpense(id);
      const second = await user.createExpense(id);
      await user.createExpense((await user.createCycle()).id);
      await user.delete(`/cycles/${id}/expenses/${first.id}`).expect(204);
      const records = await feed(user, `cycle_id=${id}`);
      const events = records.map(({ entity_type, entity_id, action }) => [
        entity_type,
        entity_id,
        action,
      ]);
      expect(events).toEqual([
        ['cycle_expense', first.id, 'deactivated'],
        ['cycle_expense', second.id, 'created'],
        ['cycle_expense', first.id, 'created'],
        ['cycle', id, 'created'],
      ]);
      expect(new Set(records.map(({ cycle_id }) => cycle_id))).toEqual(new Set([id]));
    });

    it('GET /activity applies both scopes when both are given', async () => {
      const user = await service.signUp();
      const { id } = await user.createCycle();
      const other = await user.createCycle();
      const expense = await user.createExpense(id);
      const entity = `entity_type=cycle_expense&entity_id=${expense.id}`;
      expect(await feed(user, `${entity}&cycle_id=${id}`)).toEqual(await feed(user, entity));
      expect(await feed(user, `${entity}&cycle_id=${other.id}`)).toEqual([]);
      expect(await feed(user, `entity_type=cycle&entity_id=${expense.id}`)).toEqual([]);
    });

    it('GET /activity is empty without a scope, for an incomplete scope and for unknown entities', async () => {
      const user = await service.signUp();
      const { id } = await user.createCycle();
      for (const query of [
        '',
        'limit=10',
        'entity_type=cycle',
        `entity_id=${id}`,
        `cycle_id=${UNKNOWN_ID}`,
        `entity_type=cycle&entity_id=${UNKNOWN_ID}`,
      ]) {
        expect(await feed(user, query)).toEqual([]);
      }
    });

    it.each([
      ...['payment_method', 'recurrent_expense', 'recurrent_income', 'cycle', 'cycle_expense'],
      ...['cycle_income', 'comment', 'budget', 'balance'],
    ])('GET /activity accepts the entity type %s, like comments', async (entityType) => {
      const user = await service.signUp();
      for (const path of ['activity', 'comments']) {
        const query = `entity_type=${entityType}&entity_id=${UNKNOWN_ID}`;
        expect((await user.get(`/${path}?${query}`).expect(200)).body).toEqual([]);
      }
    });

    it('GET /activity returns no records to another household', async () => {
      const user = await service.signUp();
      const { id } = await user.createCycle();
      const [record] = await feed(user, `cycle_id=${id}`);
      const other = await service.signUp();
      const own = await other.createCycle();
      for (const query of [`cycle_id=${id}`, `entity_type=cycle&entity_id=${id}`]) {
        expect(await feed(other, query)).toEqual([]);
      }
      expect(await feed(other, `cycle_id=${own.id}&before=${record?.id ?? ''}`)).toEqual([]);
    });

    it.each([
      ['limit', '0'],
      ['limit', '201'],
      ['limit', '-1'],
      ['limit', '1.5'],
      ['limit', 'ten'],
      ['limit', ''],
      ['limit', '5&limit=6'],
      ['entity_type', 'user'],
      ['entity_id', '7'],
      ['cycle_id', 'latest'],
      ['before', 'latest'],
    ])('GET /activity refuses %s=%s', async (name, value) => {
      const user = await service.signUp();
      expectInvalid(await user.get(`/activity?${name}=${value}`), name);
    });
  });

  describe('the pages of a feed', () => {
    it('the pages of a feed have 50 records by default and at most 200', async () => {
      const user = await service.signUp();
      await createCycleWithManyRecords(user);
      const id = await createCycleWithManyRecords(user);
      const all = await feed(user, `cycle_id=${id}&limit=200`);
      expect(all).toHaveLength(85);
      expect(await feed(user, `cycle_id=${id}`)).toEqual(all.slice(0, 50));
    });

    it.each([
      [1, 43],
      [20, 3],
      [42, 2],
      [43, 1],
      [44, 1],
    ])(
      'the pages of a feed of %i return every record once, in order, on %i pages',
      async (limit, pages) => {
        const user = await service.signUp();
        const id = await createCycleWithManyRecords(user);
        const all = await feed(user, `cycle_id=${id}&limit=200`);
        const readPages: ActivityResponse[][] = [];
        let next: string | undefined = `/activity?cycle_id=${id}&limit=${limit}`;
        while (next !== undefined) {
          const response = await user.get(next).expect(200);
          readPages.push(response.body as ActivityResponse[]);
          const { link } = response.headers as { link?: string };
          next = link && /^<\/api\/v1(\/activity\?.*)>; rel="next"$/.exec(link)?.[1];
        }
        expect(readPages.flat()).toEqual(all);
        expect(readPages).toHaveLength(pages);
      },
    );

    it('the pages of a feed keep the order of the records of one transaction', async () => {
      const user = await service.signUp();
      const id = await createCycleWithManyRecords(user);
      const { expenses } = await user.expenses(id);
      const records = (await feed(user, `cycle_id=${id}`)).reverse();
      const ids = records.map(({ entity_id }) => entity_id);
      expect(ids).toEqual([id, ...expenses.map((expense) => expense.id)]);
      expect(new Set(actionsOf(records))).toEqual(new Set(['created']));
    });
  });

  describe('the recorded changes', () => {
    it('the recorded changes of a created payment method, budget, template, cycle and expense are all fields from null', async () => {
      const user = await service.signUp();
      const method = await user.createPaymentMethod({ description: 'Nómina' });
      const budget = await user.createBudget({ limit: '400.00' });
      const chosen = { payment_method_id: method.id, budget_id: budget.id };
      const template = await user.createTemplate(chosen);
      const cycle = await user.createCycle({ generate_from_templates: false });
      expect(cycle.budget_limits).toEqual([{ budget_id: budget.id, limit: '400.00' }]);
      const fields = { ...chosen, currency: 'MXN', comments: 'Late' };
      const expense = await user.createExpense(cycle.id, fields);
      for (const [type, entity, cycleId] of [
        ['payment_method', method, null],
        ['budget', budget, null],
        ['recurrent_expense', template, null],
        ['cycle', cycle, cycle.id],
        ['cycle_expense', expense, cycle.id],
      ] as const) {
        const records = await user.activityOf(type, entity.id);
        expect(records).toHaveLength(1);
        expect(records[0]).toMatchObject({ action: 'created', cycle_id: cycleId });
        expect(records[0]?.changes).toEqual(fromNull(asLogged(entity)));
      }
    });

    it('the recorded changes of a cycle are its stored fields with `active`, and no derived value', async () => {
      const user = await service.signUp();
      const { id } = await user.createCycle();
      const [record] = await user.activityOf('cycle', id);
      expect(Object.keys(record?.changes ?? {}).sort()).toEqual([
        ...['active', 'budget_limits', 'created_at', 'end_date', 'id', 'income_amount', 'name'],
        ...['side', 'start_date', 'status', 'updated_at'],
      ]);
      await user.createExpense(id);
      expect(await user.activityOf('cycle', id)).toEqual([record]);
    });

    it('the recorded changes of a generated expense are its creation, with the template', async () => {
      const user = await service.signUp();
      const template = await user.createTemplate();
      const { id } = await user.createCycle(FUTURE_PERIOD);
      const { expenses } = await user.expenses(id);
      expect(expenses).toHaveLength(2);
      for (const expense of expenses) {
        const [record] = await user.activityOf('cycle_expense', expense.id);
        expect(record?.changes).toEqual(fromNull(asLogged(expense)));
        expect(record?.changes.template_id).toEqual({ from: null, to: template.id });
      }
    });

    it('the recorded changes of a deleted cycle are its deactivation and that of each expense it still had', async () => {
      const user = await service.signUp();
      const { id } = await user.createCycle();
      const deletedExpense = await user.createExpense(id);
      const kept = [await user.createExpense(id), await user.createExpense(id)];
      await user.delete(`/cycles/${id}/expenses/${deletedExpense.id}`).expect(204);
      const before = await feed(user, `cycle_id=${id}`);
      await user.delete(`/cycles/${id}`).expect(204);

      const after = await feed(user, `cycle_id=${id}`);
      const added = after.slice(0, -before.length).reverse();
      expect(added.map(({ entity_id }) => entity_id)).toEqual([id, ...kept.map((e) => e.id)]);
      for (const { action, changes } of added) {
        expect([action, changes]).toEqual(['deactivated', { active: { from: true, to: false } }]);
      }
    });

    it('a failed mutation records no changes', async () => {
      const user = await service.signUp();
      const cycle = await user.createCycle({ name: 'Spring' });
      const { id } = await user.createCycle();
      const expense = await user.createExpense(id);
      const method = await user.createPaymentMethod();
      const path = `/cycles/${id}/expenses/${expense.id}`;
      const count = 'SELECT count(*)::int FROM activity_log';
      const before = await service.query(count);

      const tiny = { currency: 'MXN', amount: '0.01' };
      const { name, method_type, default_currency } = method;
      const duplicate = await user.post('/payment-methods', {
        name,
        method_type,
        default_currency,
      });
      expectError(duplicate, 409, 'RESOURCE_CONFLICT');
      const taken = await user.put(`/cycles/${id}`, { name: cycle.name, status: 'completed' });
      expectError(taken, 409, 'CYCLE_NAME_EXISTS');
      expectError(await user.put(path, tiny), 422, 'CURRENCY_CONVERSION_ERROR');
      expectInvalid(await user.put(path, { paid: true, status: 'pending' }), 'paid', 'status');
      expectError(await user.delete(`/cycles/${UNKNOWN_ID}`), 404, 'CYCLE_NOT_FOUND');
      expect(await service.query(count)).toEqual(before);
    });
  });

  it('activity replays to the current state of every entity', async () => {
    const user = await service.signUp();
    const put = (path: string, body: object) => user.put(path, body).expect(200);

    const card = await user.createPaymentMethod({ description: 'Nómina' });
    const cash = await user.createPaymentMethod({ method_type: 'cash' });
    await put(`/payment-methods/${card.id}`, { name: 'Tarjeta', description: null });
    const groceries = await user.createBudget({ limit: '400.00' });
    const fun = await user.createBudget();
    await put(`/budgets/${groceries.id}`, { name: 'Súper', limit: null });
    const rent = await user.createTemplate({ payment_method_id: card.id, autopay_info: 'Auto' });
    const food = await user.createTemplate({ currency: 'MXN', base_amount: '812.35' });
    const { id: deletedId } = await user.createCycle();
    await put(`/expense-templates/${rent.id}`, {
      recurrence_type: 'weekly',
      recurrence_config: { day_of_week: 1 },
      base_amount: '99.5',
      payment_method_id: cash.id,
      autopay_info: null,
      budget_id: groceries.id,
    });
    await user.delete(`/expense-templates/${food.id}`).expect(204);
    await user.delete(`/payment-methods/${card.id}`).expect(204);
    await put(`/payment-methods/${card.id}`, { active: true, default_currency: 'MXN' });
    await user.delete(`/payment-methods/${cash.id}`).expect(204);
    await user.delete(`/budgets/${groceries.id}`).expect(204);
    await put(`/budgets/${groceries.id}`, { active: true, limit: '300.00' });

    const { id } = await user.createCycle(FUTURE_PERIOD);
    await put(`/cycles/${id}`, { status: 'active', income_amount: '1.5', name: 'Spring' });
    await put(`/cycles/${id}`, { budget_limits: [{ budget_id: fun.id, limit: 5 }] });
    const manual = await user.createExpense(id, { comments: 'Late', due_date: '2998-01-01' });
    const { expenses } = await user.expenses(id);
    const [, first = manual, second = manual, third = manual] = expenses;
    const at = (expense: { id: string }): string => `/cycles/${id}/expenses/${expense.id}`;
    await put(at(first), { paid: true, amount: '7', currency: 'MXN' });
    await put(at(first), { paid_at: '2026-02-01T12:00:00-06:00', payment_method_id: card.id });
    await put(at(first), { status: 'overdue', due_date: '2998-02-03' });
    await put(at(second), { status: 'cancelled' });
    await put(at(second), { paid: true });
    await put(at(second), { paid: false, category: 'variable', budget_id: fun.id });
    await put(at(second), { budget_id: null });
    await put(at(manual), { comments: null, autopay_info: 'Domiciliado', description: 'Lunch' });
    await put(at(manual), {});
    await user.delete(at(third)).expect(204);
    await user.delete(`/cycles/${deletedId}`).expect(204);
    await put(`/cycles/${id}`, { status: 'completed', end_date: '2998-02-28' });

    const present = {
      payment_method: (await user.get('/payment-methods')).body as PaymentMethodResponse[],
      budget: (await user.get('/budgets')).body as BudgetResponse[],
      recurrent_expense: (await user.get('/expense-templates')).body as ExpenseTemplateResponse[],
      cycle: ((await user.get('/cycles')).body as CyclePageResponse).cycles,
      cycle_expense: (await user.expenses(id)).expenses,
    };
    for (const [type, entities] of Object.entries(present)) {
      for (const entity of entities) {
        const state = replay(await user.activityOf(type, entity.id));
        expect(ignoringUpdatedAt(state)).toEqual(ignoringUpdatedAt(asLogged(entity)));
      }
    }
    const counts = Object.values(present).map(({ length }) => length);
    expect(counts).toEqual([4, 2, 2, 1, expenses.length - 1]);

    for (const [type, { id: entityId }, actions] of [
      ['payment_method', card, ['created', 'updated', 'deactivated', 'reactivated']],
      ['budget', groceries, ['created', 'updated', 'deactivated', 'reactivated']],
      ['recurrent_expense', rent, ['created', 'updated']],
      ['recurrent_expense', food, ['created', 'deactivated']],
      ['cycle', { id }, ['created', 'updated', 'updated', 'completed']],
      ['cycle_expense', first, ['created', 'marked_paid', 'updated', 'marked_unpaid']],
      [
        'cycle_expense',
        second,
        ['created', 'status_changed', 'marked_paid', 'marked_unpaid', 'updated'],
      ],
      ['cycle_expense', manual, ['created', 'updated']],
    ] as const) {
      expect(actionsOf(await user.activityOf(type, entityId))).toEqual(actions);
    }
    for (const [type, entityId] of [
      ['cycle', deletedId],
      ['cycle_expense', third.id],
    ] as const) {
      expect(replay(await user.activityOf(type, entityId))).toMatchObject({ active: false });
    }
  });

  it.each([
    `UPDATE activity_log SET action = 'updated'`,
    `DELETE FROM activity_log`,
    `TRUNCATE activity_log`,
    `TRUNCATE activity_log CASCADE`,
  ])('activity is immutable: the database refuses %s', async (sql) => {
    const user = await service.signUp();
    const { id } = await user.createCycle();
    const records = await feed(user, `cycle_id=${id}`);
    await expect(service.query(sql)).rejects.toThrow(/append-only/);
    expect(await feed(user, `cycle_id=${id}`)).toEqual(records);
  });
});
