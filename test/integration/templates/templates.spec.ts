import { describe, expect, it } from '@jest/globals';
import { createOpenApiDocument } from '../../../openapi/document.js';
import type { ActivityResponse } from '../../../src/activity/dto/activity.dto.js';
import type { ExpenseTemplateResponse } from '../../../src/templates/dto/expense-template.dto.js';
import type { UserResponse } from '../../../src/users/dto/user.dto.js';
import type { Client } from '../../support/client.js';
import { expectError, expectInvalid } from '../../support/errors.js';
import { useService } from '../../support/service.js';

const UNKNOWN_UUID = '00000000-0000-4000-8000-000000000000';
const PAST_TIME = '2020-01-01T00:00:00.000Z';
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const TIMESTAMP = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

const service = useService();

async function read(user: Client, id: string): Promise<ExpenseTemplateResponse> {
  return (await user.get(`/expense-templates/${id}`).expect(200)).body as ExpenseTemplateResponse;
}

async function change(user: Client, id: string, body: object): Promise<ExpenseTemplateResponse> {
  const response = await user.put(`/expense-templates/${id}`, body).expect(200);
  return response.body as ExpenseTemplateResponse;
}

async function listed(user: Client, query = ''): Promise<string[]> {
  const response = await user.get(`/expense-templates${query}`).expect(200);
  return (response.body as ExpenseTemplateResponse[]).map(({ description }) => description);
}

const activityOf = (user: Client, id: string): Promise<ActivityResponse[]> =>
  user.activityOf('recurrent_expense', id);

async function actionsOn(user: Client, id: string): Promise<string[]> {
  return (await activityOf(user, id)).map(({ action }) => action);
}

async function backdate(id: string): Promise<void> {
  await service.query('UPDATE expense_templates SET updated_at = $1 WHERE id = $2', [
    PAST_TIME,
    id,
  ]);
}

async function inactiveMethod(user: Client): Promise<string> {
  const { id } = await user.createPaymentMethod();
  await user.delete(`/payment-methods/${id}`).expect(204);
  return id;
}

/** A valid body. */
async function newTemplate(user: Client): Promise<Record<string, unknown>> {
  return {
    description: 'Rent',
    currency: 'MXN',
    payment_method_id: (await user.createPaymentMethod()).id,
    base_amount: '9850.00',
    category: 'fixed',
    recurrence_type: 'monthly',
    recurrence_config: { day_of_month: 1 },
    reference_date: '2025-01-01',
  };
}

