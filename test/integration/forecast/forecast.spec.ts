import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { ForecastResponse } from '../../../src/forecast/dto/forecast.dto.js';
import type { WhatIfResponse } from '../../../src/forecast/dto/what-if.dto.js';
import { addDays } from '../../../src/platform/values/calendar-date.js';
import type { Client } from '../../support/client.js';
import { setTime } from '../../support/clock.js';
import { useService } from '../../support/service.js';

const TODAY = '2026-01-10';

const day = (days: number): string => addDays(TODAY, days);

const forecastOf = async (user: Client, query = ''): Promise<ForecastResponse> =>
  (await user.get(`/forecast${query}`).expect(200)).body as ForecastResponse;

/** Everything but ids, names and what tells stored cycles from others. */
const numbersOf = ({
  cycles,
  entries,
  warnings: _warnings,
  ...rest
}: ForecastResponse): object => ({
  ...rest,
  cycles: cycles.map(({ id: _id, source: _source, ...cycle }) => cycle),
  entries: entries?.map(({ id: _id, cycle_id: _cycle, ...entry }) => entry),
});

describe('the forecast', () => {
  const service = useService();
  beforeAll(() => {
    setTime(`${TODAY}T12:00:00Z`);
  });
  afterAll(() => {
    jest.useRealTimers();
  });

  async function household(): Promise<Client> {
    const user = await service.signUp();
    await user.createTemplate({ base_amount: '6000.00', recurrence_config: { day_of_month: 3 } });
    await user.createTemplate({
      base_amount: '25.00',
      currency: 'USD',
      recurrence_type: 'weekly',
      recurrence_config: { day_of_week: 2 },
    });
    return user;
  }

  it.each([
    ['that includes today', -60, -32],
    ['that follow the current one', -10, 20],
    ['that fill a gap', -60, -41],
  ])('creating the cycles %s changes no number', async (_which, from, to) => {
    const user = await household();
    await user.createCycle({ start_date: day(from), end_date: day(to), income_amount: '777.00' });
    const later = { start_date: day(33), end_date: day(50), name: 'Later' };
    await user.createCycle({ ...later, income_amount: '111.00' });
    const query = `?to=${day(120)}&include=days,entries`;
    const before = await forecastOf(user, query);
    for (const { name, start_date, end_date, source } of before.cycles) {
      if (source === 'stored') continue;
      const isCut = end_date === day(32);
      const income_amount = isCut ? '0.00' : start_date < day(33) ? '777.00' : '111.00';
      await user.createCycle({ name, start_date, end_date, income_amount });
    }
    const after = await forecastOf(user, query);
    expect(numbersOf(after)).toEqual(numbersOf(before));
    expect(after.cycles.every(({ source }) => source === 'stored')).toBe(true);
  });

  it('has cycles that follow without the income amount if the user wants it so', async () => {
    const user = await household();
    await user.createCycle({ start_date: day(-40), end_date: day(-11), income_amount: '777.00' });
    const proposed = async (): Promise<object[]> =>
      (await forecastOf(user, `?to=${day(40)}`)).cycles
        .filter(({ source }) => source === 'proposed')
        .map(({ start_date, incomes }) => ({ start_date, incomes }));
    expect(await proposed()).toEqual([
      { start_date: day(-10), incomes: '0.00' },
      { start_date: day(20), incomes: '777.00' },
    ]);
    const withIncome = await forecastOf(user, `?to=${day(40)}`);
    expect(withIncome.opening_balance).toBe('1554.00');
    await user.put('/auth/me', { next_income_amount: 'zero' }).expect(200);
    expect(await proposed()).toEqual([
      { start_date: day(-10), incomes: '0.00' },
      { start_date: day(20), incomes: '0.00' },
    ]);
    // The stored cycle keeps its own.
    const without = await forecastOf(user, `?to=${day(40)}`);
    expect(without.opening_balance).toBe('777.00');
  });

  it('finds cycles that follow, gaps and overlaps among the cycles without side', async () => {
    const user = await household();
    await user.createCycle({ start_date: day(-10), end_date: day(9), income_amount: '777.00' });
    await user.createCycle({ start_date: day(20), end_date: day(39), income_amount: '1.00' });
    const query = `?to=${day(39)}&include=days,entries`;
    const before = await forecastOf(user, query);
    const trip = { start_date: day(5), end_date: day(25), name: 'Trip', income_amount: '0.00' };
    const { id } = await user.createCycle({ ...trip, side: true });
    expect(numbersOf(await forecastOf(user, query))).toMatchObject({
      ...numbersOf(before),
      cycles: expect.any(Array),
    });
    const after = await forecastOf(user, query);
    expect(after.warnings).toEqual(before.warnings);
    expect(after.cycles.filter(({ id: cycle }) => cycle !== id)).toEqual(before.cycles);
    // What is planned in it counts.
    await user.createExpense(id, { amount: '40.00', due_date: day(6) });
    const spent = await forecastOf(user, query);
    expect(Number(spent.closing_balance)).toBe(Number(before.closing_balance) - 40);
    await user.put(`/cycles/${id}`, { side: false }).expect(200);
    const codes = (await forecastOf(user, query)).warnings.map(({ code }) => code);
    expect(codes).toContain('overlaps_cycle');
    expect(codes).not.toContain('days_without_cycle');
  });

  it('its balance is that of the cycle', async () => {
    const user = await household();
    const cycle = { start_date: day(-10), end_date: day(20), income_amount: '777.00' };
    const { id } = await user.createCycle(cycle);
    const { expenses } = (await user.get(`/cycles/${id}/expenses`)).body as {
      expenses: { id: string }[];
    };
    await user.put(`/cycles/${id}/expenses/${expenses[0]?.id}`, { paid: true }).expect(200);
    const { remaining_balance } = (await user.get(`/cycles/${id}`)).body as {
      remaining_balance: string;
    };
    expect((await forecastOf(user, `?to=${day(20)}`)).closing_balance).toBe(remaining_balance);
  });

  it('changes add entries and convert at another rate', async () => {
    const user = await household();
    await user.createCycle({
      start_date: day(-10),
      end_date: day(20),
      income_amount: '777.00',
      generate_from_templates: false,
    });
    const changes = [
      { op: 'exchange_rate', rate: '0.100000' },
      { op: 'add_expense', description: 'TV', currency: 'MXN', amount: 1000, date: day(1) },
    ];
    const response = await user.post('/forecast', { to: day(1), changes }).expect(200);
    const { base, difference } = response.body as WhatIfResponse;
    expect(base.closing_balance).toBe('777.00');
    expect(difference).toEqual({
      closing_balance: '-100.00',
      lowest_balance: '-100.00',
      free: '-100.00',
    });
  });
});
