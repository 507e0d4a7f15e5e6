import { describe, expect, it } from '@jest/globals';
import type { NextCycleResponse } from '../../../src/cycles/dto/next-cycle.dto.js';
import type { PreviewResponse } from '../../../src/cycles/dto/preview.dto.js';
import type { Client } from '../../support/client.js';
import { passMidnight } from '../../support/clock.js';
import { expectError, expectInvalid } from '../../support/errors.js';
import { useService } from '../../support/service.js';

await passMidnight();

const service = useService();

const CYCLE = { start_date: '2026-01-19', end_date: '2026-03-01', income_amount: '5000.00' };

const preview = async (user: Client, body: object = {}): Promise<PreviewResponse> =>
  (await user.post('/cycles/preview', { ...CYCLE, ...body }).expect(200)).body as PreviewResponse;

const warningsOf = async (user: Client, body: object = {}): Promise<Record<string, unknown>> => {
  const { warnings } = await preview(user, body);
  return Object.fromEntries(warnings.map(({ code, details }) => [code, details]));
};

describe('POST /cycles/preview', () => {
  it('a preview shows the cycle, its entries and its cash flow', async () => {
    const user = await service.signUp();
    const { id } = await user.createTemplate({ base_amount: '6000.00' });
    const { cycle, expenses, incomes, cash_flow } = await preview(user, { name: ' Spring ' });
    expect(cycle).toMatchObject({ name: 'Spring', remaining_balance: '-7000.00', status: 'draft' });
    expect(expenses).toMatchObject([
      { due_date: '2026-02-01', template_id: id, occurrence_date: '2026-02-01', status: 'pending' },
      { due_date: '2026-03-01', template_id: id, occurrence_date: '2026-03-01', status: 'pending' },
    ]);
    expect(incomes).toEqual([]);
    expect(cash_flow).toMatchObject({
      opening_balance: '5000.00',
      lowest: { date: '2026-03-01', balance_usd: '-7000.00' },
      closing_balance: '-7000.00',
    });
    expect((await preview(user)).cycle.name).toBeNull();
    expect((await preview(user, { generate_from_templates: false })).expenses).toEqual([]);
  });

  it('a preview warns about the name and about other cycles', async () => {
    const user = await service.signUp();
    expect(await warningsOf(user)).toEqual({});
    const { id, name } = await user.createCycle({
      start_date: '2025-12-01',
      end_date: '2026-01-10',
    });
    const cycle = { id, name, start_date: '2025-12-01', end_date: '2026-01-10' };
    expect(await warningsOf(user, { name })).toEqual({
      name_taken: { cycles: [cycle] },
      gap_to_previous: { cycles: [cycle], days: 8 },
    });
    expect(await warningsOf(user, { start_date: '2026-01-11', end_date: '2026-02-01' })).toEqual(
      {},
    );
    const overlap = { start_date: '2026-01-10', end_date: '2026-02-01' };
    expect(await warningsOf(user, overlap)).toEqual({ overlaps_cycle: { cycles: [cycle] } });
    const other = await service.signUp();
    expect(await warningsOf(other, { name, ...overlap })).toEqual({});
  });

  it('a preview does not warn about a gap when another cycle shares days', async () => {
    const user = await service.signUp();
    await user.createCycle({ start_date: '2025-12-01', end_date: '2026-01-10' });
    await user.createCycle({ start_date: '2026-02-20', end_date: '2026-03-20' });
    expect(Object.keys(await warningsOf(user))).toEqual(['overlaps_cycle']);
  });

  it('a preview finds gaps and overlaps among the cycles without side', async () => {
    const user = await service.signUp();
    const trip = { start_date: '2026-01-12', end_date: '2026-01-18', side: true };
    const { id, name } = await user.createCycle({
      start_date: '2025-12-01',
      end_date: '2026-01-10',
    });
    const { name: taken } = await user.createCycle(trip);
    await user.createCycle({ ...trip, start_date: '2026-02-01', end_date: '2026-02-10' });
    const cycle = { id, name, start_date: '2025-12-01', end_date: '2026-01-10' };
    const gap = { gap_to_previous: { cycles: [cycle], days: 8 } };
    expect(await warningsOf(user)).toEqual(gap);
    expect(await warningsOf(user, { name: taken })).toMatchObject(gap);
    // One with side has no days that another one has, and follows none.
    expect(await warningsOf(user, { side: true })).toEqual({});
    expect(Object.keys(await warningsOf(user, { side: true, name }))).toEqual(['name_taken']);
    const overlap = { start_date: '2026-01-05', end_date: '2026-01-31', side: true, name };
    expect(await warningsOf(user, overlap)).toEqual({ name_taken: { cycles: [cycle] } });
    await user.put(`/cycles/${id}`, { side: true }).expect(200);
    expect(await warningsOf(user)).toEqual({});
  });

  it('a preview generates nothing with side, unless it is asked to', async () => {
    const user = await service.signUp();
    await user.createTemplate();
    const trip = await preview(user, { side: true });
    expect([trip.cycle.side, trip.expenses]).toEqual([true, []]);
    const filled = await preview(user, { side: true, generate_from_templates: true });
    expect(filled.expenses).toHaveLength(2);
    expect((await preview(user, { side: null })).cycle.side).toBe(false);
  });

  it('a preview adds an opening balance to every balance, but not to that of the cycle', async () => {
    const user = await service.signUp();
    await user.createTemplate({ base_amount: '6000.00' });
    const without = await preview(user, { opening_balance: null });
    expect(without).toEqual(await preview(user));
    expect(without.warnings.map(({ code }) => code)).toEqual(['negative_balance']);
    const { cycle, cash_flow, warnings } = await preview(user, { opening_balance: '7000.00' });
    expect(cycle).toEqual(without.cycle);
    expect(cash_flow).toMatchObject({
      opening_balance: '12000.00',
      lowest: { date: '2026-03-01', balance_usd: '0.00' },
      closing_balance: '0.00',
    });
    expect(warnings).toEqual([]);
    const day = { date: '2026-03-01', balance_usd: '-0.01' };
    expect(await warningsOf(user, { opening_balance: '6999.99' })).toEqual({
      negative_balance: { first: day, lowest: day },
    });
    const body = { ...CYCLE, name: 'Spring', opening_balance: '1.00' };
    expectInvalid(await user.post('/cycles', body), 'opening_balance');
  });

  it('a preview warns about payment methods, rates and the balance', async () => {
    const user = await service.signUp();
    const method = await user.createPaymentMethod();
    await user.createTemplate({ payment_method_id: method.id });
    await user.delete(`/payment-methods/${method.id}`).expect(204);
    const inactive = { payment_methods: [{ id: method.id, name: method.name }] };
    expect(await warningsOf(user)).toEqual({ inactive_payment_method: inactive });
    const day = (date: string, balance_usd: string): object => ({ date, balance_usd });
    expect(await warningsOf(user, { income_amount: '1199.99' })).toEqual({
      inactive_payment_method: inactive,
      negative_balance: {
        first: day('2026-02-01', '-0.01'),
        lowest: day('2026-03-01', '-1200.01'),
      },
    });
    expect(await warningsOf(user, { generate_from_templates: false })).toEqual({});
  });

  it('a preview warns about rates that are later or more than 35 days earlier', async () => {
    const user = await service.signUp();
    await user.createIncomeTemplate({
      currency: 'MXN',
      recurrence_type: 'custom',
      recurrence_config: { interval: 1, unit: 'days' },
    });
    const days = { start_date: '2025-02-03', end_date: '2025-02-06' };
    const { stale_rate } = await warningsOf(user, days);
    const entries = (stale_rate as { entries: object[] }).entries;
    // The starting rate is that of 2025-01-01.
    expect(entries).toMatchObject([{ date: '2025-02-06' }]);
    expect(entries[0]).toEqual({
      entity_type: 'cycle_income',
      template_id: expect.any(String),
      description: 'Pay',
      date: '2025-02-06',
      exchange_rate: { rate: '0.050000', rate_date: '2025-01-01' },
    });
    const before = { start_date: '2024-12-30', end_date: '2025-01-02' };
    const { future_rate } = await warningsOf(user, before);
    expect((future_rate as { entries: object[] }).entries).toMatchObject([
      { date: '2024-12-30' },
      { date: '2024-12-31' },
    ]);
  });

  it('POST /cycles/preview has the errors of POST /cycles, except the taken name', async () => {
    const user = await service.signUp();
    const wrong = { ...CYCLE, end_date: CYCLE.start_date };
    expectError(await user.post('/cycles/preview', wrong), 422, 'INVALID_CYCLE_DATES');
    await user.createTemplate({ currency: 'MXN', base_amount: '0.01' });
    expectError(await user.post('/cycles/preview', CYCLE), 422, 'CYCLE_GENERATION_ERROR');
  });
});

