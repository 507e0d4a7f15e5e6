import { describe, expect, it } from '@jest/globals';
import type { IncomeTemplateResponse } from '../../../src/templates/dto/income-template.dto.js';
import type { Client } from '../../support/client.js';
import { expectError, expectInvalid } from '../../support/errors.js';
import { UNKNOWN_UUID } from '../../support/sample-entities.js';
import { useService } from '../../support/service.js';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const TIMESTAMP = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

const service = useService();

const pathOf = (id: string): string => `/income-templates/${id}`;

const read = (user: Client, id: string): Promise<IncomeTemplateResponse> => user.read(pathOf(id));

async function change(user: Client, id: string, body: object): Promise<IncomeTemplateResponse> {
  return (await user.put(pathOf(id), body).expect(200)).body as IncomeTemplateResponse;
}

async function listed(user: Client, query = ''): Promise<string[]> {
  const templates = await user.read<IncomeTemplateResponse[]>(`/income-templates${query}`);
  return templates.map(({ description }) => description);
}

/** A valid body with the required fields only. */
const newTemplate = {
  description: 'Pay',
  currency: 'USD',
  base_amount: '2000.00',
  recurrence_type: 'bi_weekly',
  recurrence_config: { interval_days: 14 },
  reference_date: '2025-01-03',
};

describe('POST /income-templates', () => {
  it('POST /income-templates creates an active template with all fields', async () => {
    const user = await service.signUp();
    const { id, name, method_type } = await user.createPaymentMethod();
    const budget = await user.createBudget();
    const fields = {
      currency: 'MXN',
      recurrence_type: 'monthly',
      recurrence_config: { day_of_month: 31, handle_month_end: true },
      reference_date: '2025-01-31',
      starts_on: '2025-01-01',
      ends_on: '2026-12-31',
      skipped_dates: ['2025-06-30', '2026-01-31'],
      weekend_rule: 'before',
    };
    const body = {
      ...fields,
      description: ' Quincena ',
      base_amount: 18500.5,
      amount_changes: [{ from: '2026-01-01', amount: 19000 }],
      last_amount: '20000.5',
      payment_method_id: id,
      budget_id: budget.id,
    };
    const response = await user.post('/income-templates', body).expect(201);
    const created = response.body as IncomeTemplateResponse;
    expect(created).toEqual({
      ...fields,
      id: expect.stringMatching(UUID),
      description: 'Quincena',
      base_amount: '18500.50',
      amount_changes: [{ from: '2026-01-01', amount: '19000.00' }],
      last_amount: '20000.50',
      payment_method: { id, name, method_type },
      budget: { id: budget.id, name: budget.name },
      active: true,
      created_at: expect.stringMatching(TIMESTAMP),
      updated_at: created.created_at,
    });
    expect(await read(user, created.id)).toEqual(created);
  });

  const NULLS = { payment_method_id: null, starts_on: null, ends_on: null, weekend_rule: null };

  it.each([{}, { ...NULLS, amount_changes: null, last_amount: null, skipped_dates: null }])(
    'POST /income-templates applies the defaults of optional fields: %j',
    async (optional) => {
      const user = await service.signUp();
      const response = await user.post('/income-templates', { ...newTemplate, ...optional });
      expect(response.body).toMatchObject({
        ...newTemplate,
        payment_method: null,
        starts_on: null,
        ends_on: null,
        weekend_rule: 'keep',
        amount_changes: [],
        last_amount: null,
        skipped_dates: [],
      });
    },
  );

  it('POST /income-templates requires the other fields, and names every refused field at once', async () => {
    const user = await service.signUp();
    const body = {
      category: 'fixed',
      autopay_info: 'x',
      starts_on: '2025-02-02',
      ends_on: '2025-02-01',
    };
    const response = await user.post('/income-templates', body);
    expectInvalid(response, ...Object.keys(newTemplate), 'category', 'autopay_info', 'ends_on');
    expect(await listed(user)).toEqual([]);
  });

  it('POST /income-templates refuses a config of another type', async () => {
    const user = await service.signUp();
    const body = { ...newTemplate, recurrence_type: 'weekly' };
    expectInvalid(
      await user.post('/income-templates', body),
      ...['recurrence_config.day_of_week', 'recurrence_config.interval_days'],
    );
  });
});

