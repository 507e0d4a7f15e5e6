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

/** Everything but what depends on the last day that counts for what is free. */
const withoutFree = ({ pay_windows, free_until: _until, ...rest }: ForecastResponse): object => ({
  ...rest,
  windows: pay_windows.map(({ free: _free, limited_by: _limit, ...window }) => window),
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

  it('what counts after its last day changes what is free alone', async () => {
    const user = await household();
    await user.createCycle({
      ...{ start_date: day(-10), end_date: day(20), income_amount: '777.00' },
      generate_from_templates: false,
    });
    const short = await forecastOf(user, `?to=${day(2)}&include=days,entries`);
    const exact = await forecastOf(user, `?to=${day(2)}&free_until=${day(2)}&include=days,entries`);
    const long = await forecastOf(user);
    expect(short).toMatchObject({ to: day(2), free_until: day(180), closing_balance: '777.00' });
    expect(exact).toMatchObject({ free_until: day(2), pay_windows: [{ free: '777.00' }] });
    const [{ free, limited_by } = {}] = long.pay_windows;
    expect(short.pay_windows).toMatchObject([{ free, limited_by }]);
    expect(limited_by).not.toEqual({ date: day(0), balance: '777.00' });
    expect(withoutFree(short)).toEqual(withoutFree(exact));
  });

  it('counts an income that is late in every balance, but not for what is free', async () => {
    const user = await household();
    const { id } = await user.createCycle({
      ...{ start_date: day(-10), end_date: day(20), income_amount: '777.00' },
      generate_from_templates: false,
    });
    await user.createIncome(id, { amount: '100.00', income_date: day(-1) });
    const until = { to: day(1), free_until: day(1) };
    const today = { op: 'add_income', description: 'Gift', currency: 'USD', date: day(0) };
    const body = { ...until, changes: [{ ...today, amount: '5.00' }] };
    const response = await user.post('/forecast', body).expect(200);
    const { base, changed } = response.body as WhatIfResponse;
    expect(base).toMatchObject({
      closing_balance: '877.00',
      overdue: { incomes: '100.00', income_count: 1 },
      pay_windows: [{ free: '777.00', limited_by: { date: day(0), balance: '777.00' } }],
    });
    expect(changed.pay_windows).toMatchObject([
      { incomes: '105.00', closing_balance: '882.00', free: '782.00' },
    ]);
  });

  it('what should always remain is by default what the user has chosen', async () => {
    const user = await household();
    await user.put('/auth/me', { minimum_balance: '50.00' }).expect(200);
    const until = `to=${day(1)}&opening_balance=80.00`;
    const [byDefault, given] = [
      await forecastOf(user, `?${until}&free_until=${day(1)}`),
      await forecastOf(user, `?${until}&free_until=${day(1)}&minimum_balance=0`),
    ];
    expect(byDefault).toMatchObject({ minimum_balance: '50.00', pay_windows: [{ free: '30.00' }] });
    expect(given).toMatchObject({ minimum_balance: '0.00', pay_windows: [{ free: '80.00' }] });
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
    const response = await user
      .post('/forecast', { to: day(1), free_until: day(1), changes })
      .expect(200);
    const { base, difference } = response.body as WhatIfResponse;
    expect(base.closing_balance).toBe('777.00');
    expect(difference).toEqual({
      closing_balance: '-100.00',
      lowest_balance: '-100.00',
      free: '-100.00',
    });
  });
});