describe('POST /expense-templates', () => {
  it('POST /expense-templates creates an active template, its texts trimmed', async () => {
    const user = await service.signUp();
    const { id, name, method_type } = await user.createPaymentMethod();
    const body = {
      description: '  Renta Mérida 🏠 ',
      currency: 'MXN',
      payment_method_id: id.toUpperCase(),
      base_amount: 9850.5,
      category: 'fixed',
      recurrence_type: 'monthly',
      recurrence_config: { day_of_month: 31, handle_month_end: true },
      reference_date: '2024-02-29',
      autopay_info: ' Domiciliado ',
    };
    const response = await user.post('/expense-templates', body).expect(201);
    const created = response.body as ExpenseTemplateResponse;
    expect(created).toEqual({
      id: expect.stringMatching(UUID),
      description: 'Renta Mérida 🏠',
      currency: 'MXN',
      base_amount: '9850.50',
      amount_changes: [],
      last_amount: null,
      category: 'fixed',
      recurrence_type: 'monthly',
      recurrence_config: { day_of_month: 31, handle_month_end: true },
      reference_date: '2024-02-29',
      starts_on: null,
      ends_on: null,
      skipped_dates: [],
      weekend_rule: 'keep',
      autopay_info: 'Domiciliado',
      payment_method: { id, name, method_type },
      budget: null,
      active: true,
      created_at: expect.stringMatching(TIMESTAMP),
      updated_at: created.created_at,
    });
    expect(await read(user, created.id)).toEqual(created);
  });

  it.each([undefined, null])(
    'POST /expense-templates accepts %s for autopay_info',
    async (autopay_info) => {
      const user = await service.signUp();
      expect(await user.createTemplate({ autopay_info })).toMatchObject({ autopay_info: null });
    },
  );

  it('POST /expense-templates accepts autopay_info of 1000 characters', async () => {
    const user = await service.signUp();
    const autopay_info = '😀'.repeat(1000);
    expect(await user.createTemplate({ autopay_info })).toMatchObject({ autopay_info });
  });

  it.each([
    ['0.01', '0.01'],
    ['.5', '0.50'],
    ['5', '5.00'],
    [12.5, '12.50'],
    ['999999999.99', '999999999.99'],
    [999999999.99, '999999999.99'],
  ])('POST /expense-templates accepts the amount %j', async (base_amount, stored) => {
    const user = await service.signUp();
    const { id } = await user.createTemplate({ base_amount });
    expect(await read(user, id)).toMatchObject({ base_amount: stored });
  });

  it.each(['1900-01-01', '2999-12-31'])(
    'POST /expense-templates accepts the reference date %s',
    async (reference_date) => {
      const user = await service.signUp();
      const { id } = await user.createTemplate({ reference_date });
      expect(await read(user, id)).toMatchObject({ reference_date });
    },
  );

  it('POST /expense-templates counts the characters of the description', async () => {
    const user = await service.signUp();
    const body = { ...(await newTemplate(user)), description: '😀'.repeat(256) };
    expectInvalid(await user.post('/expense-templates', body), 'description');
    await user.createTemplate({ description: '😀'.repeat(255) });
  });

  it('POST /expense-templates accepts starts_on, ends_on and a weekend rule', async () => {
    const user = await service.signUp();
    const limits = { starts_on: '2025-03-01', ends_on: '2025-03-01', weekend_rule: 'before' };
    const template = await user.createTemplate(limits);
    expect(template).toMatchObject(limits);
    expect(await read(user, template.id)).toEqual(template);
    const nulls = { starts_on: null, ends_on: null, weekend_rule: null };
    expect(await user.createTemplate(nulls)).toMatchObject({ ...nulls, weekend_rule: 'keep' });
  });

  it('POST /expense-templates refuses an end before the start, together with other invalid fields', async () => {
    const user = await service.signUp();
    const limits = { starts_on: '2025-03-02', ends_on: '2025-03-01' };
    const body = { ...(await newTemplate(user)), ...limits };
    expectInvalid(await user.post('/expense-templates', body), 'ends_on');
    const others = { description: '', recurrence_config: {} };
    expectInvalid(
      await user.post('/expense-templates', { ...body, ...others }),
      ...['ends_on', 'description', 'recurrence_config.day_of_month'],
    );
  });

  it('POST /expense-templates requires all fields that are not optional, and names every refused field at once', async () => {
    const user = await service.signUp();
    const required = Object.keys(await newTemplate(user));
    const response = await user.post('/expense-templates', { active: true, autopay: 'x' });
    expectInvalid(response, ...required, 'active', 'autopay');
    expect(await listed(user)).toEqual([]);
  });
});

describe('GET /expense-templates', () => {
  it('GET /expense-templates lists active and inactive ones, newest first', async () => {
    const user = await service.signUp();
    const created: ExpenseTemplateResponse[] = [];
    for (let i = 0; i < 3; i++) created.unshift(await user.createTemplate());
    const [last, deleted, first] = created as [
      ExpenseTemplateResponse,
      ExpenseTemplateResponse,
      ExpenseTemplateResponse,
    ];
    await user.delete(`/expense-templates/${deleted.id}`).expect(204);
    const response = await user.get('/expense-templates').expect(200);
    expect(response.body).toEqual([last, await read(user, deleted.id), first]);
  });

  it('GET /expense-templates filters by active, category and currency', async () => {
    const user = await service.signUp();
    const add = async (description: string, currency: string, category: string): Promise<string> =>
      (await user.createTemplate({ description, currency, category })).id;
    await add('rent', 'USD', 'fixed');
    await add('renta', 'MXN', 'fixed');
    await add('food', 'USD', 'variable');
    await user.delete(`/expense-templates/${await add('old', 'MXN', 'variable')}`).expect(204);

    expect(await listed(user, '?active=true')).toEqual(['food', 'renta', 'rent']);
    expect(await listed(user, '?active=false')).toEqual(['old']);
    expect(await listed(user, '?category=fixed')).toEqual(['renta', 'rent']);
    expect(await listed(user, '?category=variable')).toEqual(['old', 'food']);
    expect(await listed(user, '?currency=MXN')).toEqual(['old', 'renta']);
    expect(await listed(user, '?currency=USD&category=fixed&active=true')).toEqual(['rent']);
    expect(await listed(user, '?currency=USD&active=false')).toEqual([]);
  });

  it.each([
    ['active=yes', 'active'],
    ['active=false&active=false', 'active'],
    ['category=other', 'category'],
    ['category=', 'category'],
    ['category=fixed&category=variable', 'category'],
    ['currency=EUR', 'currency'],
    ['currency=USD&currency=MXN', 'currency'],
  ])('GET /expense-templates refuses the query %s', async (query, field) => {
    const user = await service.signUp();
    expectInvalid(await user.get(`/expense-templates?${query}`), field);
  });
});