describe('GET /income-templates', () => {
  it('GET /income-templates lists active and inactive ones, newest first, and filters by active and currency', async () => {
    const user = await service.signUp();
    await user.createIncomeTemplate({ description: 'salary' });
    await user.createIncomeTemplate({ description: 'quincena', currency: 'MXN' });
    const { id } = await user.createIncomeTemplate({ description: 'old', currency: 'MXN' });
    await user.delete(pathOf(id)).expect(204);
    expect(await listed(user)).toEqual(['old', 'quincena', 'salary']);
    expect(await listed(user, '?active=true')).toEqual(['quincena', 'salary']);
    expect(await listed(user, '?active=false')).toEqual(['old']);
    expect(await listed(user, '?currency=MXN&active=true')).toEqual(['quincena']);
    expect(await listed(await service.signUp())).toEqual([]);
  });

  it.each([
    ['active=yes', 'active'],
    ['currency=EUR', 'currency'],
    ['currency=USD&currency=MXN', 'currency'],
  ])('GET /income-templates refuses the query %s', async (query, field) => {
    const user = await service.signUp();
    expectInvalid(await user.get(`/income-templates?${query}`), field);
  });
});

describe('PUT /income-templates/{id}', () => {
  it('changes only the given fields', async () => {
    const user = await service.signUp();
    const before = await user.createIncomeTemplate();
    const { id: methodId } = await user.createPaymentMethod();
    const body = { base_amount: '2100.00', weekend_rule: 'after', payment_method_id: methodId };
    const changed = await change(user, before.id, body);
    const { updated_at, payment_method } = changed;
    expect(payment_method?.id).toBe(methodId);
    expect(changed).toEqual({
      ...before,
      ...{ base_amount: '2100.00', weekend_rule: 'after', payment_method, updated_at },
    });
    expect(updated_at > before.updated_at).toBe(true);
    expect(await read(user, before.id)).toEqual(changed);
  });

  it('PUT /income-templates/{id} clears the payment method, starts_on and ends_on with null', async () => {
    const user = await service.signUp();
    const { id: payment_method_id } = await user.createPaymentMethod();
    const limits = { starts_on: '2025-01-01', ends_on: '2025-12-31' };
    const { id } = await user.createIncomeTemplate({ ...limits, payment_method_id });
    const nulls = { payment_method_id: null, starts_on: null, ends_on: null };
    const cleared = { payment_method: null, starts_on: null, ends_on: null };
    expect(await change(user, id, nulls)).toMatchObject(cleared);
    expect(await read(user, id)).toMatchObject(cleared);
  });

  it.each([[{ ends_on: '2024-12-31' }], [{ starts_on: '2026-01-01' }]])(
    'PUT /income-templates/{id} refuses %j, which contradicts the stored other date',
    async (body) => {
      const user = await service.signUp();
      const limits = { starts_on: '2025-01-01', ends_on: '2025-12-31' };
      const template = await user.createIncomeTemplate(limits);
      expectInvalid(await user.put(pathOf(template.id), body), 'ends_on');
      expect(await read(user, template.id)).toEqual(template);
    },
  );

  it('PUT /income-templates/{id} records nothing and keeps updated_at if nothing changes', async () => {
    const user = await service.signUp();
    const template = await user.createIncomeTemplate();
    const bodies = [{}, newTemplate, { payment_method_id: null, active: true }];
    for (const body of bodies) expect(await change(user, template.id, body)).toEqual(template);
    expect(await user.activityOf('recurrent_income', template.id)).toHaveLength(1);
  });
});

