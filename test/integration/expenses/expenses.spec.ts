import { describe, expect, it } from '@jest/globals';
import type { ExpenseResponse } from '../../../src/expenses/dto/expense.dto.js';
import type { Client } from '../../support/client.js';
import { expectError, expectInvalid } from '../../support/errors.js';
import { useService } from '../../support/service.js';

const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000';

const NO_TOTALS = {
  total_amount_usd: '0.00',
  fixed_amount: '0.00',
  variable_amount: '0.00',
  paid_amount: '0.00',
  pending_amount: '0.00',
  total_count: 0,
};

const anExpense = (body: Record<string, unknown>): Record<string, unknown> => ({
  description: 'Dinner',
  currency: 'USD',
  amount: '100.00',
  due_date: '2999-02-01',
  category: 'variable',
  ...body,
});

describe('cycle expenses', () => {
  const service = useService();

  const put = async (user: Client, path: string, body: object): Promise<ExpenseResponse> =>
    (await user.put(path, body).expect(200)).body as ExpenseResponse;

  /** A user with an expense, and its path. */
  async function anExpenseOf(
    user: Client,
    body: Record<string, unknown> = {},
  ): Promise<{ expense: ExpenseResponse; path: string; cycleId: string }> {
    const { id: cycleId } = await user.createCycle();
    const expense = await user.createExpense(cycleId, body);
    return { expense, path: `/cycles/${cycleId}/expenses/${expense.id}`, cycleId };
  }

  describe('POST /cycles/{cycle_id}/expenses', () => {
    it('POST /cycles/{cycle_id}/expenses adds a pending, manual expense', async () => {
      const user = await service.signUp();
      const method = await user.createPaymentMethod({ method_type: 'cash' });
      const cycle = await user.createCycle();
      const body = anExpense({
        description: ' Súper ',
        currency: 'MXN',
        amount: 812.35,
        payment_method_id: method.id.toUpperCase(),
      });
      const response = await user.post(`/cycles/${cycle.id}/expenses`, body).expect(201);
      const expense = response.body as ExpenseResponse;
      expect(expense).toEqual({
        id: expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
        description: 'Súper',
        currency: 'MXN',
        amount: '812.35',
        amount_usd: '40.62',
        exchange_rate: { rate: '0.050000', rate_date: '2025-01-01' },
        planned_amount: null,
        due_date: '2999-02-01',
        category: 'variable',
        status: 'pending',
        paid: false,
        paid_at: null,
        comments: null,
        autopay_info: null,
        template_id: null,
        occurrence_date: null,
        instalment: null,
        payment_method: { id: method.id, name: method.name, method_type: 'cash' },
        budget: null,
        created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        updated_at: expense.created_at,
      });
      const read = await user.get(`/cycles/${cycle.id}/expenses/${expense.id}`).expect(200);
      expect(read.body).toEqual(expense);
      expect((await user.expenses(cycle.id)).expenses).toEqual([expense]);
    });

    it('POST /cycles/{cycle_id}/expenses accepts comments, autopay information and a due date outside the cycle', async () => {
      const user = await service.signUp();
      const extra = { comments: 'Late', autopay_info: 'Domiciliado', due_date: '2027-12-31' };
      const { expense } = await anExpenseOf(user, extra);
      expect(expense).toMatchObject(extra);
    });

    it('POST /cycles/{cycle_id}/expenses accepts a description of 255 characters and the other texts of 1000', async () => {
      const user = await service.signUp();
      const others = { comments: '😀'.repeat(1000), autopay_info: '😀'.repeat(1000) };
      const longest = { description: '😀'.repeat(255), ...others };
      const { expense, path } = await anExpenseOf(user, longest);
      expect(expense).toMatchObject(longest);
      const description = 'ñ'.repeat(255);
      expect(await put(user, path, { description })).toMatchObject({ description });
    });

    it('POST /cycles/{cycle_id}/expenses accepts null for the optional fields', async () => {
      const user = await service.signUp();
      const extra = { comments: null, autopay_info: null };
      expect((await anExpenseOf(user, extra)).expense).toMatchObject(extra);
    });

    it('POST /cycles/{cycle_id}/expenses reports every missing field at once', async () => {
      const user = await service.signUp();
      const { id } = await user.createCycle();
      expectInvalid(
        await user.post(`/cycles/${id}/expenses`, {}),
        ...['description', 'currency', 'payment_method_id', 'amount', 'due_date', 'category'],
      );
    });

    it.each([
      { description: '' },
      { description: 'x'.repeat(256) },
      { currency: 'EUR' },
      { payment_method_id: 'cash' },
      { amount: '0' },
      { amount: '-5.00' },
      { amount: '1.005' },
      { amount: 1e9 },
      { due_date: '2026-02-29' },
      { category: 'food' },
      { comments: 'x'.repeat(1001) },
      { status: 'paid' },
      { paid: 'yes' },
      { template_id: UNKNOWN_ID },
      { amount_usd: '1.00' },
    ])('POST /cycles/{cycle_id}/expenses refuses %j', async (body) => {
      const user = await service.signUp();
      const { id } = await user.createCycle();
      const method = await user.createPaymentMethod();
      const sent = anExpense({ payment_method_id: method.id, ...body });
      expectInvalid(await user.post(`/cycles/${id}/expenses`, sent), ...Object.keys(body));
      expect((await user.cycle(id)).summary.expense_count).toBe(0);
    });
  });

  describe('the payment method of an expense', () => {
    it("the payment method of an expense must be the user's own, in POST and PUT", async () => {
      const user = await service.signUp();
      const { path, cycleId } = await anExpenseOf(user);
      const otherUsersMethod = await (await service.signUp()).createPaymentMethod();
      for (const payment_method_id of [otherUsersMethod.id, UNKNOWN_ID]) {
        const body = anExpense({ payment_method_id });
        const details = { resource: 'payment_method' };
        const post = await user.post(`/cycles/${cycleId}/expenses`, body);
        expectError(post, 404, 'RESOURCE_NOT_FOUND', details);
        const move = await user.put(path, { payment_method_id });
        expectError(move, 404, 'RESOURCE_NOT_FOUND', details);
      }
    });

    it('the payment method of an expense must be active, in POST and in a PUT that changes it', async () => {
      const user = await service.signUp();
      const { path, cycleId } = await anExpenseOf(user);
      const { id: payment_method_id } = await user.createPaymentMethod();
      await user.delete(`/payment-methods/${payment_method_id}`).expect(204);
      const body = anExpense({ payment_method_id });
      expectInvalid(await user.post(`/cycles/${cycleId}/expenses`, body), 'payment_method_id');
      expectInvalid(await user.put(path, { payment_method_id }), 'payment_method_id');
    });

    it('the payment method of an expense may become inactive; the expense keeps it and stays editable', async () => {
      const user = await service.signUp();
      const { path, expense } = await anExpenseOf(user);
      const { payment_method: method } = expense;
      await user.delete(`/payment-methods/${method.id}`).expect(204);
      const changes = { payment_method_id: method.id, description: 'Lunch' };
      const changed = await put(user, path, changes);
      expect(changed).toMatchObject({ description: 'Lunch', payment_method: method });
    });
  });

  describe('GET /cycles/{cycle_id}/expenses', () => {
    /** One expense of each kind, described by its kind. */
    async function mixedCycle(user: Client): Promise<{ cycleId: string; cashId: string }> {
      const cash = await user.createPaymentMethod({ method_type: 'cash' });
      const { id: cycleId } = await user.createCycle();
      const add = async (body: Record<string, unknown>, change?: object): Promise<void> => {
        const { id } = await user.createExpense(cycleId, body);
        if (change) await put(user, `/cycles/${cycleId}/expenses/${id}`, change);
      };
      await add({ description: 'paid', amount: '50.00' }, { paid: true });
      await add(
        { description: 'cancelled', amount: '7.00', category: 'fixed', due_date: '2999-02-09' },
        { status: 'cancelled' },
      );
      await add({ description: 'late', amount: '3.00', category: 'fixed' }, { status: 'overdue' });
      await add({ description: 'peso', currency: 'MXN', payment_method_id: cash.id });
      await add({ description: 'first', payment_method_id: cash.id, due_date: '2999-01-20' });
      return { cycleId, cashId: cash.id };
    }

    it('GET /cycles/{cycle_id}/expenses lists expenses by due date, then creation, with totals without cancelled ones', async () => {
      const user = await service.signUp();
      const { cycleId } = await mixedCycle(user);
      const { expenses, summary } = await user.expenses(cycleId);
      const order = ['first', 'paid', 'late', 'peso', 'cancelled'];
      expect(expenses.map(({ description }) => description)).toEqual(order);
      expect(summary).toEqual({
        total_amount_usd: '158.00',
        fixed_amount: '3.00',
        variable_amount: '155.00',
        paid_amount: '50.00',
        pending_amount: '108.00',
        total_count: 5,
      });
    });

    it.each([
      ['status=pending', ['first', 'peso'], '105.00'],
      ['status=paid', ['paid'], '50.00'],
      ['status=overdue', ['late'], '3.00'],
      ['status=cancelled', ['cancelled'], '0.00'],
      ['category=fixed', ['late', 'cancelled'], '3.00'],
      ['category=variable', ['first', 'paid', 'peso'], '155.00'],
      ['currency=USD', ['first', 'paid', 'late', 'cancelled'], '153.00'],
      ['currency=MXN', ['peso'], '5.00'],
      ['payment_method_id=CASH', ['first', 'peso'], '105.00'],
      ['payment_method_id=CASH&currency=USD&status=pending', ['first'], '100.00'],
      ['category=fixed&status=paid', [], '0.00'],
      [`payment_method_id=${UNKNOWN_ID}`, [], '0.00'],
      ['utm=x', ['first', 'paid', 'late', 'peso', 'cancelled'], '158.00'],
    ])(
      'GET /cycles/{cycle_id}/expenses lists and sums the rows of ?%s',
      async (query, descriptions, total) => {
        const user = await service.signUp();
        const { cycleId, cashId } = await mixedCycle(user);
        const list = await user.expenses(cycleId, `?${query.replace('CASH', cashId)}`);
        expect(list.expenses.map(({ description }) => description)).toEqual(descriptions);
        expect(list.summary).toMatchObject({
          total_amount_usd: total,
          total_count: descriptions.length,
        });
      },
    );

    it('GET /cycles/{cycle_id}/expenses is empty, with totals of 0.00, for a cycle without expenses', async () => {
      const user = await service.signUp();
      const { id } = await user.createCycle();
      expect(await user.expenses(id)).toEqual({ expenses: [], summary: NO_TOTALS });
    });

    it.each([
      ['status', 'late'],
      ['status', ''],
      ['category', 'food'],
      ['currency', 'usd'],
      ['payment_method_id', 'cash'],
      ['currency', 'USD&currency=MXN'],
    ])('GET /cycles/{cycle_id}/expenses refuses %s=%s', async (name, value) => {
      const user = await service.signUp();
      const { id } = await user.createCycle();
      expectInvalid(await user.get(`/cycles/${id}/expenses?${name}=${value}`), name);
    });
  });

  describe('PUT /cycles/{cycle_id}/expenses/{expense_id}', () => {
    it('changes every field', async () => {
      const user = await service.signUp();
      const { path, expense, cycleId } = await anExpenseOf(user);
      const { id, name } = await user.createPaymentMethod({ method_type: 'transfer' });
      const fields = {
        description: 'Súper',
        currency: 'MXN',
        amount: '200.10',
        due_date: '2026-03-05',
        category: 'fixed',
        status: 'paid',
        paid: true,
        paid_at: '2026-03-04T10:00:00.000Z',
        comments: 'Late',
        autopay_info: 'Domiciliado',
      };
      const changed = await put(user, path, { ...fields, payment_method_id: id });
      const { updated_at } = changed;
      expect(changed).toEqual({
        ...expense,
        ...fields,
        amount_usd: '10.01',
        exchange_rate: { rate: '0.050000', rate_date: '2025-01-01' },
        payment_method: { id, name, method_type: 'transfer' },
        updated_at,
      });
      expect(updated_at > expense.updated_at).toBe(true);
      expect((await user.expenses(cycleId)).expenses).toEqual([changed]);
    });

    it('PUT /cycles/{cycle_id}/expenses/{expense_id} does not change omitted fields', async () => {
      const user = await service.signUp();
      const { path, expense } = await anExpenseOf(user, { comments: 'A', autopay_info: 'B' });
      const changed = await put(user, path, { description: 'Lunch' });
      const { updated_at } = changed;
      expect(changed).toEqual({ ...expense, description: 'Lunch', updated_at });
    });

    it('PUT /cycles/{cycle_id}/expenses/{expense_id} records nothing and keeps updated_at when nothing changes', async () => {
      const user = await service.signUp();
      const { path, expense } = await anExpenseOf(user, { comments: 'A' });
      const { description, currency, due_date, category, comments, autopay_info } = expense;
      const same = { description, currency, due_date, category, comments, autopay_info };
      for (const body of [{}, { ...same, amount: 100, status: 'pending', paid: false }]) {
        expect(await put(user, path, body)).toEqual(expense);
      }
      expect(await user.activityOf('cycle_expense', expense.id)).toHaveLength(1);
    });

    it('PUT /cycles/{cycle_id}/expenses/{expense_id} accepts comments of 0 to 1000 characters, not bytes, and null clears them', async () => {
      const user = await service.signUp();
      const { path } = await anExpenseOf(user);
      for (const comments of ['', '🌮'.repeat(1000), null]) {
        expect(await put(user, path, { comments })).toMatchObject({ comments });
      }
      expectInvalid(await user.put(path, { comments: '🌮'.repeat(1001) }), 'comments');
    });

    it.each([
      { description: null },
      { description: ' ' },
      { amount: '0.00' },
      { amount: null },
      { due_date: null },
      { payment_method_id: null },
      { template_id: null },
      { amount_usd: '1.00' },
      { active: false },
    ])('PUT /cycles/{cycle_id}/expenses/{expense_id} refuses %j', async (body) => {
      const user = await service.signUp();
      const { path, expense } = await anExpenseOf(user);
      expectInvalid(await user.put(path, body), ...Object.keys(body));
      expect((await user.get(path)).body).toEqual(expense);
    });

    it('PUT /cycles/{cycle_id}/expenses/{expense_id} converts again when amount, currency or due date changes, and only then', async () => {
      const user = await service.signUp();
      const { path } = await anExpenseOf(user, { currency: 'MXN', due_date: '2026-02-01' });
      await service.query(
        `INSERT INTO exchange_rates (from_currency, to_currency, rate, rate_date)
         VALUES ('MXN', 'USD', 0.06, '2026-02-01'), ('MXN', 'USD', 0.07, '2026-02-02')`,
      );
      try {
        const usdAmountAfterPut = async (body: object): Promise<string> =>
          (await put(user, path, body)).amount_usd;
        const others = { description: 'Súper', category: 'fixed', comments: 'x', paid: true };
        expect(await usdAmountAfterPut(others)).toBe('5.00');
        expect(await usdAmountAfterPut({ amount: '100.00', currency: 'MXN' })).toBe('5.00');
        expect(await usdAmountAfterPut({ amount: '200.00' })).toBe('12.00');
        expect(await usdAmountAfterPut({ due_date: '2026-02-02' })).toBe('14.00');
        expect(await usdAmountAfterPut({ currency: 'USD' })).toBe('200.00');
      } finally {
        await service.query(`DELETE FROM exchange_rates WHERE rate_date >= '2026-01-01'`);
      }
    });
  });

  describe('DELETE /cycles/{cycle_id}/expenses/{expense_id}', () => {
    it('DELETE /cycles/{cycle_id}/expenses/{expense_id} keeps the row as inactive and hides the expense', async () => {
      const user = await service.signUp();
      const { path, expense, cycleId } = await anExpenseOf(user);
      await user.delete(path).expect(204);
      const sql = 'SELECT active FROM cycle_expenses WHERE id = $1';
      expect(await service.query(sql, [expense.id])).toEqual([{ active: false }]);
      expect(await user.expenses(cycleId)).toEqual({ expenses: [], summary: NO_TOTALS });
    });
  });

  describe('the path of an expense', () => {
    it.each(['get', 'put', 'delete'] as const)(
      'the path of an expense is not found when it is deleted, unknown or of another cycle: %s',
      async (method) => {
        const user = await service.signUp();
        const deleted = await anExpenseOf(user);
        await user.delete(deleted.path).expect(204);
        const { expense } = await anExpenseOf(user);
        const { cycleId } = deleted;
        for (const id of [deleted.expense.id, UNKNOWN_ID, expense.id]) {
          const response = await user.send(method, `/cycles/${cycleId}/expenses/${id}`).send({});
          expectError(response, 404, 'RESOURCE_NOT_FOUND', { resource: 'cycle_expense' });
        }
        expectInvalid(
          await user.send(method, `/cycles/${cycleId}/expenses/first`).send({}),
          'expense_id',
        );
      },
    );
  });

  describe('the remaining balance', () => {
    it('changes with every change of the expenses', async () => {
      const user = await service.signUp();
      const { path, cycleId } = await anExpenseOf(user, { amount: '100.00' });
      const balanceAndCounts = async (): Promise<unknown[]> => {
        const { remaining_balance, summary } = await user.cycle(cycleId);
        const { total_expenses, expense_count, paid_count, pending_count } = summary;
        return [remaining_balance, total_expenses, expense_count, paid_count, pending_count];
      };
      expect(await balanceAndCounts()).toEqual(['4900.00', '100.00', 1, 0, 1]);
      await put(user, path, { amount: '250.25' });
      expect(await balanceAndCounts()).toEqual(['4749.75', '250.25', 1, 0, 1]);
      await put(user, path, { paid: true });
      expect(await balanceAndCounts()).toEqual(['4749.75', '250.25', 1, 1, 0]);
      await put(user, path, { status: 'cancelled' });
      expect(await balanceAndCounts()).toEqual(['5000.00', '0.00', 0, 0, 0]);
      await put(user, path, { status: 'overdue', currency: 'MXN' });
      expect(await balanceAndCounts()).toEqual(['4987.49', '12.51', 1, 0, 1]);
      await user.createExpense(cycleId, { amount: '999999999.99', category: 'fixed' });
      expect(await balanceAndCounts()).toEqual(['-999995012.50', '1000000012.50', 2, 0, 2]);
      await user.delete(path).expect(204);
      expect(await balanceAndCounts()).toEqual(['-999994999.99', '999999999.99', 1, 0, 1]);
      expect((await user.expenses(cycleId, '?currency=MXN')).expenses).toEqual([]);
    });

    it('the remaining balance is exact after many simultaneous changes', async () => {
      const user = await service.signUp();
      const { path, expense, cycleId } = await anExpenseOf(user, { amount: '100.00' });
      const body = anExpense({ payment_method_id: expense.payment_method.id, amount: '0.10' });
      const responses = await Promise.all([
        ...Array.from({ length: 20 }, () => user.post(`/cycles/${cycleId}/expenses`, body)),
        user.put(path, { amount: '33.33' }),
        user.put(`/cycles/${cycleId}`, { income_amount: '1000.00' }),
      ]);
      const statuses = responses.map(({ status }) => status);
      expect(statuses).toEqual([...Array.from({ length: 20 }, () => 201), 200, 200]);
      expect(await user.cycle(cycleId)).toMatchObject({
        remaining_balance: '964.67',
        summary: { total_expenses: '35.33', expense_count: 21 },
      });
    });
  });
});
