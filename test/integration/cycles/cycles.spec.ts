import { describe, expect, it } from '@jest/globals';
import type { CyclePageResponse, CycleResponse } from '../../../src/cycles/dto/cycle.dto.js';
import type { ErrorBody, ErrorDetails } from '../../../src/platform/errors/error-body.js';
import type { ExpenseTemplateResponse } from '../../../src/templates/dto/expense-template.dto.js';
import { uniqueName, type Client } from '../../support/client.js';
import { expectError, expectInvalid } from '../../support/errors.js';
import { useService } from '../../support/service.js';

const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000';

const NO_EXPENSES = {
  total_expenses: '0.00',
  fixed_expenses: '0.00',
  variable_expenses: '0.00',
  expense_count: 0,
  paid_count: 0,
  pending_count: 0,
  total_incomes: '0.00',
  income_count: 0,
};

const aCycle = (body: Record<string, unknown> = {}): Record<string, unknown> => ({
  name: uniqueName('Cycle'),
  start_date: '2026-01-19',
  end_date: '2026-03-01',
  income_amount: '5000.00',
  ...body,
});

const anExpense = (payment_method_id: string): Record<string, unknown> => ({
  description: 'Dinner',
  currency: 'USD',
  payment_method_id,
  amount: '1.00',
  due_date: '2026-02-01',
  category: 'fixed',
});

