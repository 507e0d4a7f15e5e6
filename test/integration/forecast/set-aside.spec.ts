import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { BudgetResponse } from '../../../src/budgets/dto/budget.dto.js';
import type { CycleResponse } from '../../../src/cycles/dto/cycle.dto.js';
import type { ForecastResponse } from '../../../src/forecast/dto/forecast.dto.js';
import type { WhatIfResponse } from '../../../src/forecast/dto/what-if.dto.js';
import type { Client } from '../../support/client.js';
import { setTime } from '../../support/clock.js';
import { expectError, expectInvalid } from '../../support/errors.js';
import { useService } from '../../support/service.js';

const TODAY = '2026-01-10';

describe('the forecast with set_aside=budgets', () => {
  const service = useService();
  let user: Client;
  let food: BudgetResponse;
  let home: BudgetResponse;
  let cycle: CycleResponse;

  beforeAll(() => {
    setTime(`${TODAY}T12:00:00Z`);
  });
  afterAll(() => {
    jest.useRealTimers();
  });

  const january = { start_date: '2026-01-01', end_date: '2026-01-31', income_amount: '0.00' };

  /** Two budgets with a limit, of which groceries have 150.00 left in January, the house 0.00. */
  beforeEach(async () => {
    user = await service.signUp();
    food = await user.createBudget({ name: 'Despensa', limit: '200.00' });
    home = await user.createBudget({ name: 'Casa', limit: '100.00' });
    cycle = await user.createCycle(january);
    await user.createIncome(cycle.id, { amount: '1000.00', income_date: '2026-01-15' });
    await user.createExpense(cycle.id, {
      ...{ amount: '1000.00', currency: 'MXN', due_date: '2026-01-20', budget_id: food.id },
    });
    await user.createExpense(cycle.id, {
      ...{ amount: '100.00', due_date: '2026-01-31', budget_id: home.id },
    });
  });

  const forecastOf = (query = ''): Promise<ForecastResponse> =>
    user.read(`/forecast?to=2026-01-31&free_until=2026-01-31&include=days,entries${query}`);

  it('counts what is left as spent day by day, with one entry on the last day', async () => {
    const without = await forecastOf();
    expect(await forecastOf('&set_aside=none')).toEqual(without);
    const result = await forecastOf('&set_aside=budgets');
    expect(result.entries?.map(({ entity_type }) => entity_type)).toEqual([
      ...['cycle_income', 'cycle_expense', 'cycle_expense', 'budget'],
    ]);
    expect(result.entries?.at(-1)).toEqual({
      ...{ date: '2026-01-31', entry_date: '2026-01-31', entity_type: 'budget', id: food.id },
      ...{ cycle_id: cycle.id, template_id: null, occurrence_date: null, category: null },
      ...{ instalment: null, description: 'Despensa', budget: { id: food.id, name: 'Despensa' } },
      ...{ payment_method: null, currency: 'USD', amount: '150.00', amount_usd: '150.00' },
    });
    expect(result.days?.at(-1)).toEqual({
      ...{ date: '2026-01-31', incomes: '0.00', expenses: '106.82', set_aside: '6.82' },
      balance: '700.00',
    });
    // 150.00 in 22 days, cut to cents.
    const [today, tomorrow] = result.days ?? [];
    expect([today?.balance, tomorrow?.balance]).toEqual(['-6.81', '-13.63']);
    expect(result).toMatchObject({
      closing_balance: '700.00',
      overdue: without.overdue,
      cycles: [{ expenses: '300.00', closing_balance: '700.00' }],
      pay_windows: [
        {
          ...{ expenses: '34.09', set_aside: '34.09', expense_count: 0, closing_balance: '-34.09' },
          ...{ free: '0.00', limited_by: { date: '2026-01-14', balance: '-34.09' } },
        },
        { expenses: '265.91', set_aside: '115.91', expense_count: 2, free: '700.00' },
      ],
    });
    expect(result).not.toHaveProperty('set_aside');
    expect(without.pay_windows.at(-1)).toMatchObject({
      ...{ set_aside: '0.00', free: '850.00', expense_count: 2 },
    });
    // The budgets of entries are there in any case.
    expect(without.entries?.map(({ budget }) => budget?.name ?? null)).toEqual([
      ...[null, 'Despensa', 'Casa'],
    ]);
  });

  it('has an entry for each budget with something left, by name, after the expenses of the day', async () => {
    await user.put(`/cycles/${cycle.id}`, {
      budget_limits: [
        { budget_id: food.id, limit: '50.01' },
        { budget_id: home.id, limit: '100.02' },
      ],
    });
    await user.createIncome(cycle.id, { amount: '5.00', income_date: '2026-01-31' });
    const { entries } = await forecastOf('&set_aside=budgets');
    const shown = entries?.map(({ description, amount }) => `${description} ${amount}`).slice(-4);
    expect(shown?.slice(1)).toEqual(['Casa 0.02', 'Despensa 0.01', 'Refund 5.00']);
    // In code points, unlike in UTF-16; of one budget in several cycles by their creation.
    await user.put(`/budgets/${food.id}`, { name: '～' }).expect(200);
    await user.put(`/budgets/${home.id}`, { name: '🛒' }).expect(200);
    const other = await user.createCycle({ ...january, start_date: '2025-12-31' });
    const aside = (await forecastOf('&set_aside=budgets')).entries
      ?.filter(({ entity_type }) => entity_type === 'budget')
      .map(({ description, cycle_id }) => [description, cycle_id]);
    expect(aside).toEqual([
      ['～', cycle.id],
      ['～', other.id],
      ['🛒', cycle.id],
      ['🛒', other.id],
    ]);
  });

  it('counts paid expenses as spent, and cancelled ones not', async () => {
    const left = async (): Promise<unknown> =>
      (await forecastOf('&set_aside=budgets')).entries
        ?.filter(({ entity_type }) => entity_type === 'budget')
        .map(({ description, amount }) => [description, amount]);
    const { expenses } = await user.expenses(cycle.id);
    const [groceries, rent] = expenses.map(({ id }) => `/cycles/${cycle.id}/expenses/${id}`);
    await user.put(groceries ?? '', { paid: true }).expect(200);
    expect(await left()).toEqual([['Despensa', '150.00']]);
    await user.put(rent ?? '', { status: 'cancelled' }).expect(200);
    expect(await left()).toEqual([
      ['Casa', '100.00'],
      ['Despensa', '150.00'],
    ]);
  });

  it('half of a month takes about half of what is left, so that only the rest is free', async () => {
    const ana = await service.signUp();
    await ana.createBudget({ name: 'Groceries', limit: '600.00' });
    const month = { start_date: TODAY, end_date: '2026-02-08', income_amount: '500.00' };
    const { id } = await ana.createCycle(month);
    await ana.createIncome(id, { amount: '900.00', income_date: '2026-01-24' });
    const query = `?to=2026-02-08&free_until=2026-02-08&set_aside=budgets`;
    const { pay_windows } = await ana.read<ForecastResponse>(`/forecast${query}`);
    expect(pay_windows).toMatchObject([
      { to: '2026-01-23', set_aside: '280.00', closing_balance: '220.00', free: '220.00' },
      { to: '2026-02-08', set_aside: '320.00', closing_balance: '800.00', free: '800.00' },
    ]);
  });

  it('counts until the last day what a cycle that goes on has set aside', async () => {
    const until = async (to: string): Promise<ForecastResponse> =>
      user.read(`/forecast?to=${to}&include=days,entries&set_aside=budgets`);
    const [start, whole] = [await until('2026-01-14'), await until('2026-01-31')];
    expect(start.entries).toMatchObject([
      { date: '2026-01-14', entry_date: '2026-01-14', entity_type: 'budget', amount: '34.09' },
    ]);
    expect(start).toMatchObject({ closing_balance: '-34.09', cycles: [{ expenses: '34.09' }] });
    expect(start.days).toEqual(whole.days?.slice(0, 5));
    expect(start.pay_windows).toEqual(whole.pay_windows.slice(0, 1));
  });

  it('leaves out cycles that are completed, have ended, or begin after the last day', async () => {
    const ofDay = async (to: string): Promise<number> => {
      const { entries } = await user.read<ForecastResponse>(
        `/forecast?to=${to}&include=entries&set_aside=budgets`,
      );
      return entries?.filter(({ entity_type }) => entity_type === 'budget').length ?? 0;
    };
    expect(await ofDay('2026-01-31')).toBe(1);
    expect(await ofDay('2026-02-01')).toBe(3);
    await user.createCycle({ ...january, start_date: '2025-12-20', end_date: '2026-01-09' });
    expect(await ofDay('2026-01-31')).toBe(1);
    await user.createCycle({ ...january, start_date: '2025-12-20', end_date: TODAY });
    expect(await ofDay('2026-01-31')).toBe(3);
    await user.put(`/cycles/${cycle.id}`, { status: 'completed' }).expect(200);
    expect(await ofDay('2026-01-31')).toBe(2);
  });

  it('filters them like an income_amount', async () => {
    const types = async (query: string): Promise<string[] | undefined> =>
      (await forecastOf(`&set_aside=budgets${query}`)).entries?.map((entry) => entry.entity_type);
    // What is left is the same, whatever the filter leaves of the expenses.
    expect(await types('&currency=USD')).toEqual(['cycle_income', 'cycle_expense', 'budget']);
    expect((await forecastOf('&set_aside=budgets&currency=USD')).closing_balance).toBe('750.00');
    expect(await types('&currency=MXN')).toEqual(['cycle_expense']);
    const { payment_method } = (await user.expenses(cycle.id)).expenses[0] ?? {};
    expect(await types(`&payment_method_id=${payment_method?.id}`)).toEqual(['cycle_expense']);
  });

  it('creating the cycles that would follow changes no number', async () => {
    await user.createTemplate({
      ...{ base_amount: '600.00', currency: 'MXN', recurrence_config: { day_of_month: 3 } },
      budget_id: food.id,
    });
    await user.createTemplate({ base_amount: '101.00', budget_id: home.id });
    const query = '/forecast?to=2026-04-10&include=days,entries&set_aside=budgets';
    const before = await user.read<ForecastResponse>(query);
    const aside = before.entries?.filter(({ entity_type }) => entity_type === 'budget');
    expect(aside).toMatchObject([
      { date: '2026-01-31', amount: '150.00', cycle_id: cycle.id },
      { date: '2026-02-28', amount: '170.00', cycle_id: null, id: food.id },
      { date: '2026-03-31', amount: '170.00', cycle_id: null },
      { date: '2026-04-10', amount: '56.66', cycle_id: null },
    ]);
    for (const { name, start_date, end_date, source } of before.cycles) {
      if (source === 'stored') continue;
      await user.createCycle({ name, start_date, end_date, income_amount: '0.00' });
    }
    const { entries, cycles, ...numbers } = await user.read<ForecastResponse>(query);
    // Stored entries are converted already, so that their rate is no warning.
    const others = { entries: [], cycles: [], warnings: [] };
    expect({ ...numbers, ...others }).toEqual({ ...before, ...others });
    const withoutIds = (response: Pick<ForecastResponse, 'entries'>) =>
      response.entries?.map(({ id: _id, cycle_id: _cycle, ...entry }) => entry);
    expect(withoutIds({ entries })).toEqual(withoutIds(before));
    expect(cycles.map(({ expenses }) => expenses)).toEqual(
      before.cycles.map(({ expenses }) => expenses),
    );
  });

  it('takes what is left from the amounts at another exchange rate', async () => {
    await user.createTemplate({
      ...{ base_amount: '1000.00', currency: 'MXN', recurrence_config: { day_of_month: 3 } },
      budget_id: food.id,
    });
    const compare = async (changes: object[], fields: object = {}): Promise<WhatIfResponse> => {
      const body = { to: '2026-02-28', include: ['entries'], set_aside: 'budgets', changes };
      return (await user.post('/forecast', { ...body, ...fields }).expect(200))
        .body as WhatIfResponse;
    };
    const asideOf = ({ entries }: ForecastResponse): (string | undefined)[] =>
      (entries ?? [])
        .filter(({ entity_type }) => entity_type === 'budget')
        .map(({ date, amount }) => `${date} ${amount}`);
    const rate = (from: string, value = '0.080000'): object => ({
      op: 'exchange_rate',
      ...{ rate: value, from },
    });
    const base = ['2026-01-31 150.00', '2026-02-28 100.00', '2026-02-28 150.00'];
    const all = await compare([rate(TODAY)]);
    expect(asideOf(all.base)).toEqual(base);
    const cheaper = ['2026-01-31 120.00', '2026-02-28 100.00', '2026-02-28 120.00'];
    expect(asideOf(all.changed)).toEqual(cheaper);
    // What an expense takes more, less is set aside.
    expect(all.difference.closing_balance).toBe('0.00');
    expect(asideOf((await compare([rate(TODAY)], { currency: 'USD' })).changed)).toEqual(cheaper);
    expect(asideOf((await compare([rate('2026-02-01')])).changed)).toEqual([
      ...['2026-01-31 150.00', '2026-02-28 100.00', '2026-02-28 120.00'],
    ]);
    // More than the limit.
    const dear = await compare([rate(TODAY, '0.300000')]);
    expect(asideOf(dear.changed)).toEqual(['2026-02-28 100.00']);
    const [groceries] = (await user.expenses(cycle.id)).expenses;
    await user.put(`/cycles/${cycle.id}/expenses/${groceries?.id}`, { paid: true }).expect(200);
    expect(asideOf((await compare([rate(TODAY)])).changed)[0]).toBe('2026-01-31 150.00');
    // Of an exhausted budget, a cheaper expense leaves something.
    await user.put(`/cycles/${cycle.id}`, {
      budget_limits: [{ budget_id: food.id, limit: '50.00' }],
    });
    await user.put(`/cycles/${cycle.id}/expenses/${groceries?.id}`, { paid: false }).expect(200);
    const cheap = await compare([rate(TODAY, '0.010000')]);
    expect(asideOf(cheap.base)[0]).toBe('2026-02-28 100.00');
    expect(asideOf(cheap.changed)[0]).toBe('2026-01-31 40.00');
  });

  it('refuses other values, and what is set aside counts among the 5,000', async () => {
    for (const value of ['budget', '', 'BUDGETS', 'none,budgets']) {
      expectInvalid(await user.get(`/forecast?set_aside=${value}`), 'set_aside');
    }
    expectInvalid(await user.post('/forecast', { set_aside: true }), 'set_aside');
    const nothing = await user.post('/forecast', { set_aside: null, to: '2026-01-31' }).expect(200);
    expect((nothing.body as WhatIfResponse).base.closing_balance).toBe('850.00');
    const other = await service.signUp();
    for (let n = 0; n < 50; n += 1) await other.createBudget({ name: `${n}`, limit: '1.00' });
    await other.createCycle({ start_date: TODAY, end_date: '2026-01-11' });
    const daily = { recurrence_type: 'custom', reference_date: TODAY };
    const config = { interval: 1, unit: 'days' };
    for (let n = 0; n < 5; n += 1) {
      await other.createTemplate({ ...daily, recurrence_config: config });
    }
    await other.read('/forecast?to=2026-11-01&set_aside=none');
    const refused = await other.get('/forecast?to=2027-02-01&set_aside=budgets');
    expectError(refused, 422, 'CYCLE_GENERATION_ERROR', { limit: 5000 });
  });
});