describe('recurrence_config', () => {
  it.each([
    ['weekly', { day_of_week: 0 }],
    ['weekly', { day_of_week: 6 }],
    ['bi_weekly', { interval_days: 1 }],
    ['monthly', { day_of_month: 31 }],
    ['monthly', { day_of_month: 1, handle_month_end: false }],
    ['custom', { interval: 1, unit: 'days' }],
    // Optional fields that the unit does not use are accepted.
    ['custom', { interval: 3, unit: 'weeks', day_of_week: 6, day_of_month: 31, month_of_year: 12 }],
    ['custom', { interval: 6, unit: 'months', day_of_month: 1 }],
    ['custom', { interval: 1, unit: 'years', month_of_year: 1, day_of_month: 29 }],
  ])('recurrence_config of %s may be %j', async (recurrence_type, recurrence_config) => {
    const user = await service.signUp();
    const recurrence = { recurrence_type, recurrence_config };
    const { id } = await user.createTemplate(recurrence);
    expect(await read(user, id)).toMatchObject(recurrence);
    const other = await user.createTemplate();
    expect(await change(user, other.id, recurrence)).toMatchObject(recurrence);
  });

  const MISSING = undefined;
  const NOT_INTEGERS = ['1', 1.5, true, [1], {}];
  const WEEKLY = { day_of_week: 3 };
  const BI_WEEKLY = { interval_days: 14 };
  const MONTHLY = { day_of_month: 15 };
  const CUSTOM = { interval: 2, unit: 'months' };

  const INVALID_VALUES: [string, object, string, unknown[]][] = [
    ['weekly', WEEKLY, 'day_of_week', [MISSING, null, -1, 7, ...NOT_INTEGERS]],
    ['weekly', WEEKLY, 'interval_days', [14]],
    ['weekly', WEEKLY, 'day_of_month', [1]],
    ['weekly', WEEKLY, 'typo', [1, null, 'x']],
    ['bi_weekly', BI_WEEKLY, 'interval_days', [MISSING, null, 0, -14, ...NOT_INTEGERS]],
    ['bi_weekly', BI_WEEKLY, 'day_of_week', [1]],
    ['bi_weekly', BI_WEEKLY, 'interval', [1]],
    ['monthly', MONTHLY, 'day_of_month', [MISSING, null, 0, 32, ...NOT_INTEGERS]],
    ['monthly', MONTHLY, 'handle_month_end', ['true', 1, 0, [], {}]],
    ['monthly', MONTHLY, 'month_of_year', [1]],
    ['custom', CUSTOM, 'interval', [MISSING, null, 0, -1, ...NOT_INTEGERS]],
    ['custom', CUSTOM, 'unit', [MISSING, null, 'day', 'MONTHS', '', 1, ['days'], {}]],
    ['custom', CUSTOM, 'day_of_month', [0, 32, ...NOT_INTEGERS]],
    ['custom', CUSTOM, 'month_of_year', [0, 13, ...NOT_INTEGERS]],
    ['custom', CUSTOM, 'day_of_week', [-1, 7, ...NOT_INTEGERS]],
    ['custom', CUSTOM, 'handle_month_end', [true]],
    ['custom', CUSTOM, 'interval_days', [14]],
  ];

  it.each(INVALID_VALUES)(
    'recurrence_config of %s such as %j refuses an invalid %s: %j',
    async (type, validConfig, key, values) => {
      const user = await service.signUp();
      const template = await user.createTemplate({
        recurrence_type: type,
        recurrence_config: validConfig,
      });
      const body = await newTemplate(user);
      for (const value of values) {
        const config = { recurrence_config: { ...validConfig, [key]: value } };
        const typed = { recurrence_type: type, ...config };
        for (const response of [
          await user.post('/expense-templates', { ...body, ...typed }),
          await user.put(`/expense-templates/${template.id}`, typed),
          await user.put(`/expense-templates/${template.id}`, config),
        ]) {
          expectInvalid(response, `recurrence_config.${key}`);
        }
      }
      expect(await read(user, template.id)).toEqual(template);
      expect(await listed(user)).toHaveLength(1);
    },
  );

  it('recurrence_config is tested for every field of the OpenAPI document', () => {
    const { components } = createOpenApiDocument(service.app);
    const schemas = components?.schemas as Record<string, { properties: object } | undefined>;
    const documented = Object.entries({
      weekly: 'WeeklyConfigDto',
      bi_weekly: 'BiWeeklyConfigDto',
      monthly: 'MonthlyConfigDto',
      custom: 'CustomConfigDto',
    }).flatMap(([type, schema]) =>
      Object.keys(schemas[schema]?.properties ?? { [schema]: 'missing' }).map(
        (field) => `${type}: ${field}`,
      ),
    );
    const tested = INVALID_VALUES.map(([type, , field]) => `${type}: ${field}`);
    expect(tested).toEqual(expect.arrayContaining(documented));
  });

  it.each([
    ['monthly', MONTHLY, ['handle_month_end']],
    ['custom', CUSTOM, ['day_of_month', 'month_of_year', 'day_of_week']],
  ])(
    'recurrence_config of %s treats null as omitted in a POST, and refuses it in a PUT',
    async (...row) => {
      const [recurrence_type, validConfig, optional] = row;
      const user = await service.signUp();
      const nulls = Object.fromEntries(optional.map((key) => [key, null]));
      const recurrence_config = { ...validConfig, ...nulls };
      const template = await user.createTemplate({ recurrence_type, recurrence_config });
      expect(template.recurrence_config).toEqual(validConfig);
      expect(await read(user, template.id)).toEqual(template);

      const response = await user.put(`/expense-templates/${template.id}`, { recurrence_config });
      expectInvalid(response, ...optional.map((key) => `recurrence_config.${key}`));
    },
  );

  it.each([null, 'text', 5, true, [], [{ day_of_month: 1 }]])(
    'recurrence_config is refused as %j',
    async (config) => {
      const user = await service.signUp();
      const { id } = await user.createTemplate();
      const response = await user.put(`/expense-templates/${id}`, { recurrence_config: config });
      expectError(response, 422, 'VALIDATION_ERROR');
    },
  );

  it('recurrence_config is replaced completely', async () => {
    const user = await service.signUp();
    const config = { day_of_month: 31, handle_month_end: true };
    const { id } = await user.createTemplate({ recurrence_config: config });
    const changed = await change(user, id, { recurrence_config: { day_of_month: 30 } });
    expect(changed.recurrence_config).toEqual({ day_of_month: 30 });
  });

  it('recurrence_config is required with a changed type, and optional with the same type', async () => {
    const user = await service.signUp();
    const template = await user.createTemplate();
    const response = await user.put(`/expense-templates/${template.id}`, {
      recurrence_type: 'weekly',
    });
    expectInvalid(response, 'recurrence_config.day_of_week', 'recurrence_config.day_of_month');
    expect(await read(user, template.id)).toEqual(template);
    expect(await change(user, template.id, { recurrence_type: 'monthly' })).toEqual(template);
  });
});