describe('cycles', () => {
  const service = useService();

  describe('POST /cycles', () => {
    it('POST /cycles creates a draft whose balance is its income', async () => {
      const user = await service.signUp();
      const response = await user.post('/cycles', aCycle({ name: '  Enero  ' })).expect(201);
      const cycle = response.body as CycleResponse;
      expect(cycle).toEqual({
        id: expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
        name: 'Enero',
        start_date: '2026-01-19',
        end_date: '2026-03-01',
        income_amount: '5000.00',
        remaining_balance: '5000.00',
        status: 'draft',
        budget_limits: [],
        side: false,
        summary: NO_EXPENSES,
        created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        updated_at: cycle.created_at,
      });
      expect(await user.cycle(cycle.id)).toEqual(cycle);
    });

    it.each([{}, { generate_from_templates: true }, { generate_from_templates: null }])(
      'POST /cycles generates the expenses of the active templates with %j',
      async (body) => {
        const user = await service.signUp();
        const rent = await user.createTemplate();
        const food = await user.createTemplate({
          description: 'Súper',
          currency: 'MXN',
          base_amount: '812.35',
          category: 'variable',
          recurrence_type: 'weekly',
          recurrence_config: { day_of_week: 1 },
          autopay_info: 'Domiciliado',
        });
        const deletedTemplate = await user.createTemplate({ description: 'Gym' });
        await user.delete(`/expense-templates/${deletedTemplate.id}`).expect(204);

        // In the future, so that the expenses are not overdue.
        const period = { start_date: '2826-01-19', end_date: '2826-03-01' };
        const cycle = await user.createCycle({ ...period, ...body });
        expect(cycle).toMatchObject({
          status: 'draft',
          remaining_balance: '2356.28',
          summary: {
            total_expenses: '2643.72',
            fixed_expenses: '2400.00',
            variable_expenses: '243.72',
            expense_count: 8,
            paid_count: 0,
            pending_count: 8,
          },
        });
        const { expenses } = await user.expenses(cycle.id);
        expect(expenses.map(({ due_date, template_id }) => [due_date, template_id])).toEqual([
          ['2826-01-19', food.id],
          ['2826-01-26', food.id],
          ['2826-02-01', rent.id],
          ['2826-02-02', food.id],
          ['2826-02-09', food.id],
          ['2826-02-16', food.id],
          ['2826-02-23', food.id],
          ['2826-03-01', rent.id],
        ]);
        expect(expenses[0]).toMatchObject({
          description: 'Súper',
          currency: 'MXN',
          amount: '812.35',
          amount_usd: '40.62',
          category: 'variable',
          status: 'pending',
          paid: false,
          paid_at: null,
          comments: null,
          autopay_info: 'Domiciliado',
          payment_method: food.payment_method,
        });
      },
    );

    it('POST /cycles generates nothing with `generate_from_templates: false`', async () => {
      const user = await service.signUp();
      await user.createTemplate();
      const cycle = await user.createCycle({ generate_from_templates: false });
      expect(cycle.summary).toEqual(NO_EXPENSES);
      expect((await user.expenses(cycle.id)).expenses).toEqual([]);
    });

    it.each([
      [{ side: true }, true, 0],
      [{ side: true, generate_from_templates: null }, true, 0],
      [{ side: true, generate_from_templates: true }, true, 2],
      [{ side: false }, false, 2],
      [{ side: null }, false, 2],
    ])(
      'POST /cycles with %j creates a cycle whose side is %s, with %i expenses',
      async (...row) => {
        const [body, side, expense_count] = row;
        const user = await service.signUp();
        await user.createTemplate();
        const cycle = await user.createCycle(body);
        expect(cycle).toMatchObject({ side, summary: { expense_count } });
        expect(await user.cycle(cycle.id)).toEqual(cycle);
      },
    );

    it('POST /cycles generates from a template whose payment method is inactive', async () => {
      const user = await service.signUp();
      const { payment_method: method } = await user.createTemplate();
      await user.delete(`/payment-methods/${method.id}`).expect(204);
      const cycle = await user.createCycle();
      const { expenses } = await user.expenses(cycle.id);
      expect(expenses.map(({ payment_method }) => payment_method)).toEqual([method, method]);
    });

    it('POST /cycles accepts an income of 0, with a negative balance after expenses', async () => {
      const user = await service.signUp();
      await user.createTemplate({ base_amount: '0.01' });
      const cycle = await user.createCycle({ income_amount: 0 });
      expect(cycle).toMatchObject({ income_amount: '0.00', remaining_balance: '-0.02' });
    });

    it('POST /cycles checks remaining_balance and ignores it', async () => {
      const user = await service.signUp();
      for (const remaining_balance of ['1.00', null]) {
        const cycle = await user.createCycle({ remaining_balance });
        expect(cycle.remaining_balance).toBe('5000.00');
      }
      const refused = await user.post('/cycles', aCycle({ remaining_balance: 'lots' }));
      expectInvalid(refused, 'remaining_balance');
    });

    it('POST /cycles reports every missing field at once', async () => {
      const user = await service.signUp();
      const response = await user.post('/cycles', {});
      expectInvalid(response, 'name', 'start_date', 'end_date', 'income_amount');
    });

    it.each([
      { name: '   ' },
      { name: 'x'.repeat(101) },
      { name: null },
      { start_date: '2026-02-30' },
      { end_date: '2026-3-1' },
      { income_amount: '-1.00' },
      { income_amount: '1.005' },
      { income_amount: '1000000000.00' },
      { generate_from_templates: 'yes' },
      { status: 'active' },
      { user_id: UNKNOWN_ID },
    ])('POST /cycles refuses %j', async (body) => {
      const user = await service.signUp();
      expectInvalid(await user.post('/cycles', aCycle(body)), ...Object.keys(body));
    });

    it.each([
      ['on its start', '2026-01-01'],
      ['before its start', '2025-12-31'],
      ['46 days after its start', '2026-02-16'],
    ])('POST /cycles refuses a cycle that ends %s', async (_when, end) => {
      const user = await service.signUp();
      const body = aCycle({ start_date: '2026-01-01', end_date: end });
      const response = await user.post('/cycles', body);
      const details = { start_date: '2026-01-01', end_date: end, max_days: 45 };
      const fields = { end_date: [expect.stringMatching(/after start_date|at most 45 days/)] };
      expectError(response, 422, 'INVALID_CYCLE_DATES', { ...details, fields });
    });

    it('POST /cycles accepts a cycle of one day and one of 45 days', async () => {
      const user = await service.signUp();
      const start_date = '2026-01-01';
      await user.createCycle({ start_date, end_date: '2026-01-02' });
      await user.createCycle({ start_date, end_date: '2026-02-15' });
    });

    it('POST /cycles accepts a name of 100 characters, in a PUT too', async () => {
      const user = await service.signUp();
      const { id, name } = await user.createCycle({ name: '😀'.repeat(100) });
      expect(name).toBe('😀'.repeat(100));
      const response = await user.put(`/cycles/${id}`, { name: 'ñ'.repeat(100) }).expect(200);
      expect(response.body).toMatchObject({ name: 'ñ'.repeat(100) });
    });

    it("POST /cycles refuses a name of the user's other cycles, and accepts it for another user", async () => {
      const user = await service.signUp();
      const other = await service.signUp();
      await user.createCycle({ name: 'Spring' });
      const response = await user.post('/cycles', aCycle({ name: ' Spring ' }));
      expectError(response, 409, 'CYCLE_NAME_EXISTS');
      await other.createCycle({ name: 'Spring' });
    });

    it('POST /cycles accepts one of many concurrent requests with the same name', async () => {
      const user = await service.signUp();
      await user.createTemplate();
      const body = aCycle();
      const responses = await Promise.all(
        Array.from({ length: 6 }, () => user.post('/cycles', body)),
      );
      const statuses = responses.map(({ status }) => status).sort();
      expect(statuses).toEqual([201, 409, 409, 409, 409, 409]);
    });

    it('POST /cycles accepts the name of a deleted cycle', async () => {
      const user = await service.signUp();
      const first = await user.createCycle({ name: 'Spring' });
      await user.delete(`/cycles/${first.id}`).expect(204);
      const second = await user.createCycle({ name: 'Spring' });
      expect(second.id).not.toBe(first.id);
    });
  });

  describe('POST /cycles with a template that cannot be generated', () => {
    const COUNTS = `SELECT (SELECT count(*)::int FROM cycles) AS cycles,
      (SELECT count(*)::int FROM cycle_expenses) AS expenses,
      (SELECT count(*)::int FROM activity_log) AS activity`;

    async function expectNothingStored(
      user: Client,
      template: ExpenseTemplateResponse,
    ): Promise<void> {
      await user.createTemplate();
      const before = await service.query(COUNTS);
      const response = await user.post('/cycles', aCycle());
      const { id, description } = template;
      const named = expect.objectContaining({ template: { id, description } }) as ErrorDetails;
      expectError(response, 422, 'CYCLE_GENERATION_ERROR', named);
      expect(await service.query(COUNTS)).toEqual(before);
    }

    it('POST /cycles with a template that cannot be generated stores nothing when the amount converts to 0.00', async () => {
      const user = await service.signUp();
      const template = await user.createTemplate({ currency: 'MXN', base_amount: '0.01' });
      await expectNothingStored(user, template);
    });

    it('POST /cycles with a template that cannot be generated stores nothing when no rate is stored', async () => {
      const user = await service.signUp();
      const template = await user.createTemplate({ currency: 'MXN' });
      await service.query('DELETE FROM exchange_rates');
      try {
        await expectNothingStored(user, template);
      } finally {
        await service.query(
          `INSERT INTO exchange_rates (from_currency, to_currency, rate, rate_date)
           VALUES ('MXN', 'USD', 0.05, '2025-01-01')`,
        );
      }
    });
  });

  describe('GET /cycles', () => {
    const list = async (user: Client, query = ''): Promise<CyclePageResponse> =>
      (await user.get(`/cycles${query}`).expect(200)).body as CyclePageResponse;

    async function threeCycles(user: Client): Promise<CycleResponse[]> {
      const march = await user.createCycle({ start_date: '2026-03-01', end_date: '2026-04-01' });
      const may = await user.createCycle({ start_date: '2026-05-01', end_date: '2026-06-01' });
      const april = await user.createCycle({ start_date: '2026-04-01', end_date: '2026-05-01' });
      return [may, april, march];
    }

    it('GET /cycles is empty for a new user, with no pages', async () => {
      const user = await service.signUp();
      expect(await list(user)).toEqual({
        cycles: [],
        pagination: { page: 1, per_page: 20, total: 0, pages: 0 },
      });
    });

    it("GET /cycles lists the user's own cycles, latest start first", async () => {
      const user = await service.signUp();
      const cycles = await threeCycles(user);
      await (await service.signUp()).createCycle();
      expect(await list(user)).toEqual({
        cycles,
        pagination: { page: 1, per_page: 20, total: 3, pages: 1 },
      });
    });

    it('GET /cycles returns one page, and an empty one past the end', async () => {
      const user = await service.signUp();
      const [may, april, march] = await threeCycles(user);
      const pages = { per_page: 2, total: 3, pages: 2 };
      const pageOf = (page: number): Promise<CyclePageResponse> =>
        list(user, `?page=${page}&per_page=2`);
      expect(await pageOf(1)).toEqual({ cycles: [may, april], pagination: { page: 1, ...pages } });
      expect(await pageOf(2)).toEqual({ cycles: [march], pagination: { page: 2, ...pages } });
      expect(await pageOf(3)).toEqual({ cycles: [], pagination: { page: 3, ...pages } });
    });

    it('GET /cycles returns 20 on a page by default, and up to 100', async () => {
      const user = await service.signUp();
      await service.query(
        `INSERT INTO cycles (household_id, user_id, name, start_date, end_date, income_amount)
         SELECT u.household_id, u.id, 'Cycle ' || n, '2026-01-19', '2026-03-01', 0
         FROM users u, generate_series(1, 101) n WHERE email = $1`,
        [user.email],
      );
      const first = await list(user);
      expect(first.cycles).toHaveLength(20);
      expect(first.pagination).toEqual({ page: 1, per_page: 20, total: 101, pages: 6 });
      const largestPage = await list(user, '?per_page=100');
      expect(largestPage.cycles).toHaveLength(100);
      expect(largestPage.pagination).toEqual({ page: 1, per_page: 100, total: 101, pages: 2 });
    });

    it('GET /cycles filters by status and ignores unknown query parameters', async () => {
      const user = await service.signUp();
      const [may, april, march] = await threeCycles(user);
      await user.put(`/cycles/${april?.id ?? ''}`, { status: 'active' }).expect(200);
      await user.put(`/cycles/${march?.id ?? ''}`, { status: 'completed' }).expect(200);
      const named = async (status: string): Promise<string[]> =>
        (await list(user, `?status=${status}&utm=x`)).cycles.map(({ name }) => name);
      expect(await named('draft')).toEqual([may?.name]);
      expect(await named('active')).toEqual([april?.name]);
      expect(await named('completed')).toEqual([march?.name]);
      expect((await list(user, '?status=draft')).pagination).toMatchObject({ total: 1, pages: 1 });
    });

    it('GET /cycles filters by a day that the cycles include', async () => {
      const user = await service.signUp();
      const [may, april, march] = await threeCycles(user);
      await (await service.signUp()).createCycle();
      await user.put(`/cycles/${april?.id ?? ''}`, { status: 'active' }).expect(200);
      const named = async (query: string): Promise<string[]> =>
        (await list(user, query)).cycles.map(({ name }) => name);
      expect(await named('?date=2026-02-28')).toEqual([]);
      expect(await named('?date=2026-03-01')).toEqual([march?.name]);
      expect(await named('?date=2026-04-01')).toEqual([april?.name, march?.name]);
      expect(await named('?date=2026-04-02')).toEqual([april?.name]);
      expect(await named('?date=2026-04-01&status=draft')).toEqual([march?.name]);
      expect(await named('?date=2026-06-01')).toEqual([may?.name]);
      expect(await named('?date=2026-06-02')).toEqual([]);
      const second = await list(user, '?date=2026-04-01&page=2&per_page=1');
      expect(second.cycles.map(({ id }) => id)).toEqual([march?.id]);
      expect(second.pagination).toEqual({ page: 2, per_page: 1, total: 2, pages: 2 });
    });

    it.each([
      ['page', '0'],
      ['page', '-1'],
      ['page', '1.5'],
      ['page', 'two'],
      ['page', ''],
      ['page', '1&page=2'],
      ['per_page', '0'],
      ['per_page', '101'],
      ['per_page', '1e1'],
      ['status', 'open'],
      ['status', 'draft&status=active'],
    ])('GET /cycles refuses %s=%s', async (name, value) => {
      const user = await service.signUp();
      expectInvalid(await user.get(`/cycles?${name}=${value}`), name);
    });
  });

  describe('PUT /cycles/{id}', () => {
    it('changes every field, and the balance with the income', async () => {
      const user = await service.signUp();
      const cycle = await user.createCycle();
      await user.createExpense(cycle.id, { amount: '100.00' });
      const body = {
        name: uniqueName('Cycle'),
        start_date: '2026-05-01',
        end_date: '2026-06-01',
        income_amount: '99.99',
        status: 'active',
        side: true,
      };
      const changed = (await user.put(`/cycles/${cycle.id}`, body).expect(200))
        .body as CycleResponse;
      expect(changed).toEqual({
        ...(await user.cycle(cycle.id)),
        ...body,
        remaining_balance: '-0.01',
        created_at: cycle.created_at,
      });
      expect(changed.updated_at > cycle.updated_at).toBe(true);
    });

    it('PUT /cycles/{id} does not change omitted fields', async () => {
      const user = await service.signUp();
      const cycle = await user.createCycle();
      const response = await user.put(`/cycles/${cycle.id}`, { name: 'Spring' }).expect(200);
      const { updated_at } = response.body as CycleResponse;
      expect(response.body).toEqual({ ...cycle, name: 'Spring', updated_at });
    });

    it('PUT /cycles/{id} records nothing and keeps updated_at when nothing changes', async () => {
      const user = await service.signUp();
      const cycle = await user.createCycle();
      const { name, start_date, end_date, status } = cycle;
      const same = { name, start_date, end_date, status, income_amount: 5000, side: false };
      for (const body of [{}, same]) {
        const response = await user.put(`/cycles/${cycle.id}`, body).expect(200);
        expect(response.body).toEqual(cycle);
      }
      expect(await user.activityOf('cycle', cycle.id)).toHaveLength(1);
    });

    it.each([
      { end_date: '2026-01-19' },
      { start_date: '2026-03-01' },
      { start_date: '2026-01-01' },
    ])('PUT /cycles/{id} checks %j against the stored date', async (body) => {
      const user = await service.signUp();
      const cycle = await user.createCycle();
      const response = await user.put(`/cycles/${cycle.id}`, { ...body, name: 'Spring' });
      const { start_date, end_date } = { ...cycle, ...body };
      const message = expectError(response, 422, 'INVALID_CYCLE_DATES', {
        ...{ start_date, end_date, max_days: 45 },
        fields: { [Object.keys(body)[0] ?? '']: [expect.any(String)] },
      });
      expect((response.body as ErrorBody).error.details).toMatchObject({
        fields: { [Object.keys(body)[0] ?? '']: [message] },
      });
      expect(await user.cycle(cycle.id)).toEqual(cycle);
    });

    it.each([
      { name: null },
      { income_amount: null },
      { status: 'open' },
      { side: null },
      { remaining_balance: '1.00' },
      { generate_from_templates: true },
    ])('PUT /cycles/{id} refuses %j', async (body) => {
      const user = await service.signUp();
      const { id } = await user.createCycle();
      expectInvalid(await user.put(`/cycles/${id}`, body), ...Object.keys(body));
    });

    it('PUT /cycles/{id} refuses the name of another cycle', async () => {
      const user = await service.signUp();
      await user.createCycle({ name: 'Spring' });
      const cycle = await user.createCycle();
      const response = await user.put(`/cycles/${cycle.id}`, { name: 'Spring' });
      expectError(response, 409, 'CYCLE_NAME_EXISTS');
    });

    it.each([[['completed']], [['active', 'completed']], [['active', 'draft', 'completed']]])(
      'PUT /cycles/{id} moves a draft to %j',
      async (moves) => {
        const user = await service.signUp();
        const { id } = await user.createCycle();
        for (const status of moves) {
          const response = await user.put(`/cycles/${id}`, { status }).expect(200);
          expect(response.body).toMatchObject({ status });
        }
      },
    );
  });

  describe('a completed cycle', () => {
    it('a completed cycle refuses every change to it and its expenses, and stays readable', async () => {
      const user = await service.signUp();
      const { id, name } = await user.createCycle();
      const expense = await user.createExpense(id);
      await user.put(`/cycles/${id}`, { status: 'completed' }).expect(200);
      const cycle = await user.cycle(id);
      const path = `/cycles/${id}/expenses/${expense.id}`;
      const newExpense = anExpense(expense.payment_method.id);
      for (const refused of [
        user.put(`/cycles/${id}`, {}),
        user.put(`/cycles/${id}`, { status: 'completed' }),
        user.put(`/cycles/${id}`, { status: 'draft' }),
        user.put(`/cycles/${id}`, { name: `${name}!` }),
        user.delete(`/cycles/${id}`),
        user.post(`/cycles/${id}/expenses`, newExpense),
        user.put(path, {}),
        user.put(path, { paid: true }),
        user.delete(path),
      ]) {
        const message = expectError(await refused, 409, 'CYCLE_ALREADY_COMPLETED');
        expect(message).toBe('Cannot modify completed cycle');
      }
      expect(await user.cycle(id)).toEqual(cycle);
      expect((await user.expenses(id)).expenses).toEqual([expense]);
      expect((await user.get(path).expect(200)).body).toEqual(expense);
      expect(await user.activityOf('cycle_expense', expense.id)).toHaveLength(1);
    });
  });

  describe('DELETE /cycles/{id}', () => {
    it('DELETE /cycles/{id} keeps the rows as inactive', async () => {
      const user = await service.signUp();
      const cycle = await user.createCycle();
      await user.createExpense(cycle.id);
      await user.createExpense(cycle.id);
      const response = await user.delete(`/cycles/${cycle.id}`).expect(204);
      expect(response.body).toEqual({});
      const rows = await service.query(
        `SELECT active FROM cycles WHERE id = $1
         UNION ALL SELECT active FROM cycle_expenses WHERE cycle_id = $1`,
        [cycle.id],
      );
      expect(rows).toEqual([{ active: false }, { active: false }, { active: false }]);
      expect((await user.get('/cycles').expect(200)).body).toMatchObject({ cycles: [] });
    });

    it('DELETE /cycles/{id} deletes a cycle once for many concurrent requests', async () => {
      const user = await service.signUp();
      const { id } = await user.createCycle();
      const requests = Array.from({ length: 5 }, () => user.delete(`/cycles/${id}`));
      const statuses = (await Promise.all(requests)).map(({ status }) => status);
      expect(statuses.sort()).toEqual([204, 404, 404, 404, 404]);
      const actions = (await user.activityOf('cycle', id)).map(({ action }) => action);
      expect(actions).toEqual(['created', 'deactivated']);
    });
  });

  describe('the path of a cycle', () => {
    const ENDPOINTS = [
      ['get', ''],
      ['put', ''],
      ['delete', ''],
      ['get', '/expenses'],
      ['post', '/expenses'],
      ['get', '/expenses/:id'],
      ['put', '/expenses/:id'],
      ['delete', '/expenses/:id'],
    ] as const;

    it.each(ENDPOINTS)(
      "the path of a cycle is not found for a deleted, an unknown and another user's: %s /cycles/{id}%s",
      async (method, path) => {
        const user = await service.signUp();
        const deleted = await user.createCycle();
        const expense = await user.createExpense(deleted.id);
        await user.delete(`/cycles/${deleted.id}`).expect(204);
        const otherUsersCycle = await (await service.signUp()).createCycle();
        const body = method === 'post' ? anExpense(expense.payment_method.id) : {};
        for (const id of [deleted.id, UNKNOWN_ID, otherUsersCycle.id]) {
          const address = `/cycles/${id}${path.replace(':id', expense.id)}`;
          const response = await user.send(method, address).send(body);
          expect(expectError(response, 404, 'CYCLE_NOT_FOUND')).toBe('Cycle not found');
        }
      },
    );

    it('the path of a cycle is refused when it is not a UUID', async () => {
      const user = await service.signUp();
      expectInvalid(await user.get('/cycles/latest'), 'id');
      expectInvalid(await user.get('/cycles/latest/expenses'), 'cycle_id');
    });
  });
});

describe('cycles of a service with a maximum of 60 days', () => {
  const service = useService({ cycleMaxDays: 60 });

  it('last 60 days and no longer', async () => {
    const user = await service.signUp();
    const start_date = '2026-01-01';
    await user.createCycle({ start_date, end_date: '2026-03-02' });
    const response = await user.post('/cycles', aCycle({ start_date, end_date: '2026-03-03' }));
    const fields = { end_date: ['A cycle lasts at most 60 days'] };
    const details = { start_date, end_date: '2026-03-03', max_days: 60, fields };
    expectError(response, 422, 'INVALID_CYCLE_DATES', details);
  });
});
