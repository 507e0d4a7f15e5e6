import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Response, Test } from 'supertest';
import type { ClosedCycleResponse, ClosingResponse } from '../../../src/cycles/dto/closing.dto.js';
import type { Client } from '../../support/client.js';
import { copyRow } from '../../support/copied-rows.js';
import { expectError } from '../../support/errors.js';
import { expectIntegrity } from '../../support/integrity.js';
import { databaseState } from '../../support/rejected-requests.js';
import { countOutcomes } from '../../support/response-counts.js';
import { UNKNOWN_UUID } from '../../support/sample-entities.js';
import { useService } from '../../support/service.js';

const service = useService();
let user: Client;
let method: string;
let cycle: string;
let next: string;

beforeEach(async () => {
  user = await service.signUp();
  ({ id: method } = await user.createPaymentMethod());
  ({ id: cycle } = await user.createCycle({ generate_from_templates: false }));
  ({ id: next } = await user.createCycle({ generate_from_templates: false }));
});

const add = async (body: object = {}, to = cycle): Promise<string> =>
  (await user.createExpense(to, { payment_method_id: method, ...body })).id;

const addIncome = async (body: object = {}, to = cycle): Promise<string> =>
  (await user.createIncome(to, { payment_method_id: method, ...body })).id;

const change = (id: string, body: object): Test => user.put(`/cycles/${cycle}/${id}`, body);

const send = (body?: object, id = cycle): Test => user.post(`/cycles/${id}/close`, body);

const close = async (body?: object): Promise<ClosedCycleResponse> =>
  (await send(body).expect(200)).body as ClosedCycleResponse;

const preview = (id = cycle): Promise<ClosingResponse> => user.read(`/cycles/${id}/close`);

/** One entry of each state; what is open: expenses of 200.00 and 30.00, and an income of 900.00. */
async function addEntries(): Promise<{ expenses: string[]; income: string }> {
  await change(`expenses/${await add({ amount: '70.00' })}`, { paid: true }).expect(200);
  const cancelled = await add({ amount: '11.00' });
  await change(`expenses/${cancelled}`, { status: 'cancelled' }).expect(200);
  await user.delete(`/cycles/${cycle}/expenses/${await add({ amount: '13.00' })}`).expect(204);
  const last = await add({ amount: '200.00', due_date: '2999-03-01' });
  const overdue = await add({ amount: '30.00', due_date: '2026-01-20' });
  await change(`expenses/${overdue}`, { status: 'overdue' }).expect(200);
  await change(`incomes/${await addIncome({ amount: '5.00' })}`, { received: true }).expect(200);
  await user.delete(`/cycles/${cycle}/incomes/${await addIncome()}`).expect(204);
  const income = await addIncome({ amount: '900.00', income_date: '2026-04-01' });
  return { expenses: [overdue, last], income };
}

describe('GET /cycles/{id}/close', () => {
  it('GET /cycles/{id}/close has what is open and left over in USD', async () => {
    await addEntries();
    expect((await user.cycle(cycle)).remaining_balance).toBe('5605.00');
    expect(await preview()).toEqual({
      left_over: '4935.00',
      open_expenses: '230.00',
      open_expense_count: 2,
      open_incomes: '900.00',
      open_income_count: 1,
      card_expenses: '0.00',
      card_payments: '0.00',
    });
  });

  it('GET /cycles/{id}/close counts the amounts in USD of other currencies', async () => {
    await add({ currency: 'MXN', amount: '812.35', due_date: '2026-01-25' });
    await addIncome({ currency: 'MXN', amount: '1000.00', income_date: '2026-01-25' });
    expect(await preview()).toMatchObject({
      ...{ left_over: '5000.00', open_expenses: '40.62', open_incomes: '50.00' },
    });
  });

  it('GET /cycles/{id}/close of a cycle without expenses and incomes has its income left over', async () => {
    expect(await preview()).toEqual({
      left_over: '5000.00',
      open_expenses: '0.00',
      open_expense_count: 0,
      open_incomes: '0.00',
      open_income_count: 0,
      card_expenses: '0.00',
      card_payments: '0.00',
    });
  });

  it('GET /cycles/{id}/close is refused for a completed cycle, an unknown one and that of another user', async () => {
    const path = `/cycles/${cycle}/close`;
    await user.put(`/cycles/${cycle}`, { status: 'completed' }).expect(200);
    expectError(await user.get(path), 409, 'CYCLE_ALREADY_COMPLETED');
    expectError(await user.get(`/cycles/${UNKNOWN_UUID}/close`), 404, 'CYCLE_NOT_FOUND');
    const stranger = await service.signUp();
    expectError(await stranger.get(path), 404, 'CYCLE_NOT_FOUND');
    await user.delete(`/cycles/${next}`).expect(204);
    expectError(await user.get(`/cycles/${next}/close`), 404, 'CYCLE_NOT_FOUND');
  });

  it('a token that reads may use GET /cycles/{id}/close, and not POST', async () => {
    const script = await user.script({ access: 'read' });
    await script.get(`/cycles/${cycle}/close`).expect(200);
    expectError(await script.post(`/cycles/${cycle}/close`), 403, 'FORBIDDEN');
  });
});