describe('the payment method of an income template', () => {
  it("the payment method of an income template must be the user's own and active, and may become inactive", async () => {
    const user = await service.signUp();
    const otherUsersMethod = await (await service.signUp()).createPaymentMethod();
    const method = await user.createPaymentMethod();
    const template = await user.createIncomeTemplate({ payment_method_id: method.id });
    for (const payment_method_id of [otherUsersMethod.id, UNKNOWN_UUID]) {
      for (const response of [
        await user.post('/income-templates', { ...newTemplate, payment_method_id }),
        await user.put(pathOf(template.id), { payment_method_id }),
      ]) {
        expectError(response, 404, 'RESOURCE_NOT_FOUND', { resource: 'payment_method' });
      }
    }
    await user.delete(`/payment-methods/${method.id}`).expect(204);
    const again = { ...newTemplate, payment_method_id: method.id };
    expectInvalid(await user.post('/income-templates', again), 'payment_method_id');
    const kept = await change(user, template.id, {
      description: 'Sueldo',
      payment_method_id: method.id,
    });
    expect(kept).toMatchObject({ description: 'Sueldo', payment_method: { id: method.id } });
    expect(await change(user, template.id, { payment_method_id: null })).toMatchObject({
      payment_method: null,
    });
    const back = await user.put(pathOf(template.id), { payment_method_id: method.id });
    expectInvalid(back, 'payment_method_id');
  });
});

describe("another user's income template", () => {
  it("another user's income template is not found and not changed", async () => {
    const [owner, other] = [await service.signUp(), await service.signUp()];
    const template = await owner.createIncomeTemplate();
    for (const response of [
      await other.get(pathOf(template.id)),
      await other.put(pathOf(template.id), { description: 'Mine' }),
      await other.delete(pathOf(template.id)),
      await owner.get(pathOf(UNKNOWN_UUID)),
    ]) {
      expectError(response, 404, 'RESOURCE_NOT_FOUND', { resource: 'recurrent_income' });
    }
    expect(await read(owner, template.id)).toEqual(template);
  });
});

describe('the activity of an income template', () => {
  it('the activity of an income template has exactly the changed fields, and the type recurrent_income', async () => {
    const user = await service.signUp();
    const { payment_method, budget, ...created } = await user.createIncomeTemplate();
    expect([payment_method, budget]).toEqual([null, null]);
    const { id } = created;
    await change(user, id, { base_amount: '1.00', ends_on: '2026-01-01' });
    await user.delete(pathOf(id)).expect(204);
    await user.delete(pathOf(id)).expect(204);
    await change(user, id, { active: true });
    const records = await user.activityOf('recurrent_income', id);
    expect(records.map(({ action, changes, cycle_id }) => ({ action, changes, cycle_id }))).toEqual(
      [
        {
          action: 'created',
          cycle_id: null,
          changes: Object.fromEntries(
            Object.entries({ ...created, payment_method_id: null, budget_id: null }).map(
              ([field, to]) => [field, { from: null, to }],
            ),
          ),
        },
        {
          action: 'updated',
          cycle_id: null,
          changes: {
            base_amount: { from: '2000.00', to: '1.00' },
            ends_on: { from: null, to: '2026-01-01' },
          },
        },
        {
          action: 'deactivated',
          cycle_id: null,
          changes: { active: { from: true, to: false } },
        },
        {
          action: 'reactivated',
          cycle_id: null,
          changes: { active: { from: false, to: true } },
        },
      ],
    );
  });

  it('the activity of an income template accepts comments, also when the template is inactive', async () => {
    const user = await service.signUp();
    const { id } = await user.createIncomeTemplate();
    await user.delete(pathOf(id)).expect(204);
    const target = { entity_type: 'recurrent_income', entity_id: id };
    await user.post('/comments', { ...target, body: 'Until June' }).expect(201);
    const comments = await user.read(`/comments?entity_type=recurrent_income&entity_id=${id}`);
    expect(comments).toMatchObject([{ ...target, body: 'Until June', cycle_id: null }]);
    const stranger = await service.signUp();
    const refused = await stranger.post('/comments', { ...target, body: 'Hello' });
    expectError(refused, 404, 'RESOURCE_NOT_FOUND', { resource: 'recurrent_income' });
  });
});
