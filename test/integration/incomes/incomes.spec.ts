import { describe, expect, it } from '@jest/globals';
import type { CommentResponse } from '../../../src/comments/dto/comment.dto.js';
import type { CycleResponse } from '../../../src/cycles/dto/cycle.dto.js';
import type { IncomeResponse } from '../../../src/incomes/dto/income.dto.js';
import type { CycleSummaryResponse } from '../../../src/reports/dto/cycle-summary.dto.js';
import type { CyclesComparisonResponse } from '../../../src/reports/dto/cycles-comparison.dto.js';
import type { Client } from '../../support/client.js';
import { expectError, expectInvalid } from '../../support/errors.js';
import { expectIntegrity } from '../../support/integrity.js';
import { UNKNOWN_UUID } from '../../support/sample-entities.js';
import { useService } from '../../support/service.js';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const TIMESTAMP = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

const service = useService();

const pathOf = (cycleId: string, id = ''): string => `/cycles/${cycleId}/incomes/${id}`;

async function change(
  user: Client,
  { cycle, income }: { cycle: string; income: string },
  body: object,
): Promise<IncomeResponse> {
  return (await user.put(pathOf(cycle, income), body).expect(200)).body as IncomeResponse;
}

const balanceOf = async (user: Client, id: string): Promise<string> =>
  (await user.cycle(id)).remaining_balance;

async function start(body: Record<string, unknown> = {}): Promise<{
  user: Client;
  cycle: CycleResponse;
}> {
  const user = await service.signUp();
  const cycle = await user.createCycle({ income_amount: '100.00', ...body });
  return { user, cycle };
}

const newIncome = {
  description: 'Refund',
  currency: 'USD',
  amount: '5.00',
  income_date: '2026-02-01',
};

describe('POST /cycles/{cycle_id}/incomes', () => {
  it('POST /cycles/{cycle_id}/incomes adds an income, converted by its date, to the balance', async () => {
    const { user, cycle } = await start();
    const { id, name, method_type } = await user.createPaymentMethod();
    const response = await user.post(pathOf(cycle.id), {
      description: '  Quincena ',
      currency: 'MXN',
      amount: 18500.5,
      income_date: '2026-01-30',
      payment_method_id: id.toUpperCase(),
      comments: ' Con bono ',
    });
    const income = response.body as IncomeResponse;
    expect({ status: response.status, income }).toEqual({
      status: 201,
      income: {
        id: expect.stringMatching(UUID),
        description: 'Quincena',
        currency: 'MXN',
        amount: '18500.50',
        amount_usd: '925.03',
        exchange_rate: { rate: '0.050000', rate_date: '2025-01-01' },
        planned_amount: null,
        income_date: '2026-01-30',
        received: false,
        received_at: null,
        comments: 'Con bono',
        template_id: null,
        occurrence_date: null,
        instalment: null,
        payment_method: { id, name, method_type },
        budget: null,
        created_at: expect.stringMatching(TIMESTAMP),
        updated_at: income.created_at,
      },
    });
    expect(await user.read(pathOf(cycle.id, income.id))).toEqual(income);
    expect(await user.cycle(cycle.id)).toMatchObject({
      remaining_balance: '1025.03',
      summary: { total_incomes: '925.03', income_count: 1, expense_count: 0 },
    });
  });

  it.each([{}, { payment_method_id: null, comments: null }])(
    'POST /cycles/{cycle_id}/incomes applies the defaults of optional fields: %j',
    async (optional) => {
      const { user, cycle } = await start();
      expect(await user.createIncome(cycle.id, optional)).toMatchObject({
        payment_method: null,
        budget: null,
        comments: null,
      });
    },
  );

  it('POST /cycles/{cycle_id}/incomes names every refused field at once', async () => {
    const { user, cycle } = await start();
    const body = {
      received: 'yes',
      received_at: '2026-02-01',
      amount: '0',
      template_id: UNKNOWN_UUID,
    };
    expectInvalid(
      await user.post(pathOf(cycle.id), body),
      ...[...Object.keys(body), 'description', 'currency', 'income_date'],
    );
  });

  it('POST /cycles/{cycle_id}/incomes accepts a date outside the cycle', async () => {
    const { user, cycle } = await start();
    await user.createIncome(cycle.id, { income_date: '2027-12-31' });
    expect(await balanceOf(user, cycle.id)).toBe('200.00');
  });

  it('POST /cycles/{cycle_id}/incomes refuses an amount that converts to 0.00, and an inactive or unknown payment method', async () => {
    const { user, cycle } = await start();
    const small = { ...newIncome, currency: 'MXN', amount: '0.09' };
    expectError(await user.post(pathOf(cycle.id), small), 422, 'CURRENCY_CONVERSION_ERROR');
    const { id } = await user.createPaymentMethod();
    await user.delete(`/payment-methods/${id}`).expect(204);
    const inactive = { ...newIncome, payment_method_id: id };
    expectInvalid(await user.post(pathOf(cycle.id), inactive), 'payment_method_id');
    const otherUsersMethod = await (await service.signUp()).createPaymentMethod();
    for (const payment_method_id of [otherUsersMethod.id, UNKNOWN_UUID]) {
      const response = await user.post(pathOf(cycle.id), { ...newIncome, payment_method_id });
      expectError(response, 404, 'RESOURCE_NOT_FOUND', { resource: 'payment_method' });
    }
    expect(await user.incomes(cycle.id)).toMatchObject({ incomes: [] });
    expect(await balanceOf(user, cycle.id)).toBe('100.00');
  });
});

