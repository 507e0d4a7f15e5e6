import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { BudgetResponse } from '../../../src/budgets/dto/budget.dto.js';
import type { CycleResponse } from '../../../src/cycles/dto/cycle.dto.js';
import type { ForecastResponse } from '../../../src/forecast/dto/forecast.dto.js';
import type { WhatIfResponse } from '../../../src/forecast/dto/what-if.dto.js';
import type { Client } from '../../support/client.js';
import { setTime } from '../../support/clock.js';
import { useService } from '../../support/service.js';

const TODAY = '2026-01-10';

describe('the forecast with set_aside=budgets of a budget in pesos', () => {
  const service = useService();
  let user: Client;
  let food: BudgetResponse;
  let cycle: CycleResponse;

  beforeAll(async () => {
    setTime(`${TODAY}T12:00:00Z`);
    await service.query(
      `INSERT INTO exchange_rates (from_currency, to_currency, rate, rate_date)
       VALUES ('MXN', 'USD', 0.0625, '2026-01-08')`,
    );
  });
  afterAll(() => {
    jest.useRealTimers();
  });

  /** 2,000.00 pesos are left in January: 125.00 at the rate of today. */
  beforeEach(async () => {
    user = await service.signUp();
    food = await user.createBudget({ name: 'Súper', currency: 'MXN', limit: '3100.00' });
    const january = { start_date: '2026-01-01', end_date: '2026-01-31', income_amount: '500.00' };
    cycle = await user.createCycle(january);
    const budget_id = food.id;
    await user.createExpense(cycle.id, {
      ...{ amount: '1000.00', currency: 'MXN', due_date: '2026-01-05', budget_id },
    });
    // 160.00 pesos at the rate of its date.
    await user.createExpense(cycle.id, { amount: '10.00', due_date: '2026-01-09', budget_id });
    await user.createIncome(cycle.id, {
      ...{ amount: '60.00', currency: 'MXN', income_date: '2026-01-05', budget_id },
    });
  });

  const forecastOf = (query: string): Promise<ForecastResponse> =>
    user.read(`/forecast?include=days,entries&set_aside=budgets${query}`);

  const asideOf = ({ entries }: ForecastResponse) =>
    (entries ?? [])
      .filter(({ entity_type }) => entity_type === 'budget')
      .map(({ date, currency, amount, amount_usd }) => [date, currency, amount, amount_usd]);

  it('converts what is left once at the rate of today, and cuts it day by day', async () => {
    const whole = await forecastOf('&to=2026-01-31');
    expect(asideOf(whole)).toEqual([['2026-01-31', 'MXN', '2000.00', '125.00']]);
    const days = whole.days?.map(({ set_aside }) => set_aside) ?? [];
    // 125.00 in 22 days.
    expect(days.slice(0, 3)).toEqual(['5.68', '5.68', '5.68']);
    const half = await forecastOf('&to=2026-01-20');
    expect(asideOf(half)).toEqual([['2026-01-20', 'MXN', '1000.00', '62.50']]);
  });

  it('counts in pesos with the currency MXN, and not with USD', async () => {
    const pesos = await forecastOf('&to=2026-01-31&currency=MXN');
    expect(asideOf(pesos)).toEqual([['2026-01-31', 'MXN', '2000.00', '125.00']]);
    expect(pesos.days?.[0]?.set_aside).toBe('90.90');
    expect(pesos.pay_windows.map(({ set_aside }) => set_aside)).toEqual(['2000.00']);
    expect(asideOf(await forecastOf('&to=2026-01-31&currency=USD'))).toEqual([]);
  });

  it('takes expenses and refunds of templates in cycles that would follow', async () => {
    await user.createTemplate({
      ...{ base_amount: '500.00', currency: 'MXN', recurrence_type: 'monthly' },
      ...{ recurrence_config: { day_of_month: 3 }, budget_id: food.id },
    });
    const refund = await user.createIncomeTemplate({
      ...{ base_amount: '100.00', recurrence_type: 'monthly', budget_id: food.id },
      recurrence_config: { day_of_month: 5 },
    });
    expect(refund.budget).toEqual({ id: food.id, name: 'Súper' });
    const before = await forecastOf('&to=2026-02-28&free_until=2026-02-28');
    // 3,100.00 - 500.00 + 1,600.00 pesos.
    const february = ['2026-02-28', 'MXN', '4200.00', '262.50'];
    expect(asideOf(before)).toEqual([['2026-01-31', 'MXN', '2000.00', '125.00'], february]);
    const next = before.cycles.find(({ source }) => source !== 'stored');
    const { start_date, end_date } = next ?? {};
    await user.createCycle({ start_date, end_date, income_amount: '500.00' });
    const after = await forecastOf('&to=2026-02-28&free_until=2026-02-28');
    expect(after).toMatchObject({
      ...{ days: before.days, pay_windows: before.pay_windows },
      closing_balance: before.closing_balance,
    });
    expect(asideOf(after)).toEqual(asideOf(before));
  });

  it('is converted by the rate of a what-if on its first day', async () => {
    const compare = async (from: string): Promise<WhatIfResponse> =>
      (
        await user.post('/forecast', {
          ...{ to: '2026-02-28', free_until: '2026-02-28', include: ['entries'] },
          ...{ set_aside: 'budgets', changes: [{ op: 'exchange_rate', rate: '0.100000', from }] },
        })
      ).body as WhatIfResponse;
    const base = [
      ['2026-01-31', 'MXN', '2000.00', '125.00'],
      ['2026-02-28', 'MXN', '3100.00', '193.75'],
    ];
    const today = await compare(TODAY);
    expect(asideOf(today.base)).toEqual(base);
    expect(asideOf(today.changed)).toEqual([
      ['2026-01-31', 'MXN', '2000.00', '200.00'],
      ['2026-02-28', 'MXN', '3100.00', '310.00'],
    ]);
    expect(asideOf((await compare('2026-02-01')).changed)).toEqual([
      ...[base[0], ['2026-02-28', 'MXN', '3100.00', '310.00']],
    ]);
  });

  it('keeps purchases by card in pesos as they are at another rate, also in cycles that would follow', async () => {
    const card = await user.createPaymentMethod({
      ...{ method_type: 'credit', default_currency: 'MXN', closing_day: 28, due_days_after: 20 },
    });
    const budget = await user.createBudget({ limit: '100.00' });
    const monthly = { base_amount: '160.00', currency: 'MXN', recurrence_type: 'monthly' };
    const ofCard = { ...monthly, payment_method_id: card.id, budget_id: budget.id };
    await user.createTemplate({ ...ofCard, recurrence_config: { day_of_month: 3 } });
    await user.createIncomeTemplate({
      ...{ ...ofCard, base_amount: '80.00', recurrence_config: { day_of_month: 5 } },
    });
    const left = async () => {
      const response = await user.post('/forecast', {
        ...{ to: '2026-02-28', free_until: '2026-02-28', include: ['entries'] },
        ...{ set_aside: 'budgets', changes: [{ op: 'exchange_rate', rate: '0.100000' }] },
      });
      const { changed } = response.body as WhatIfResponse;
      return asideOf(changed).filter(([, currency]) => currency === 'USD');
    };
    // 100.00 - 10.00 + 5.00.
    const february = ['2026-02-28', 'USD', '95.00', '95.00'];
    expect(await left()).toEqual([february]);
    await user.createCycle({ start_date: '2026-02-01', end_date: '2026-02-28' });
    expect(await left()).toEqual([february]);
  });
});

