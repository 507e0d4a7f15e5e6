import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { ForecastResponse } from '../../../src/forecast/dto/forecast.dto.js';
import type { WhatIfResponse } from '../../../src/forecast/dto/what-if.dto.js';
import { addDays } from '../../../src/platform/values/calendar-date.js';
import type { Client } from '../../support/client.js';
import { setTime } from '../../support/clock.js';
import { useService } from '../../support/service.js';

const TODAY = '2026-01-10';

const day = (days: number): string => addDays(TODAY, days);

describe('the warnings of a forecast about completed cycles and repeated incomes', () => {
  const service = useService();
  let user: Client;

  beforeAll(() => {
    setTime(`${TODAY}T12:00:00Z`);
  });
  afterAll(() => {
    jest.useRealTimers();
  });
  beforeEach(async () => {
    user = await service.signUp();
  });

  const detailsOf = ({ warnings }: ForecastResponse, code: string): object | undefined =>
    warnings.find((warning) => warning.code === code)?.details;
  const details = async (code: string, query = ''): Promise<object | undefined> =>
    detailsOf(await user.read<ForecastResponse>(`/forecast${query}`), code);

  async function completedCycle(
    [from, to]: [from: number, to: number],
    fields: object = {},
    fill: (id: string) => Promise<unknown> = () => Promise.resolve(),
  ): Promise<{ id: string; name: string }> {
    const { id, name } = await user.createCycle({
      ...{ start_date: day(from), end_date: day(to), income_amount: '0.00' },
      ...{ generate_from_templates: false, ...fields },
    });
    await fill(id);
    await user.put(`/cycles/${id}`, { status: 'completed' }).expect(200);
    return { id, name };
  }

  it('names what is open in completed cycles, latest first', async () => {
    const code = 'open_in_completed_cycles';
    const expense = { amount: '25.00', due_date: day(-40) };
    const addExpense = (id: string): Promise<unknown> => user.createExpense(id, expense);
    await completedCycle([-430, -401], {}, addExpense);
    const old = await completedCycle([-430, -400], {}, addExpense);
    const last = await completedCycle([-30, -1], {}, async (id) => {
      await addExpense(id);
      const { id: paid } = await user.createExpense(id, expense);
      await user.put(`/cycles/${id}/expenses/${paid}`, { paid: true }).expect(200);
      const { id: cancelled } = await user.createExpense(id, expense);
      const cancel = { status: 'cancelled' };
      await user.put(`/cycles/${id}/expenses/${cancelled}`, cancel).expect(200);
      const pesos = { currency: 'MXN', amount: '1000.00', income_date: day(-20) };
      await user.createIncome(id, pesos);
      await user.createIncome(id, { amount: '1.50', income_date: day(-20) });
    });
    const trip = await completedCycle([-5, 3], { side: true }, addExpense);
    await completedCycle([-50, -31], {}, async (id) => {
      const { id: deleted } = await user.createExpense(id, expense);
      await user.delete(`/cycles/${id}/expenses/${deleted}`).expect(204);
    });
    await user.createExpense((await user.createCycle()).id, expense);
    const nothing = { income_count: 0, incomes: '0.00' };
    const one = { expense_count: 1, expenses: '25.00' };
    const expected = {
      cycles: [
        { ...trip, ...one, ...nothing },
        { ...last, ...one, income_count: 2, incomes: '51.50' },
        { ...old, ...one, ...nothing },
      ],
      more: 0,
    };
    expect(await details(code)).toEqual(expected);
    expect(await details(code, '?currency=MXN&opening_balance=1.00')).toEqual(expected);
    const other = await service.signUp();
    expect(detailsOf(await other.read<ForecastResponse>('/forecast'), code)).toBeUndefined();
  });

  it('names an income amount that several cycles repeat while incomes count too', async () => {
    const code = 'repeated_income_amount';
    const cycle = await user.createCycle({
      ...{ start_date: '2026-01-01', end_date: '2026-01-31', income_amount: '777.00' },
    });
    const salary = { op: 'add_income', description: 'Pay', currency: 'USD', amount: '1.00' };
    const compare = async (fields: object): Promise<WhatIfResponse> => {
      const body = { changes: [{ ...salary, date: day(1) }], ...fields };
      return (await user.post('/forecast', body).expect(200)).body as WhatIfResponse;
    };
    const { base, changed } = await compare({ to: '2026-03-01' });
    expect(detailsOf(base, code)).toBeUndefined();
    expect(detailsOf(changed, code)).toEqual({
      cycle: { id: cycle.id, name: cycle.name },
      ...{ income_amount: '777.00', times: 2, total: '1554.00' },
    });
    const once = await compare({ to: '2026-02-28' });
    expect(detailsOf(once.changed, code)).toBeUndefined();
    const pesos = await compare({ to: '2026-03-01', currency: 'MXN' });
    expect(detailsOf(pesos.changed, code)).toBeUndefined();
    await user.createIncome(cycle.id, { income_date: day(-1) });
    expect(await details(code)).toMatchObject({ times: 6, total: '4662.00' });
    await user.put('/auth/me', { next_income_amount: 'zero' }).expect(200);
    expect(await details(code)).toBeUndefined();
  });

  it('names the days that only completed cycles have', async () => {
    const code = 'days_in_completed_cycles';
    await completedCycle([-5, 9]);
    await completedCycle([8, 20]);
    expect(await details(code)).toEqual({
      periods: [{ from: TODAY, to: day(20) }],
      more: 0,
    });
    expect(await details(code, `?to=${day(15)}`)).toEqual({
      periods: [{ from: TODAY, to: day(15) }],
      more: 0,
    });
    // A trip takes no days.
    const days = { start_date: day(3), end_date: day(12) };
    await user.createCycle({ ...days, name: 'Trip', side: true });
    await completedCycle([30, 40], { side: true });
    expect(await details(code)).toMatchObject({ periods: [{ from: TODAY, to: day(20) }] });
    await user.createCycle({ ...days, name: 'Open' });
    expect(await details(code)).toEqual({
      periods: [
        { from: TODAY, to: day(2) },
        { from: day(13), to: day(20) },
      ],
      more: 0,
    });
    await completedCycle([-20, -6]);
    expect(await details(code, `?to=${TODAY}`)).toEqual({
      periods: [{ from: TODAY, to: TODAY }],
      more: 0,
    });
  });
});
