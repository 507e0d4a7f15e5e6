import { beforeEach, describe, expect, it } from '@jest/globals';
import type { CarryOverResponse } from '../../../src/cycles/dto/carry-over.dto.js';
import type { ErrorBody } from '../../../src/platform/errors/error-body.js';
import type { Client } from '../../support/client.js';
import { UNKNOWN_UUID } from '../../support/sample-entities.js';
import { useService } from '../../support/service.js';

describe('POST /cycles/{id}/carry-over', () => {
  const service = useService();
  let user: Client;
  let method: string;
  let from: string;
  let to: string;

  beforeEach(async () => {
    user = await service.signUp();
    ({ id: method } = await user.createPaymentMethod());
    ({ id: from } = await user.createCycle({ generate_from_templates: false }));
    ({ id: to } = await user.createCycle({ generate_from_templates: false }));
  });

  const add = async (body: object = {}): Promise<string> =>
    (await user.createExpense(from, { payment_method_id: method, ...body })).id;

  const addIncome = async (body: object = {}): Promise<string> =>
    (await user.createIncome(from, { payment_method_id: method, ...body })).id;

  const carryOver = async (body: object = {}): Promise<CarryOverResponse> =>
    (await user.post(`/cycles/${from}/carry-over`, { to_cycle_id: to, ...body }).expect(200))
      .body as CarryOverResponse;

  const refusalOf = async (body: object, cycle = from): Promise<ErrorBody['error']> => {
    const response = await user.post(`/cycles/${cycle}/carry-over`, { to_cycle_id: to, ...body });
    return (response.body as ErrorBody).error;
  };

  it('POST /cycles/{id}/carry-over moves an expense with its fields, its conversion and its payment method', async () => {
    const id = await add({
      description: 'Luz',
      currency: 'MXN',
      amount: '812.35',
      due_date: '2026-01-25',
      category: 'fixed',
      comments: 'Bimestre',
      autopay_info: 'Visa',
    });
    await user.delete(`/payment-methods/${method}`).expect(204);
    const before = await user.read(`/cycles/${from}/expenses/${id}`);

    const { moved, remaining_balance } = await carryOver({ expense_ids: [id.toUpperCase()] });

    expect(moved).toEqual([
      {
        from_id: id,
        expense: {
          ...(before as object),
          id: expect.any(String),
          created_at: expect.any(String),
          updated_at: expect.any(String),
        },
      },
    ]);
    const [{ expense } = { expense: { id: '' } }] = moved;
    expect(expense).toMatchObject({ status: 'overdue', amount_usd: '40.62' });
    expect(await user.read(`/cycles/${to}/expenses/${expense.id}`)).toEqual(expense);
    expect((await user.expenses(from)).expenses).toEqual([]);
    expect(remaining_balance).toEqual({ from: '5000.00', to: '4959.38' });
    expect((await user.cycle(from)).remaining_balance).toBe('5000.00');
    expect((await user.cycle(to)).remaining_balance).toBe('4959.38');
  });

  it('POST /cycles/{id}/carry-over moves an income with its fields, its conversion and its payment method', async () => {
    const id = await addIncome({
      ...{ description: 'Quincena', currency: 'MXN', amount: '812.35' },
      ...{ income_date: '2026-01-25', comments: 'Con bono' },
    });
    await user.delete(`/payment-methods/${method}`).expect(204);
    const before = await user.read<object>(`/cycles/${from}/incomes/${id}`);

    const carried = await carryOver({ income_ids: [id.toUpperCase()] });

    const created = {
      ...before,
      id: expect.any(String),
      created_at: expect.any(String),
      updated_at: expect.any(String),
    };
    expect(carried).toEqual({
      moved: [],
      moved_incomes: [{ from_id: id, income: created }],
      remaining_balance: { from: '5000.00', to: '5040.62' },
    });
    const [{ income } = { income: { id: '' } }] = carried.moved_incomes;
    expect(await user.read(`/cycles/${to}/incomes/${income.id}`)).toEqual(income);
    expect((await user.incomes(from)).incomes).toEqual([]);
    expect((await user.cycle(from)).remaining_balance).toBe('5000.00');
    expect((await user.cycle(to)).remaining_balance).toBe('5040.62');
  });

  it('POST /cycles/{id}/carry-over moves an income without a payment method', async () => {
    const { id } = await user.createIncome(from, { payment_method_id: null });
    const { moved_incomes } = await carryOver({ income_ids: [id] });
    expect(moved_incomes).toMatchObject([{ from_id: id, income: { payment_method: null } }]);
  });

  it('POST /cycles/{id}/carry-over moves a generated income as a manual one', async () => {
    const template = await user.createIncomeTemplate({ payment_method_id: method });
    const cycles = [await user.createCycle(), await user.createCycle()];
    [from = '', to = ''] = cycles.map(({ id }) => id);
    const { incomes } = await user.incomes(from);
    const [{ id, occurrence_date } = { id: '', occurrence_date: null }] = incomes;
    const { moved_incomes } = await carryOver({ income_ids: [id] });
    expect(moved_incomes[0]?.income).toMatchObject({
      ...{ template_id: null, occurrence_date: null, planned_amount: null, received: false },
    });
    expect(await user.read(`/cycles/${from}/sync`)).toMatchObject({
      add: [],
      protected: [
        {
          ...{ entity_type: 'cycle_income', reason: 'deleted', occurrence_date },
          template_id: template.id,
        },
      ],
    });
  });

  it('POST /cycles/{id}/carry-over moves expenses and incomes in the given order, and records them', async () => {
    const expenses = [await add(), await add()].reverse();
    const incomes = [await addIncome(), await addIncome(), await addIncome()].reverse();
    const sent = user.post(`/cycles/${from}/carry-over`, {
      ...{ to_cycle_id: to, expense_ids: expenses, income_ids: incomes },
    });
    const { moved, moved_incomes } = (await sent.expect(200)).body as CarryOverResponse;
    expect(moved.map(({ from_id }) => from_id)).toEqual(expenses);
    expect(moved_incomes.map(({ from_id }) => from_id)).toEqual(incomes);
    const actions = (await user.activity(`cycle_id=${from}`)).slice(-5);
    expect(actions.map(({ entity_id, action }) => [entity_id, action])).toEqual(
      [...expenses, ...incomes].map((id) => [id, 'deactivated']),
    );
    const created = (await user.activity(`cycle_id=${to}`)).slice(-5);
    expect(created.map(({ entity_id, action }) => [entity_id, action])).toEqual(
      [...moved.map(({ expense }) => expense.id), ...moved_incomes.map(({ income }) => income.id)] //
        .map((id) => [id, 'created']),
    );
  });

  it('POST /cycles/{id}/carry-over without ids moves no income, and with those of incomes alone no expense', async () => {
    const expense = await add();
    const income = await addIncome();
    expect(await carryOver({ income_ids: [income], expense_ids: null })).toMatchObject({
      moved: [],
      moved_incomes: [{ from_id: income }],
    });
    await addIncome();
    expect(await carryOver({ income_ids: null })).toMatchObject({
      moved: [{ from_id: expense }],
      moved_incomes: [],
    });
    expect((await user.incomes(from)).incomes).toHaveLength(1);
  });

  it('POST /cycles/{id}/carry-over refuses an income that is received, deleted or not in the cycle, and moves none', async () => {
    const open = await addIncome();
    const received = await addIncome();
    await user.put(`/cycles/${from}/incomes/${received}`, { received: true }).expect(200);
    const deleted = await addIncome();
    await user.delete(`/cycles/${from}/incomes/${deleted}`).expect(204);
    const { id: elsewhere } = await user.createIncome(to);
    const expense = await add();
    const paid = await add();
    await user.put(`/cycles/${from}/expenses/${paid}`, { paid: true }).expect(200);
    const message = 'income_ids must be incomes that are not received';
    expect(await refusalOf({ expense_ids: [expense], income_ids: [open, received] })).toMatchObject(
      {
        code: 'VALIDATION_ERROR',
        details: {
          fields: { income_ids: [message] },
          reasons: { income_ids: ['contradiction'] },
          index: 1,
        },
      },
    );
    for (const id of [deleted, elsewhere, expense]) {
      const body = { expense_ids: [paid], income_ids: [received, id] };
      expect(await refusalOf(body)).toMatchObject({
        code: 'RESOURCE_NOT_FOUND',
        details: { resource: 'cycle_income', id },
      });
    }
    const both = { expense_ids: [UNKNOWN_UUID], income_ids: [UNKNOWN_UUID] };
    expect(await refusalOf(both)).toMatchObject({ details: { resource: 'cycle_expense' } });
    expect(await refusalOf({ expense_ids: [paid], income_ids: [received] })).toMatchObject({
      details: { reasons: { expense_ids: ['contradiction'] }, index: 0 },
    });
    expect((await user.incomes(from)).incomes).toHaveLength(2);
    expect((await user.expenses(from)).expenses).toHaveLength(2);
  });

  it('POST /cycles/{id}/carry-over records a deletion in one cycle and a creation in the other', async () => {
    const id = await add();
    const { moved } = await carryOver();
    const [deletion] = (await user.activity(`cycle_id=${from}`)).slice(-1);
    expect(deletion).toMatchObject({
      entity_id: id,
      action: 'deactivated',
      changes: { active: { from: true, to: false } },
    });
    const [creation] = (await user.activity(`cycle_id=${to}`)).slice(-1);
    expect(creation).toMatchObject({
      entity_id: moved[0]?.expense.id,
      action: 'created',
      changes: { status: { from: null, to: 'pending' }, template_id: { from: null, to: null } },
    });
  });

  it('POST /cycles/{id}/carry-over moves all expenses that are neither paid nor cancelled, by due date, then creation', async () => {
    const last = await add({ due_date: '2026-02-20' });
    const overdue = await add({ due_date: '2026-01-25' });
    const first = await add({ due_date: '2026-02-10' });
    const second = await add({ due_date: '2026-02-10' });
    const paid = await add();
    const cancelled = await add();
    await user.put(`/cycles/${from}/expenses/${overdue}`, { status: 'overdue' }).expect(200);
    await user.put(`/cycles/${from}/expenses/${paid}`, { paid: true }).expect(200);
    await user.put(`/cycles/${from}/expenses/${cancelled}`, { status: 'cancelled' }).expect(200);

    const { moved, remaining_balance } = await carryOver();

    expect(moved.map(({ from_id }) => from_id)).toEqual([overdue, first, second, last]);
    expect(remaining_balance).toEqual({ from: '4900.00', to: '4600.00' });
    const left = (await user.expenses(from)).expenses.map(({ id }) => id);
    expect(left).toEqual([paid, cancelled]);
    expect((await carryOver()).moved).toEqual([]);
  });

  it('POST /cycles/{id}/carry-over stores an overdue expense as pending', async () => {
    const id = await add();
    await user.put(`/cycles/${from}/expenses/${id}`, { status: 'overdue' }).expect(200);
    expect((await carryOver()).moved[0]?.expense.status).toBe('pending');
  });

  it('POST /cycles/{id}/carry-over moves the named expenses in the given order', async () => {
    const ids = [await add(), await add(), await add()];
    const expenses = [ids[2], ids[0]];
    const { moved } = await carryOver({ expense_ids: expenses });
    expect(moved.map(({ from_id }) => from_id)).toEqual(expenses);
    expect((await user.expenses(from)).expenses.map(({ id }) => id)).toEqual([ids[1]]);
  });

  it('POST /cycles/{id}/carry-over ends the comments on the old expense', async () => {
    const id = await add();
    const comment = { entity_type: 'cycle_expense', entity_id: id, body: 'Why?' };
    await user.post('/comments', comment).expect(201);
    const { moved } = await carryOver();
    for (const expense of [id, moved[0]?.expense.id ?? '']) {
      expect(await user.read(`/comments?entity_type=cycle_expense&entity_id=${expense}`)).toEqual(
        [],
      );
    }
  });

  it('POST /cycles/{id}/carry-over leaves a carried-over occurrence to no synchronization', async () => {
    const template = await user.createTemplate({ payment_method_id: method });
    const cycles = [await user.createCycle(), await user.createCycle()];
    [from = '', to = ''] = cycles.map(({ id }) => id);
    const { moved } = await carryOver();
    expect(moved[0]?.expense).toMatchObject({ template_id: null, occurrence_date: null });
    const protectedIn = async (cycle: string): Promise<unknown> =>
      (await user.read<{ protected: object[] }>(`/cycles/${cycle}/sync`)).protected;
    const deleted = { entity_type: 'cycle_expense', reason: 'deleted', template_id: template.id };
    expect(await protectedIn(from)).toEqual(
      ['2026-02-01', '2026-03-01'].map((day) => ({ ...deleted, occurrence_date: day })),
    );
    expect(await protectedIn(to)).toEqual([]);
  });

  it('POST /cycles/{id}/carry-over takes an Idempotency-Key', async () => {
    await add();
    const send = () =>
      user
        .post(`/cycles/${from}/carry-over`, { to_cycle_id: to })
        .set('Idempotency-Key', 'carry-over')
        .expect(200);
    const first = await send();
    const second = await send();
    expect(second.body).toEqual(first.body);
    expect((await user.expenses(to)).expenses).toHaveLength(1);
  });

  it('POST /cycles/{id}/carry-over refuses a body that names no other cycle, or no valid list', async () => {
    expect(await refusalOf({ to_cycle_id: from.toUpperCase() })).toMatchObject({
      code: 'VALIDATION_ERROR',
      details: { fields: { to_cycle_id: ['to_cycle_id must be another cycle'] } },
    });
    const cases: [value: unknown, message: string, reason: string][] = [
      ['x', 'must be an array', 'not_an_array'],
      [{}, 'must be an array', 'not_an_array'],
      [[], 'must have 1 to 200 elements', 'too_few'],
      [Array(201).fill(UNKNOWN_UUID), 'must have 1 to 200 elements', 'too_many'],
      [[null], 'must be UUIDs', 'not_a_uuid'],
      [[UNKNOWN_UUID, UNKNOWN_UUID], 'must not have an id twice', 'repeated'],
    ];
    for (const [value, message, reason] of cases) {
      expect(await refusalOf({ expense_ids: value })).toMatchObject({
        code: 'VALIDATION_ERROR',
        details: {
          fields: { expense_ids: [`expense_ids ${message}`] },
          reasons: { expense_ids: [reason] },
        },
      });
    }
  });

  it('POST /cycles/{id}/carry-over refuses unknown cycles, then unknown expenses, then completed cycles, then settled expenses', async () => {
    const paid = await add();
    await user.put(`/cycles/${from}/expenses/${paid}`, { paid: true }).expect(200);
    const { id: elsewhere } = await user.createExpense(to, { payment_method_id: method });
    const unknown = { expense_ids: [paid, elsewhere] };
    const settled = { expense_ids: [await add(), paid] };
    for (const [cycle, body] of [
      [UNKNOWN_UUID, unknown],
      [from, { ...unknown, to_cycle_id: UNKNOWN_UUID }],
    ] as const) {
      expect(await refusalOf(body, cycle)).toMatchObject({ code: 'CYCLE_NOT_FOUND' });
    }
    const contradiction = {
      code: 'VALIDATION_ERROR',
      details: {
        fields: {
          expense_ids: ['expense_ids must be expenses that are neither paid nor cancelled'],
        },
        index: 1,
      },
    };
    expect(await refusalOf(settled)).toMatchObject(contradiction);
    await user.put(`/cycles/${to}`, { status: 'completed' }).expect(200);
    expect(await refusalOf(unknown)).toMatchObject({
      code: 'RESOURCE_NOT_FOUND',
      details: { resource: 'cycle_expense', id: elsewhere },
    });
    expect(await refusalOf(settled)).toMatchObject({ code: 'CYCLE_ALREADY_COMPLETED' });
    expect(await refusalOf({})).toMatchObject({ code: 'CYCLE_ALREADY_COMPLETED' });
    expect(await refusalOf({ to_cycle_id: from }, to)).toMatchObject({
      code: 'CYCLE_ALREADY_COMPLETED',
    });
    expect((await user.expenses(from)).expenses).toHaveLength(2);
  });

  it("POST /cycles/{id}/carry-over refuses another user's cycles and expenses", async () => {
    const id = await add();
    const stranger = await service.signUp();
    const { id: own } = await stranger.createCycle();
    const send = (path: string, body: object) => stranger.post(`/cycles/${path}/carry-over`, body);
    await send(from, { to_cycle_id: own }).expect(404);
    await send(own, { to_cycle_id: to }).expect(404);
    const { id: other } = await stranger.createCycle();
    await send(own, { to_cycle_id: other, expense_ids: [id] }).expect(404);
  });

  it('POST /cycles/{id}/carry-over refuses more expenses than a cycle may have', async () => {
    const row = (cycle: string, rows: number) =>
      user
        .post(`/cycles/${cycle}/expenses/import`)
        .type('text/csv')
        .send(
          [
            'due_date,description,category,currency,amount,payment_method',
            ...Array<string>(rows).fill(`2026-02-01,Dinner,fixed,USD,1.00,Limits`),
            '',
          ].join('\n'),
        )
        .expect(200);
    await user.createPaymentMethod({ name: 'Limits' });
    await row(to, 1999);
    await row(from, 2);
    expect(await refusalOf({})).toMatchObject({
      code: 'RESOURCE_CONFLICT',
      details: { resource: 'cycle_expense', limit: 2000 },
    });
    const [{ id } = { id: '' }] = (await user.expenses(from)).expenses;
    expect((await carryOver({ expense_ids: [id] })).moved).toHaveLength(1);
    expect((await carryOver({ to_cycle_id: (await user.createCycle()).id })).moved).toHaveLength(1);
  });
});