describe('a refund', () => {
  const service = useService();
  beforeAll(() => {
    setTime(`${TODAY}T12:00:00Z`);
  });
  afterAll(() => {
    jest.useRealTimers();
  });

  it('in pesos gives more of a budget in dollars back at a higher rate of a what-if', async () => {
    const user = await service.signUp();
    const food = await user.createBudget({ limit: '100.00' });
    const cycle = await user.createCycle({ start_date: '2026-01-01', end_date: '2026-01-31' });
    const pesos = { currency: 'MXN', budget_id: food.id };
    await user.createExpense(cycle.id, { ...pesos, amount: '1000.00', due_date: '2026-01-20' });
    await user.createIncome(cycle.id, { ...pesos, amount: '400.00', income_date: '2026-01-20' });
    const { base, changed } = (
      await user.post('/forecast', {
        ...{ to: '2026-01-31', include: ['entries'], set_aside: 'budgets' },
        changes: [{ op: 'exchange_rate', rate: '0.060000' }],
      })
    ).body as WhatIfResponse;
    const left = ({ entries }: ForecastResponse) =>
      entries?.find(({ entity_type }) => entity_type === 'budget')?.amount;
    // 100.00 - 50.00 + 20.00, and 100.00 - 60.00 + 24.00.
    expect([left(base), left(changed)]).toEqual(['70.00', '64.00']);
    expect(base.entries?.find(({ entity_type }) => entity_type === 'cycle_income')?.budget).toEqual(
      {
        ...{ id: food.id, name: food.name },
      },
    );
  });
});