describe('PUT /expense-templates/{id}', () => {
  it('changes only the given fields', async () => {
    const user = await service.signUp();
    const { id } = await user.createTemplate({ autopay_info: 'Card 1' });
    await backdate(id);
    const before = await read(user, id);
    const changed = await change(user, id, { base_amount: '1300', description: ' Loft ' });
    const { updated_at } = changed;
    const expected = { ...before, base_amount: '1300.00', description: 'Loft', updated_at };
    expect(changed).toEqual(expected);
    expect(updated_at > PAST_TIME).toBe(true);
    expect(await read(user, id)).toEqual(changed);
  });

  it('changes every field at once', async () => {
    const user = await service.signUp();
    const { id } = await user.createTemplate({ autopay_info: 'Card 1' });
    const { payment_method_id, ...fields } = await newTemplate(user);
    const body = {
      ...fields,
      description: 'Renta',
      category: 'variable',
      recurrence_type: 'weekly',
      recurrence_config: { day_of_week: 5 },
      reference_date: '2024-05-31',
      starts_on: '2024-06-01',
      ends_on: '2024-12-31',
      weekend_rule: 'before',
      autopay_info: null,
      active: false,
    };
    const changed = await change(user, id, { ...body, payment_method_id });
    expect(changed).toMatchObject({ ...body, payment_method: { id: payment_method_id } });
    expect(await read(user, id)).toEqual(changed);
  });

  it('PUT /expense-templates/{id} clears starts_on and ends_on with null, and refuses null for the weekend rule', async () => {
    const user = await service.signUp();
    const limits = { starts_on: '2025-03-01', ends_on: '2025-04-01', weekend_rule: 'after' };
    const { id } = await user.createTemplate(limits);
    expect(await change(user, id, { starts_on: null })).toMatchObject({
      ...limits,
      starts_on: null,
    });
    expect(await change(user, id, { ends_on: null, weekend_rule: 'keep' })).toMatchObject({
      starts_on: null,
      ends_on: null,
      weekend_rule: 'keep',
    });
    expectInvalid(
      await user.put(`/expense-templates/${id}`, { weekend_rule: null }),
      'weekend_rule',
    );
  });

  it.each([
    [{ ends_on: '2025-02-28' }],
    [{ starts_on: '2025-04-02' }],
    [{ starts_on: '2025-06-01', ends_on: '2025-05-31' }],
  ])(
    'PUT /expense-templates/{id} refuses %j, which would end it before it starts',
    async (body) => {
      const user = await service.signUp();
      const limits = { starts_on: '2025-03-01', ends_on: '2025-04-01' };
      const template = await user.createTemplate(limits);
      expectInvalid(await user.put(`/expense-templates/${template.id}`, body), 'ends_on');
      expect(await read(user, template.id)).toEqual(template);
    },
  );

  it.each([
    [{ ends_on: '2025-03-01' }],
    [{ starts_on: '2025-04-01' }],
    [{ starts_on: null, ends_on: '2024-01-01' }],
    [{ starts_on: '2026-01-01', ends_on: '2026-01-01' }],
  ])('PUT /expense-templates/{id} accepts %j', async (body) => {
    const user = await service.signUp();
    const limits = { starts_on: '2025-03-01', ends_on: '2025-04-01' };
    const { id } = await user.createTemplate(limits);
    expect(await change(user, id, body)).toMatchObject({ ...limits, ...body });
  });

  it('PUT /expense-templates/{id} names a wrong config and an end before the start at once', async () => {
    const user = await service.signUp();
    const { id } = await user.createTemplate({ starts_on: '2025-03-01' });
    const body = { recurrence_type: 'weekly', ends_on: '2025-02-01' };
    const response = await user.put(`/expense-templates/${id}`, body);
    expectInvalid(
      response,
      ...['ends_on', 'recurrence_config.day_of_week', 'recurrence_config.day_of_month'],
    );
  });

  it('PUT /expense-templates/{id} refuses null for every required field', async () => {
    const user = await service.signUp();
    const { id } = await user.createTemplate();
    const fields = [...Object.keys(await newTemplate(user)), 'active'];
    const body = Object.fromEntries(fields.map((field) => [field, null]));
    expectInvalid(await user.put(`/expense-templates/${id}`, body), ...fields);
  });

  it('PUT /expense-templates/{id} refuses unknown fields, those that only the service sets too', async () => {
    const user = await service.signUp();
    const { id } = await user.createTemplate();
    const body = {
      id,
      user_id: UNKNOWN_UUID,
      payment_method: {},
      created_at: PAST_TIME,
      amount: '5',
    };
    expectInvalid(await user.put(`/expense-templates/${id}`, body), ...Object.keys(body));
  });

  it.each([
    ['nothing', {}],
    ['what is there already', { description: ' Rent ', base_amount: 1200, active: true }],
    ['an equal config', { recurrence_config: { handle_month_end: true, day_of_month: 31 } }],
  ])(
    'PUT /expense-templates/{id} records nothing and keeps updated_at for a body of %s',
    async (_kind, body) => {
      const user = await service.signUp();
      const recurrence_config = { day_of_month: 31, handle_month_end: true };
      const { id } = await user.createTemplate({ recurrence_config });
      await backdate(id);
      const before = await read(user, id);
      expect(await change(user, id, body)).toEqual(before);
      expect(await read(user, id)).toEqual({ ...before, updated_at: PAST_TIME });
      expect(await actionsOn(user, id)).toEqual(['created']);
    },
  );
});