describe('GET /cycles/{cycle_id}/incomes', () => {
  it('GET /cycles/{cycle_id}/incomes lists by income date, then creation, with totals over the incomes listed', async () => {
    const { user, cycle } = await start();
    const { id: methodId } = await user.createPaymentMethod();
    const add = async (description: string, body: Record<string, unknown>): Promise<string> =>
      (await user.createIncome(cycle.id, { description, ...body })).id;
    await add('late', { income_date: '2026-02-20', amount: '10.00' });
    const paid = await add('first', { income_date: '2026-02-01', amount: '20.00' });
    await add('second', { income_date: '2026-02-01', amount: '600', currency: 'MXN' });
    await add('early', { income_date: '2026-01-20', amount: '3.00', payment_method_id: methodId });
    await change(user, { cycle: cycle.id, income: paid }, { received: true });
    const listed = async (query: string): Promise<object> => {
      const { incomes, summary } = await user.incomes(cycle.id, query);
      return { listed: incomes.map(({ description }) => description), ...summary };
    };
    expect(await listed('')).toEqual({
      listed: ['early', 'first', 'second', 'late'],
      total_amount_usd: '63.00',
      received_amount: '20.00',
      expected_amount: '43.00',
      total_count: 4,
    });
    expect(await listed('?received=true')).toEqual({
      listed: ['first'],
      total_amount_usd: '20.00',
      received_amount: '20.00',
      expected_amount: '0.00',
      total_count: 1,
    });
    expect(await listed('?received=false&currency=USD')).toMatchObject({
      listed: ['early', 'late'],
    });
    expect(await listed('?currency=MXN')).toMatchObject({ listed: ['second'] });
    expect(await listed(`?payment_method_id=${methodId}`)).toMatchObject({ listed: ['early'] });
    expect(await listed(`?payment_method_id=${UNKNOWN_UUID}`)).toEqual({
      listed: [],
      total_amount_usd: '0.00',
      received_amount: '0.00',
      expected_amount: '0.00',
      total_count: 0,
    });
  });

  it.each([
    ['received=yes', 'received'],
    ['received=', 'received'],
    ['currency=EUR', 'currency'],
    ['payment_method_id=1', 'payment_method_id'],
    ['received=true&received=true', 'received'],
  ])('GET /cycles/{cycle_id}/incomes refuses the query %s', async (query, field) => {
    const { user, cycle } = await start();
    expectInvalid(await user.get(`${pathOf(cycle.id)}?${query}`), field);
  });
});