describe('GET /cycles/next', () => {
  const next = (user: Client): Promise<NextCycleResponse> => user.read('/cycles/next');

  it('the proposed cycle follows the one with the latest end date, and can be created', async () => {
    const user = await service.signUp();
    const { id } = await user.createCycle({ ...CYCLE, income_amount: '4321.00' });
    await user.createCycle({ start_date: '2025-01-01', end_date: '2025-01-10' });
    const { follows, ...proposal } = await next(user);
    expect(proposal).toEqual({
      start_date: '2026-03-02',
      end_date: '2026-04-12',
      income_amount: '4321.00',
      name: '2026-03-02 to 2026-04-12',
    });
    expect(follows).toEqual({ cycle_id: id, left_over: '4321.00' });
    const created = await user.createCycle({ ...proposal });
    expect(created).toMatchObject(proposal);
    await user.put(`/cycles/${created.id}`, { status: 'completed' }).expect(200);
    expect((await next(user)).start_date).toBe('2026-04-13');
  });

  it('GET /cycles/next has what is left over of the cycle that it follows, completed or not', async () => {
    const user = await service.signUp();
    expect((await next(user)).follows).toBeNull();
    const { id } = await user.createCycle({ ...CYCLE, generate_from_templates: false });
    const path = `/cycles/${id}`;
    const { id: paid } = await user.createExpense(id, { amount: '70.00' });
    await user.put(`${path}/expenses/${paid}`, { paid: true }).expect(200);
    const { id: cancelled } = await user.createExpense(id, { amount: '11.00' });
    await user.put(`${path}/expenses/${cancelled}`, { status: 'cancelled' }).expect(200);
    const { id: deleted } = await user.createExpense(id, { amount: '13.00' });
    await user.delete(`${path}/expenses/${deleted}`).expect(204);
    await user.createExpense(id, { amount: '200.00' });
    const { id: received } = await user.createIncome(id, { amount: '5.00' });
    await user.put(`${path}/incomes/${received}`, { received: true }).expect(200);
    await user.createIncome(id, { amount: '900.00' });
    const { remaining_balance } = await user.cycle(id);
    expect(remaining_balance).toBe('5635.00');
    const follows = { cycle_id: id, left_over: '4935.00' };
    expect((await next(user)).follows).toEqual(follows);
    await user.put(path, { status: 'completed' }).expect(200);
    expect((await next(user)).follows).toEqual(follows);
  });

  it('GET /cycles/next can have less than nothing left over', async () => {
    const user = await service.signUp();
    const { id } = await user.createCycle({ ...CYCLE, income_amount: '0.00' });
    const { id: paid } = await user.createExpense(id, { amount: '70.00' });
    await user.put(`/cycles/${id}/expenses/${paid}`, { paid: true }).expect(200);
    expect((await next(user)).follows).toEqual({ cycle_id: id, left_over: '-70.00' });
  });

  it('the proposed cycle follows the one created later of those with the same end date', async () => {
    const user = await service.signUp();
    await user.createCycle({ start_date: '2026-01-01', end_date: '2026-01-20' });
    await user.createCycle({
      start_date: '2026-01-11',
      end_date: '2026-01-20',
      income_amount: '7.00',
    });
    expect(await next(user)).toMatchObject({ end_date: '2026-01-30', income_amount: '7.00' });
  });

  it.each([
    ['a month', '2026-01-01', '2026-01-31', '2026-02-01', '2026-02-28'],
    ['the first half of a month', '2026-02-01', '2026-02-15', '2026-02-16', '2026-02-28'],
    ['the second half of a month', '2026-02-16', '2026-02-28', '2026-03-01', '2026-03-15'],
    ['a month from the 15th', '2026-01-15', '2026-02-14', '2026-02-15', '2026-03-14'],
    [
      'a month of 28 days without a cycle before',
      '2026-02-15',
      '2026-03-14',
      '2026-03-15',
      '2026-04-14',
    ],
  ])('after %s the proposed cycle is a calendar period', async (_, ...dates) => {
    const user = await service.signUp();
    const [start_date, end_date, start, end] = dates;
    const { id } = await user.createCycle({ start_date, end_date });
    const { follows, ...proposal } = await next(user);
    expect(follows).toEqual({ cycle_id: id, left_over: '5000.00' });
    expect(proposal).toMatchObject({ start_date: start, end_date: end });
    await user.createCycle({ ...proposal });
  });

  it('the proposed cycle follows the latest one without side, and takes no name of one with it', async () => {
    const user = await service.signUp();
    await user.createCycle(CYCLE);
    const trip = { start_date: '2026-02-20', end_date: '2026-03-20', side: true };
    const { id } = await user.createCycle({ ...trip, name: '2026-03-02 to 2026-04-12' });
    expect(await next(user)).toMatchObject({
      start_date: '2026-03-02',
      name: '2026-03-02 to 2026-04-12 (2)',
    });
    await user.put(`/cycles/${id}`, { side: false }).expect(200);
    expect(await next(user)).toMatchObject({ start_date: '2026-03-21' });
  });

  it('the proposed cycle after 28 days is a month only after a month', async () => {
    const user = await service.signUp();
    const before = await user.createCycle({ start_date: '2026-01-18', end_date: '2026-02-14' });
    await user.createCycle({ start_date: '2026-02-15', end_date: '2026-03-14' });
    expect(await next(user)).toMatchObject({ start_date: '2026-03-15', end_date: '2026-04-11' });
    await user.put(`/cycles/${before.id}`, { start_date: '2026-01-15' }).expect(200);
    expect(await next(user)).toMatchObject({ start_date: '2026-03-15', end_date: '2026-04-14' });
    // Of the cycles that ended on the day before, the one created last decides, without deleted ones
    // and those with side.
    const late = await user.createCycle({ start_date: '2026-02-01', end_date: '2026-02-14' });
    expect(await next(user)).toMatchObject({ end_date: '2026-04-11' });
    await user.put(`/cycles/${late.id}`, { side: true }).expect(200);
    expect(await next(user)).toMatchObject({ end_date: '2026-04-14' });
  });

  it('the proposed cycle has an income of 0.00 if the user wants it so', async () => {
    const user = await service.signUp();
    await user.createCycle({ ...CYCLE, income_amount: '4321.00' });
    await user.put('/auth/me', { next_income_amount: 'zero' }).expect(200);
    expect(await next(user)).toMatchObject({ start_date: '2026-03-02', income_amount: '0.00' });
    const script = await user.script();
    expect(await next(script)).toMatchObject({ income_amount: '0.00' });
    await user.put('/auth/me', { next_income_amount: 'same' }).expect(200);
    expect(await next(user)).toMatchObject({ income_amount: '4321.00' });
    expect(await next(script)).toMatchObject({ income_amount: '4321.00' });
  });

  it('the proposed cycle has no name of a cycle with side if there is no other one', async () => {
    const user = await service.signUp();
    const { name } = await next(user);
    await user.createCycle({ ...CYCLE, name, side: true });
    expect(await next(user)).toMatchObject({ name: `${name} (2)`, income_amount: '0.00' });
  });

  it('GET /cycles/next proposes a name that no cycle has', async () => {
    const user = await service.signUp();
    const name = '2026-03-02 to 2026-04-12';
    await user.createCycle(CYCLE);
    await user.createCycle({ name, start_date: '2025-01-01', end_date: '2025-01-10' });
    expect((await next(user)).name).toBe(`${name} (2)`);
  });

  it('the proposed cycle starts today if there is no cycle, or only a deleted one', async () => {
    const user = await service.signUp();
    const { id } = await user.createCycle(CYCLE);
    await user.delete(`/cycles/${id}`).expect(204);
    const { follows, ...proposal } = await next(user);
    expect(follows).toBeNull();
    const today = new Date().toISOString().slice(0, 10);
    const end = new Date(Date.now() + 41 * 86_400_000).toISOString().slice(0, 10);
    expect(proposal).toMatchObject({ start_date: today, end_date: end, income_amount: '0.00' });
    await user.createCycle({ ...proposal });
  });

  it('GET /cycles/next does not propose dates after the year 2999', async () => {
    const user = await service.signUp();
    await user.createCycle({ start_date: '2999-11-20', end_date: '2999-12-01' });
    expect((await next(user)).end_date).toBe('2999-12-13');
    await user.createCycle({ start_date: '2999-12-02', end_date: '2999-12-30' });
    expectError(await user.get('/cycles/next'), 422, 'INVALID_CYCLE_DATES');
  });
});