describe('generation from a rule with limits', () => {
  const datesOf = async (user: Client, period: Record<string, string>): Promise<string[]> => {
    const { id } = await user.createCycle(period);
    return (await user.expenses(id)).expenses.map(({ due_date }) => due_date);
  };

  it('generation from a rule with limits generates exactly the months of an instalment plan', async () => {
    const user = await service.signUp();
    await user.createTemplate({ starts_on: '2026-02-01', ends_on: '2026-03-01' });
    expect(await datesOf(user, { start_date: '2026-01-01', end_date: '2026-02-10' })).toEqual([
      '2026-02-01',
    ]);
    expect(await datesOf(user, { start_date: '2026-02-11', end_date: '2026-03-27' })).toEqual([
      '2026-03-01',
    ]);
    expect(await datesOf(user, { start_date: '2026-03-28', end_date: '2026-05-01' })).toEqual([]);
  });

  it('generation from a rule with limits moves weekend dates, and generates each occurrence in one of adjacent cycles', async () => {
    const user = await service.signUp();
    const monthly = { recurrence_type: 'monthly', recurrence_config: { day_of_month: 1 } };
    await user.createTemplate({ ...monthly, weekend_rule: 'before' });
    // 2026-02-01 and 2026-03-01 are Sundays.
    const first = { start_date: '2026-01-10', end_date: '2026-01-31' };
    const second = { start_date: '2026-02-01', end_date: '2026-03-01' };
    expect(await datesOf(user, first)).toEqual(['2026-01-30']);
    expect(await datesOf(user, second)).toEqual(['2026-02-27']);
  });
});