describe('PUT /cycles/{cycle_id}/incomes/{income_id}', () => {
  it('PUT /cycles/{cycle_id}/incomes/{income_id} converts again when amount, currency or date changes, and only then', async () => {
    const { user, cycle } = await start();
    await service.query(
      `INSERT INTO exchange_rates (from_currency, to_currency, rate, rate_date)
       VALUES ('MXN', 'USD', 0.06, '2026-02-10') ON CONFLICT DO NOTHING`,
    );
    const { id } = await user.createIncome(cycle.id, { currency: 'MXN', amount: '1000' });
    const path = { cycle: cycle.id, income: id };
    expect(await change(user, path, { income_date: '2026-02-10' })).toMatchObject({
      amount_usd: '60.00',
    });
    expect(await balanceOf(user, cycle.id)).toBe('160.00');
    expect(await change(user, path, { amount: '2000' })).toMatchObject({ amount_usd: '120.00' });
    await service.query(`UPDATE exchange_rates SET rate = 0.07 WHERE rate_date = '2026-02-10'`);
    expect(await change(user, path, { description: 'Pay' })).toMatchObject({
      amount_usd: '120.00',
    });
    expect(await change(user, path, { currency: 'USD' })).toMatchObject({ amount_usd: '2000.00' });
    expect(await balanceOf(user, cycle.id)).toBe('2100.00');
    await service.query(`DELETE FROM exchange_rates WHERE rate_date = '2026-02-10'`);
  });

  it('PUT /cycles/{cycle_id}/incomes/{income_id} marks an income received, now or at a time, and not received again', async () => {
    const { user, cycle } = await start();
    const { id } = await user.createIncome(cycle.id);
    const path = { cycle: cycle.id, income: id };
    const received = await change(user, path, { received: true });
    expect(received).toMatchObject({
      received: true,
      received_at: expect.stringMatching(TIMESTAMP) as unknown,
    });
    expect(await change(user, path, { received: true })).toEqual(received);
    const at = '2026-01-30T09:15:00-06:00';
    const dated = { received: true, received_at: '2026-01-30T15:15:00.000Z' };
    expect(await change(user, path, { received_at: at })).toMatchObject(dated);
    expect(await change(user, path, { received: true, received_at: at })).toMatchObject(dated);
    const reverted = { received: false, received_at: null };
    expect(await change(user, path, { received: false })).toMatchObject(reverted);
    expect(await change(user, path, { received: false })).toMatchObject(reverted);
    expect(await balanceOf(user, cycle.id)).toBe('200.00');
    const records = await user.activityOf('cycle_income', id);
    expect(records.map(({ action }) => action)).toEqual([
      'created',
      'updated',
      'updated',
      'updated',
    ]);
    expect(records.at(-1)?.changes).toEqual({
      received: { from: true, to: false },
      received_at: { from: dated.received_at, to: null },
    });
  });

  it.each([
    { received: false, received_at: '2026-02-01T00:00:00Z' },
    { received_at: '2026-02-01T00:00:00Z' },
  ])(
    'PUT /cycles/{cycle_id}/incomes/{income_id} refuses %j for an income that is not received',
    async (body) => {
      const { user, cycle } = await start();
      const income = await user.createIncome(cycle.id);
      expectInvalid(await user.put(pathOf(cycle.id, income.id), body), 'received_at');
      expect(await user.read(pathOf(cycle.id, income.id))).toEqual(income);
    },
  );

  it('PUT /cycles/{cycle_id}/incomes/{income_id} clears payment method and comments with null, and treats equal values as no change', async () => {
    const { user, cycle } = await start();
    const { id: payment_method_id } = await user.createPaymentMethod();
    const income = await user.createIncome(cycle.id, { payment_method_id, comments: 'Bonus' });
    const path = { cycle: cycle.id, income: income.id };
    expect(await change(user, path, {})).toEqual(income);
    expect(
      await change(user, path, { ...newIncome, amount: 100, payment_method_id, received: false }),
    ).toEqual(income);
    expect(await change(user, path, { payment_method_id: null, comments: null })).toMatchObject({
      payment_method: null,
      comments: null,
    });
    const records = await user.activityOf('cycle_income', income.id);
    expect(records.map(({ changes }) => Object.keys(changes)).slice(1)).toEqual([
      ['comments', 'payment_method_id'],
    ]);
  });
});