describe('POST /cycles/{id}/close', () => {
  it('POST /cycles/{id}/close moves what is open to another cycle and completes the cycle', async () => {
    const { expenses, income } = await addEntries();
    const { left_over } = await preview();

    const response = await send({ to_cycle_id: next.toUpperCase() }).expect(200);

    expect(response.headers).not.toHaveProperty('etag');
    const closed = response.body as ClosedCycleResponse;
    expect(closed).toEqual({
      cycle: await user.cycle(cycle),
      moved: expenses.map((from_id) => ({ from_id, expense: expect.anything() })),
      moved_incomes: [{ from_id: income, income: expect.anything() }],
      left_over: '4935.00',
    });
    expect(closed.cycle).toMatchObject({ status: 'completed', remaining_balance: left_over });
    expect(closed.moved.map(({ expense }) => expense)).toEqual(
      (await user.expenses(next)).expenses,
    );
    expect(closed.moved.map(({ expense }) => expense)).toMatchObject([
      { status: 'overdue', due_date: '2026-01-20', amount: '30.00', paid: false },
      { status: 'pending', due_date: '2999-03-01', amount: '200.00', paid: false },
    ]);
    expect(closed.moved_incomes.map(({ income: one }) => one)).toEqual(
      (await user.incomes(next)).incomes,
    );
    expect(closed.moved_incomes[0]?.income).toMatchObject({
      ...{ amount: '900.00', income_date: '2026-04-01', received: false, received_at: null },
      ...{ template_id: null, occurrence_date: null, comments: null },
    });
    expect((await user.cycle(next)).remaining_balance).toBe('5670.00');
    expect((await user.expenses(cycle)).expenses).toHaveLength(2);
    await expectIntegrity(service.dataSource);
  });

  it('POST /cycles/{id}/close records the moves and the completion as one operation', async () => {
    const { expenses, income } = await addEntries();
    const response = await send({ to_cycle_id: next }).expect(200);
    const operation_id = response.get('Operation-Id') ?? '';
    const records = await user.activity(`operation_id=${operation_id}`);
    const { moved, moved_incomes } = response.body as ClosedCycleResponse;
    expect(records.map(({ entity_id, action }) => [entity_id, action])).toEqual([
      ...[...expenses, income].map((id) => [id, 'deactivated']),
      ...moved.map(({ expense }) => [expense.id, 'created']),
      ...moved_incomes.map((one) => [one.income.id, 'created']),
      [cycle, 'completed'],
    ]);
    expect(records.at(-1)?.changes).toEqual({ status: { from: 'draft', to: 'completed' } });
  });

  it('POST /cycles/{id}/close leaves what is open with leave_open', async () => {
    await addEntries();
    const before = [await user.expenses(cycle), await user.incomes(cycle)];
    expect(await close({ leave_open: true, to_cycle_id: null })).toEqual({
      cycle: { ...(await user.cycle(cycle)), status: 'completed', remaining_balance: '5605.00' },
      moved: [],
      moved_incomes: [],
      left_over: '4935.00',
    });
    expect([await user.expenses(cycle), await user.incomes(cycle)]).toEqual(before);
    expect((await user.expenses(next)).expenses).toEqual([]);
  });

  it.each([undefined, {}, { leave_open: false }, { leave_open: null, to_cycle_id: null }])(
    'POST /cycles/{id}/close with the body %p is refused if anything is open',
    async (body) => {
      await addEntries();
      await add({}, next);
      const state = await databaseState(service);
      const response = await send(body);
      expectError(response, 409, 'RESOURCE_CONFLICT', {
        ...{ resource: 'cycle', open_expense_count: 2, open_income_count: 1 },
      });
      expect(await databaseState(service)).toEqual(state);
    },
  );

  it.each([undefined, {}, { leave_open: false }])(
    'POST /cycles/{id}/close with the body %p closes a cycle in which nothing is open',
    async (body) => {
      await change(`expenses/${await add({ amount: '70.00' })}`, { paid: true }).expect(200);
      expect(await close(body)).toEqual({
        cycle: { ...(await user.cycle(cycle)), status: 'completed' },
        moved: [],
        moved_incomes: [],
        left_over: '4930.00',
      });
    },
  );

  it('POST /cycles/{id}/close takes leave_open false beside another cycle, to which nothing need move', async () => {
    expect(await close({ to_cycle_id: next, leave_open: false })).toMatchObject({
      moved: [],
      moved_incomes: [],
    });
  });

  it('POST /cycles/{id}/close refuses another cycle beside leave_open, and the cycle itself', async () => {
    const both = await send({ to_cycle_id: next, leave_open: true });
    expectError(both, 422, 'VALIDATION_ERROR', {
      fields: { leave_open: ['leave_open true contradicts to_cycle_id'] },
      reasons: { leave_open: ['contradiction'] },
    });
    expectError(await send({ to_cycle_id: cycle.toUpperCase() }), 422, 'VALIDATION_ERROR', {
      fields: { to_cycle_id: ['to_cycle_id must be another cycle'] },
      reasons: { to_cycle_id: ['contradiction'] },
    });
    expect((await user.cycle(cycle)).status).toBe('draft');
  });

  it('POST /cycles/{id}/close refuses unknown cycles, then completed ones, then open expenses', async () => {
    await add();
    const { id: completed } = await user.createCycle({ generate_from_templates: false });
    await user.put(`/cycles/${completed}`, { status: 'completed' }).expect(200);
    const notFound = [404, 'CYCLE_NOT_FOUND'] as const;
    const alreadyCompleted = [409, 'CYCLE_ALREADY_COMPLETED'] as const;
    expectError(await send({ to_cycle_id: UNKNOWN_UUID }), ...notFound);
    expectError(await send({ to_cycle_id: UNKNOWN_UUID }, completed), ...notFound);
    expectError(await send({}, UNKNOWN_UUID), ...notFound);
    expectError(await send({ to_cycle_id: completed }), ...alreadyCompleted);
    expectError(await send({ to_cycle_id: next }, completed), ...alreadyCompleted);
    expectError(await send({ leave_open: true }, completed), ...alreadyCompleted);
    expectError(await send({}, completed), ...alreadyCompleted);
    const stranger = await service.signUp();
    expectError(await stranger.post(`/cycles/${cycle}/close`), ...notFound);
    const { id: own } = await stranger.createCycle();
    const theirs = await stranger.post(`/cycles/${own}/close`, { to_cycle_id: next });
    expectError(theirs, ...notFound);
    expect((await user.cycle(cycle)).status).toBe('draft');
  });

  it('POST /cycles/{id}/close cannot be undone, like every completion', async () => {
    await add();
    const response = await send({ to_cycle_id: next }).expect(200);
    const operation = response.get('Operation-Id') ?? '';
    const completion = await user.lastRecord('cycle', cycle);
    for (const path of [`operations/${operation}`, completion.id]) {
      expect(countOutcomes([await user.post(`/activity/${path}/undo`)])).toEqual({
        '409 CYCLE_ALREADY_COMPLETED': 1,
      });
    }
    expect((await user.expenses(next)).expenses).toHaveLength(1);
  });

  it('POST /cycles/{id}/close takes an Idempotency-Key', async () => {
    await add();
    const body = { to_cycle_id: next };
    const first = await send(body).set('Idempotency-Key', 'closing').expect(200);
    const second = await send(body).set('Idempotency-Key', 'closing').expect(200);
    expect(second.body).toEqual(first.body);
    expect((await user.expenses(next)).expenses).toHaveLength(1);
    expectError(await send(body), 409, 'CYCLE_ALREADY_COMPLETED');
  });

  it('POST /cycles/{id}/close ignores If-Match', async () => {
    await send().set('If-Match', '"other"').expect(200);
  });

  it('POST /cycles/{id}/close refuses more incomes than a cycle may have, and then changes nothing', async () => {
    await addIncome();
    await add();
    const other = await addIncome({}, next);
    await copyRow(service, 'cycle_incomes', other, { copies: 1999 });
    const state = await databaseState(service);
    expectError(await send({ to_cycle_id: next }), 409, 'RESOURCE_CONFLICT', {
      ...{ resource: 'cycle_income', limit: 2000 },
    });
    expect(await databaseState(service)).toEqual(state);
    await service.query(
      `DELETE FROM cycle_incomes WHERE cycle_id = '${next}' AND id <> '${other}'`,
    );
  });
});