describe('DELETE /expense-templates/{id}', () => {
  it('DELETE /expense-templates/{id} keeps the row as inactive, and records nothing the second time', async () => {
    const user = await service.signUp();
    const template = await user.createTemplate();
    expect((await user.delete(`/expense-templates/${template.id}`).expect(204)).text).toBe('');
    await backdate(template.id);
    await user.delete(`/expense-templates/${template.id}`).expect(204);
    const deleted = await read(user, template.id);
    expect(deleted).toEqual({ ...template, active: false, updated_at: PAST_TIME });
    expect(await actionsOn(user, template.id)).toEqual(['created', 'deactivated']);
  });
});

describe('a change to a template', () => {
  it('a change to a template is recorded for the template only; generated expenses do not change', async () => {
    const user = await service.signUp();
    const { id } = await user.createTemplate();
    const cycle = await user.createCycle();
    const generated = await user.expenses(cycle.id);
    expect(generated.expenses.map(({ template_id }) => template_id)).toEqual([id, id]);
    const other = await user.createPaymentMethod();
    await change(user, id, {
      description: 'Loft',
      currency: 'MXN',
      payment_method_id: other.id,
      base_amount: '1300.00',
      category: 'variable',
      recurrence_type: 'weekly',
      recurrence_config: { day_of_week: 5 },
      autopay_info: 'Card',
    });
    await user.delete(`/expense-templates/${id}`).expect(204);

    expect(await actionsOn(user, id)).toEqual(['created', 'updated', 'deactivated']);
    expect(await user.expenses(cycle.id)).toEqual(generated);
    expect(await user.cycle(cycle.id)).toEqual(cycle);
    for (const expense of generated.expenses) {
      const records = await user.activityOf('cycle_expense', expense.id);
      expect(records.map(({ action }) => action)).toEqual(['created']);
    }
  });
});