describe('DELETE /cycles/{cycle_id}/incomes/{income_id}', () => {
  it('DELETE /cycles/{cycle_id}/incomes/{income_id} removes it from lists, sums and the balance; the activity stays', async () => {
    const { user, cycle } = await start();
    const { id } = await user.createIncome(cycle.id);
    await user.delete(pathOf(cycle.id, id)).expect(204);
    for (const response of [
      await user.get(pathOf(cycle.id, id)),
      await user.put(pathOf(cycle.id, id), {}),
      await user.delete(pathOf(cycle.id, id)),
    ]) {
      expectError(response, 404, 'RESOURCE_NOT_FOUND', { resource: 'cycle_income' });
    }
    expect(await user.cycle(cycle.id)).toEqual(cycle);
    expect((await user.incomes(cycle.id)).incomes).toEqual([]);
    const records = await user.activityOf('cycle_income', id);
    expect(records.map(({ action, cycle_id }) => [action, cycle_id])).toEqual([
      ['created', cycle.id],
      ['deactivated', cycle.id],
    ]);
  });
});

describe('the incomes of a cycle', () => {
  it('the incomes of a cycle are not found for other users or below another cycle', async () => {
    const { user, cycle } = await start();
    const { id } = await user.createIncome(cycle.id);
    const other = await user.createCycle();
    const stranger = await service.signUp();
    for (const response of [
      await stranger.get(pathOf(cycle.id)),
      await stranger.get(pathOf(cycle.id, id)),
      await stranger.post(pathOf(cycle.id), newIncome),
      await stranger.put(pathOf(cycle.id, id), { received: true }),
      await stranger.delete(pathOf(cycle.id, id)),
      await user.get(pathOf(UNKNOWN_UUID)),
    ]) {
      expectError(response, 404, 'CYCLE_NOT_FOUND');
    }
    for (const response of [
      await user.get(pathOf(other.id, id)),
      await user.put(pathOf(other.id, id), { received: true }),
      await user.delete(pathOf(other.id, id)),
    ]) {
      expectError(response, 404, 'RESOURCE_NOT_FOUND', { resource: 'cycle_income' });
    }
    expect(await user.incomes(cycle.id)).toMatchObject({ summary: { total_count: 1 } });
  });

  it('the incomes of a cycle cannot be changed after it is completed', async () => {
    const { user, cycle } = await start();
    const income = await user.createIncome(cycle.id);
    await user.put(`/cycles/${cycle.id}`, { status: 'completed' }).expect(200);
    for (const response of [
      await user.post(pathOf(cycle.id), newIncome),
      await user.put(pathOf(cycle.id, income.id), { received: true }),
      await user.put(pathOf(cycle.id, income.id), {}),
      await user.delete(pathOf(cycle.id, income.id)),
    ]) {
      expectError(response, 409, 'CYCLE_ALREADY_COMPLETED');
    }
    expect(await user.read(pathOf(cycle.id, income.id))).toEqual(income);
    expect(await balanceOf(user, cycle.id)).toBe('200.00');
  });

  it('the incomes of a cycle are deleted with it, each with a record, and so are the comments on them', async () => {
    const { user, cycle } = await start();
    await user.createExpense(cycle.id);
    const first = await user.createIncome(cycle.id);
    const deletedIncome = await user.createIncome(cycle.id);
    const second = await user.createIncome(cycle.id);
    await user.delete(pathOf(cycle.id, deletedIncome.id)).expect(204);
    const target = { entity_type: 'cycle_income', entity_id: first.id };
    const comment = await user.post('/comments', { ...target, body: 'When?' }).expect(201);
    expect(comment.body as CommentResponse).toMatchObject({ ...target, cycle_id: cycle.id });
    expect(await user.read(`/comments?cycle_id=${cycle.id}`)).toHaveLength(1);
    await user.delete(`/cycles/${cycle.id}`).expect(204);
    expectError(await user.get(pathOf(cycle.id)), 404, 'CYCLE_NOT_FOUND');
    expect(await user.read(`/comments?cycle_id=${cycle.id}`)).toEqual([]);
    const again = await user.post('/comments', { ...target, body: 'Still?' });
    expectError(again, 404, 'RESOURCE_NOT_FOUND', { resource: 'cycle_income' });
    const records = await user.activity(`cycle_id=${cycle.id}`);
    expect(
      records
        .slice(-4)
        .map(({ action, entity_type, entity_id }) => [
          ...[action, entity_type],
          ...(entity_type === 'cycle_income' ? [entity_id] : []),
        ]),
    ).toEqual([
      ['deactivated', 'cycle'],
      ['deactivated', 'cycle_expense'],
      ['deactivated', 'cycle_income', first.id],
      ['deactivated', 'cycle_income', second.id],
    ]);
    await expectIntegrity(service.dataSource);
  });

  it('the incomes of a cycle share a balance with the expenses, exact after concurrent writes of both', async () => {
    const { user, cycle } = await start();
    const { id: payment_method_id } = await user.createPaymentMethod();
    const writes = Array.from({ length: 12 }, async (_, n) => {
      const cents = (n + 1).toString().padStart(2, '0');
      const income = await user.createIncome(cycle.id, { amount: `10.${cents}` });
      const expense = await user.createExpense(cycle.id, {
        amount: `3.${cents}`,
        payment_method_id,
      });
      if (n % 3 === 0) await user.delete(pathOf(cycle.id, income.id)).expect(204);
      if (n % 4 === 0) {
        const body = { status: 'cancelled' };
        await user.put(`/cycles/${cycle.id}/expenses/${expense.id}`, body).expect(200);
      }
    });
    await Promise.all(writes);
    const [{ total }, { cost }] = [
      { total: (await user.incomes(cycle.id)).summary.total_amount_usd },
      { cost: (await user.expenses(cycle.id)).summary.total_amount_usd },
    ];
    const balance = (10000 + Number(total) * 100 - Number(cost) * 100) / 100;
    expect(await balanceOf(user, cycle.id)).toBe(balance.toFixed(2));
    await expectIntegrity(service.dataSource);
  });
});