describe('GET /cycles/{id}/cash-flow', () => {
  it('the cash flow counts entries outside the cycle on its first and last day', async () => {
    const user = await service.signUp();
    const { id } = await user.createCycle({ start_date: '2026-01-01', end_date: '2026-01-03' });
    await user.createExpense(id, { amount: '10.00', due_date: '2025-12-20' });
    await user.createExpense(id, { amount: '20.00', due_date: '2026-02-20' });
    await user.createIncome(id, { amount: '30.00', income_date: '2026-01-02' });
    const day = (date: string, incomes_usd: string, expenses_usd: string, balance_usd: string) => ({
      ...{ date, incomes_usd, expenses_usd, balance_usd },
    });
    expect(await user.read(`/cycles/${id}/cash-flow`)).toEqual({
      opening_balance: '5000.00',
      days: [
        day('2026-01-01', '0.00', '10.00', '4990.00'),
        day('2026-01-02', '30.00', '0.00', '5020.00'),
        day('2026-01-03', '0.00', '20.00', '5000.00'),
      ],
      lowest: { date: '2026-01-01', balance_usd: '4990.00' },
      closing_balance: '5000.00',
    });
  });

  it('GET /cycles/{id}/cash-flow adds an opening balance to every balance', async () => {
    const user = await service.signUp();
    const { id } = await user.createCycle({ start_date: '2026-01-01', end_date: '2026-01-02' });
    await user.createExpense(id, { amount: '10.00', due_date: '2026-01-02' });
    expect(await user.read(`/cycles/${id}/cash-flow?opening_balance=-5000.5`)).toEqual({
      opening_balance: '-0.50',
      days: [
        {
          ...{ date: '2026-01-01', incomes_usd: '0.00', expenses_usd: '0.00' },
          balance_usd: '-0.50',
        },
        {
          ...{ date: '2026-01-02', incomes_usd: '0.00', expenses_usd: '10.00' },
          balance_usd: '-10.50',
        },
      ],
      lowest: { date: '2026-01-02', balance_usd: '-10.50' },
      closing_balance: '-10.50',
    });
    const cashFlow = await user.read(`/cycles/${id}/cash-flow`);
    expect(await user.read(`/cycles/${id}/cash-flow?opening_balance=-0`)).toEqual(cashFlow);
  });

  it("GET /cycles/{id}/cash-flow is 404 for another user's cycle and a deleted one", async () => {
    const user = await service.signUp();
    const other = await service.signUp();
    const { id } = await user.createCycle();
    expectError(await other.get(`/cycles/${id}/cash-flow`), 404, 'CYCLE_NOT_FOUND');
    await user.delete(`/cycles/${id}`).expect(204);
    expectError(await user.get(`/cycles/${id}/cash-flow`), 404, 'CYCLE_NOT_FOUND');
  });
});