describe('concurrent closings', () => {
  const codes = (responses: Response[]): Record<string, number> => countOutcomes(responses);

  it('of two closings of a cycle one succeeds', async () => {
    await addEntries();
    const responses = await Promise.all([send({ to_cycle_id: next }), send({ to_cycle_id: next })]);
    expect(codes(responses)).toEqual({ '200': 1, '409 CYCLE_ALREADY_COMPLETED': 1 });
    expect((await user.expenses(next)).expenses).toHaveLength(2);
    expect((await user.incomes(next)).incomes).toHaveLength(1);
    await expectIntegrity(service.dataSource);
  });

  it('of two closings in opposite directions one succeeds', async () => {
    await add({ description: 'Of the first' });
    await add({ description: 'Of the second' }, next);
    const responses = await Promise.all([
      send({ to_cycle_id: next }),
      send({ to_cycle_id: cycle }, next),
    ]);
    expect(codes(responses)).toEqual({ '200': 1, '409 CYCLE_ALREADY_COMPLETED': 1 });
    const [open, closed] = responses[0].status === 200 ? [next, cycle] : [cycle, next];
    const { expenses } = await user.expenses(open);
    expect(expenses.map(({ description }) => description).sort()).toEqual([
      'Of the first',
      'Of the second',
    ]);
    expect((await user.expenses(closed)).expenses).toEqual([]);
    await expectIntegrity(service.dataSource);
  });

  it.each([true, false])(
    'a payment beside a closing is not lost, whether it is sent first (%p) or not',
    async (isFirst) => {
      const id = await add();
      const pay = (): Promise<Response> =>
        change(`expenses/${id}`, { paid: true }).then((response) => response);
      const payments = isFirst ? [pay()] : [];
      const closing = send({ to_cycle_id: next }).then((response) => response);
      if (!isFirst) payments.push(pay());
      const [closed, paid] = await Promise.all([closing, ...payments]);
      expect(closed.status).toBe(200);
      const { moved } = closed.body as ClosedCycleResponse;
      const left = (await user.expenses(cycle)).expenses;
      if (paid?.status === 200) {
        expect(moved).toEqual([]);
        expect(left).toMatchObject([{ id, status: 'paid' }]);
      } else {
        expect(codes(paid ? [paid] : [])).toEqual({ '404 RESOURCE_NOT_FOUND': 1 });
        expect(moved).toMatchObject([{ from_id: id, expense: { status: 'pending' } }]);
        expect(left).toEqual([]);
      }
      await expectIntegrity(service.dataSource);
    },
  );
});