describe('generation', () => {
  const period = { start_date: '2026-01-19', end_date: '2026-03-01' };

  it('generation creates incomes from the active income templates, with an activity record each', async () => {
    const user = await service.signUp();
    const { id: payment_method_id } = await user.createPaymentMethod();
    const pay = await user.createIncomeTemplate({ payment_method_id });
    const monthly = await user.createIncomeTemplate({
      description: 'Quincena',
      currency: 'MXN',
      base_amount: '9250.50',
      recurrence_type: 'monthly',
      recurrence_config: { day_of_month: 31, handle_month_end: true },
      weekend_rule: 'before',
    });
    const old = await user.createIncomeTemplate({ description: 'Old' });
    await user.delete(`/income-templates/${old.id}`).expect(204);
    await user.createTemplate({ base_amount: '100.00' });
    const cycle = await user.createCycle({ ...period, income_amount: '0' });
    const { incomes, summary } = await user.incomes(cycle.id);
    expect(incomes.map(({ income_date, template_id }) => [income_date, template_id])).toEqual([
      ['2026-01-30', pay.id],
      ['2026-01-30', monthly.id],
      ['2026-02-13', pay.id],
      ['2026-02-27', pay.id],
      ['2026-02-27', monthly.id],
    ]);
    expect(incomes[1]).toMatchObject({
      description: 'Quincena',
      amount: '9250.50',
      amount_usd: '462.53',
      received: false,
      comments: null,
      payment_method: null,
    });
    expect(incomes[0]?.payment_method?.id).toBe(payment_method_id);
    expect(summary.total_amount_usd).toBe('6925.06');
    expect(cycle).toMatchObject({
      remaining_balance: '6725.06',
      summary: { total_incomes: '6925.06', income_count: 5, expense_count: 2 },
    });
    const records = await user.activity(`cycle_id=${cycle.id}`);
    expect(records.map(({ entity_type, action }) => `${entity_type} ${action}`)).toEqual([
      'cycle created',
      ...Array<string>(2).fill('cycle_expense created'),
      ...Array<string>(5).fill('cycle_income created'),
    ]);
    expect(records.slice(3).map(({ entity_id }) => entity_id)).toEqual(incomes.map(({ id }) => id));
    await expectIntegrity(service.dataSource);
  });

  it('generation creates none when the body declines it', async () => {
    const user = await service.signUp();
    await user.createIncomeTemplate();
    const cycle = await user.createCycle({ ...period, generate_from_templates: false });
    expect(cycle.summary).toMatchObject({ income_count: 0, total_incomes: '0.00' });
  });

  it('generation stores nothing when an income cannot be converted, and names the template', async () => {
    const user = await service.signUp();
    await user.createTemplate();
    const small = { description: 'Cashback', currency: 'MXN', base_amount: '0.01' };
    const { id } = await user.createIncomeTemplate(small);
    const response = await user.post('/cycles', { ...period, name: 'Spring', income_amount: '0' });
    expectError(response, 422, 'CYCLE_GENERATION_ERROR');
    expect(response.body).toMatchObject({
      error: {
        message: expect.stringContaining('No income can be generated') as unknown,
        details: {
          template: { id, description: 'Cashback' },
          income_date: '2026-01-30',
          cause: { code: 'CURRENCY_CONVERSION_ERROR' },
        },
      },
    });
    expect(await user.read('/cycles')).toMatchObject({ cycles: [] });
  });
});