describe('the payment method of a template', () => {
  const NOT_FOUND = [404, 'RESOURCE_NOT_FOUND', { resource: 'payment_method' }] as const;

  it("the payment method of a template must exist and be the user's own", async () => {
    const user = await service.signUp();
    const otherUsersMethod = await (await service.signUp()).createPaymentMethod();
    const template = await user.createTemplate();
    const body = await newTemplate(user);
    for (const payment_method_id of [otherUsersMethod.id, UNKNOWN_UUID]) {
      const choice = { payment_method_id };
      const created = await user.post('/expense-templates', { ...body, ...choice });
      expectError(created, ...NOT_FOUND);
      const changed = await user.put(`/expense-templates/${template.id}`, choice);
      expectError(changed, ...NOT_FOUND);
    }
    expect(await read(user, template.id)).toEqual(template);
    expect(await listed(user)).toHaveLength(1);
  });

  it('the payment method of a template cannot be chosen when it is inactive', async () => {
    const user = await service.signUp();
    const template = await user.createTemplate();
    const choice = { payment_method_id: await inactiveMethod(user) };
    const body = { ...(await newTemplate(user)), ...choice };
    expectInvalid(await user.post('/expense-templates', body), 'payment_method_id');
    const changed = await user.put(`/expense-templates/${template.id}`, choice);
    expectInvalid(changed, 'payment_method_id');
    expect(await read(user, template.id)).toEqual(template);
  });

  it('the payment method of a template is kept when it becomes inactive, and the template stays editable', async () => {
    const user = await service.signUp();
    const { id, payment_method } = await user.createTemplate();
    await user.delete(`/payment-methods/${payment_method.id}`).expect(204);
    const body = { description: 'Loft', payment_method_id: payment_method.id };
    expect(await change(user, id, body)).toMatchObject({ description: 'Loft', payment_method });
    await change(user, id, { active: false });
    expect(await change(user, id, { active: true })).toMatchObject({ active: true });
  });

  it('the payment method of a template is shown with its current name', async () => {
    const user = await service.signUp();
    const { id, payment_method } = await user.createTemplate();
    const renamed = { name: 'Cash', method_type: 'cash' };
    await user.put(`/payment-methods/${payment_method.id}`, renamed).expect(200);
    const expected = { id: payment_method.id, ...renamed };
    expect((await read(user, id)).payment_method).toEqual(expected);
    expect((await change(user, id, {})).payment_method).toEqual(expected);
  });
});

describe("another user's template", () => {
  it("another user's template is not found and not changed", async () => {
    const [owner, other] = [await service.signUp(), await service.signUp()];
    const template = await owner.createTemplate();
    const path = `/expense-templates/${template.id}`;
    for (const response of [
      await other.get(path),
      await other.put(path, { description: 'Mine' }),
      await other.put(path, {}),
      await other.delete(path),
    ]) {
      expectError(response, 404, 'RESOURCE_NOT_FOUND', { resource: 'recurrent_expense' });
    }
    expect(await listed(other)).toEqual([]);
    expect(await read(owner, template.id)).toEqual(template);
    expect(await actionsOn(owner, template.id)).toEqual(['created']);
  });
});

describe('the activity of a template', () => {
  it('the activity of a template has the type recurrent_expense and exactly the changed fields', async () => {
    const user = await service.signUp();
    const me = (await user.get('/auth/me')).body as UserResponse;
    const { id: budgetId } = await user.createBudget();
    const { id, payment_method, budget, ...fields } = await user.createTemplate({
      autopay_info: 'Card',
    });
    expect(budget).toBeNull();
    const other = await user.createPaymentMethod();
    await change(user, id, {
      payment_method_id: other.id,
      budget_id: budgetId,
      base_amount: '1300.00',
      recurrence_type: 'weekly',
      recurrence_config: { day_of_week: 5 },
      category: 'fixed',
    });
    await user.delete(`/expense-templates/${id}`).expect(204);
    await change(user, id, { active: true, autopay_info: null, budget_id: null });

    const records = await activityOf(user, id);
    for (const record of records) {
      expect(record).toMatchObject({
        entity_type: 'recurrent_expense',
        entity_id: id,
        cycle_id: null,
        actor_user_id: me.id,
        actor: { id: me.id, email: user.email, first_name: null, last_name: null },
      });
    }
    const created: Record<string, unknown> = {
      ...fields,
      id,
      payment_method_id: payment_method.id,
      budget_id: null,
    };
    expect(records.map(({ action, changes }) => ({ action, changes }))).toEqual([
      {
        action: 'created',
        changes: Object.fromEntries(
          Object.entries(created).map(([field, to]) => [field, { from: null, to }]),
        ),
      },
      {
        action: 'updated',
        changes: {
          payment_method_id: { from: payment_method.id, to: other.id },
          budget_id: { from: null, to: budgetId },
          base_amount: { from: '1200.00', to: '1300.00' },
          recurrence_type: { from: 'monthly', to: 'weekly' },
          recurrence_config: { from: { day_of_month: 1 }, to: { day_of_week: 5 } },
        },
      },
      { action: 'deactivated', changes: { active: { from: true, to: false } } },
      {
        action: 'reactivated',
        changes: {
          active: { from: false, to: true },
          autopay_info: { from: 'Card', to: null },
          budget_id: { from: budgetId, to: null },
        },
      },
    ]);
  });
});