describe('the reports', () => {
  it('the reports include the incomes, and the balance of incomes and expenses', async () => {
    const { user, cycle } = await start({ income_amount: '1000.00' });
    const method = await user.createPaymentMethod();
    const { id } = await user.createIncome(cycle.id, {
      amount: '300.00',
      payment_method_id: method.id,
    });
    await change(user, { cycle: cycle.id, income: id }, { received: true });
    await user.createIncome(cycle.id, { currency: 'MXN', amount: '1000.00' });
    const deletedIncome = await user.createIncome(cycle.id, { amount: '7.00' });
    await user.delete(pathOf(cycle.id, deletedIncome.id)).expect(204);
    await user.createExpense(cycle.id, { amount: '30.00', payment_method_id: method.id });
    const report = await user.read<CycleSummaryResponse>(`/cycles/${cycle.id}/summary`);
    expect(report).toMatchObject({
      financial: {
        total_expenses_usd: '30.00',
        total_incomes_usd: '350.00',
        net_balance: '1320.00',
      },
      incomes: {
        total_count: 2,
        received_count: 1,
        total_amount_usd: '350.00',
        received_amount: '300.00',
        expected_amount: '50.00',
      },
      by_payment_method: [{ total_amount: '30.00', expense_count: 1 }],
      by_currency: { USD: { total_amount: '30.00', expense_count: 1 } },
    });
    expect(report.by_payment_method).toHaveLength(1);
    const metrics = 'total_incomes,net_balance,total_expenses,income_amount';
    const empty = await user.createCycle({ income_amount: '5.00' });
    const { cycles, comparison } = await user.read<CyclesComparisonResponse>(
      `/reports/cycles-comparison?cycle_ids=${cycle.id},${empty.id}&metrics=${metrics}`,
    );
    expect(cycles.map((one) => one.metrics)).toEqual([
      {
        total_incomes: '350.00',
        net_balance: '1320.00',
        total_expenses: '30.00',
        income_amount: '1000.00',
      },
      {
        total_incomes: '0.00',
        net_balance: '5.00',
        total_expenses: '0.00',
        income_amount: '5.00',
      },
    ]);
    expect(comparison.average_total).toBe('15.00');
  });

  it('the reports have totals of 0.00 for a cycle without incomes', async () => {
    const { user, cycle } = await start();
    const report = await user.read<CycleSummaryResponse>(`/cycles/${cycle.id}/summary`);
    expect(report.incomes).toEqual({
      total_count: 0,
      received_count: 0,
      total_amount_usd: '0.00',
      received_amount: '0.00',
      expected_amount: '0.00',
    });
    expect(report.financial).toMatchObject({ total_incomes_usd: '0.00', net_balance: '100.00' });
  });
});
