import { afterAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { CurrentBalancesResponse } from '../../../src/balances/dto/current-balances.dto.js';
import type { ForecastResponse } from '../../../src/forecast/dto/forecast.dto.js';
import type { PaymentMethodResponse } from '../../../src/payment-methods/dto/payment-method.dto.js';
import type { Client } from '../../support/client.js';
import { setTime } from '../../support/clock.js';
import { useService } from '../../support/service.js';

/** 1 MXN is 0.05 USD, as in every new database. */
const RATE = { rate: '0.050000', rate_date: '2025-01-01' };
const NOW = '2026-01-20T12:00:00.000Z';
const STATED_AT = '2026-01-10T12:00:00.000Z';
const LATER = '2026-01-12T12:00:00.000Z';

const current = (user: Client): Promise<CurrentBalancesResponse> => user.read('/balances/current');

const forecast = (user: Client, query = ''): Promise<ForecastResponse> =>
  user.read(`/forecast?to=2026-02-28${query}`);

const openingOf = ({ opening, opening_balance }: ForecastResponse): object => ({
  ...opening,
  opening_balance,
});

describe('what there is now', () => {
  const service = useService();
  beforeEach(() => {
    setTime(NOW);
  });
  afterAll(() => {
    jest.useRealTimers();
  });

  const method = (
    user: Client,
    method_type: string,
    default_currency = 'USD',
  ): Promise<PaymentMethodResponse> => user.createPaymentMethod({ method_type, default_currency });

  async function state(
    user: Client,
    { id }: { id: string },
    amount: string,
    stated_at = STATED_AT,
  ): Promise<string> {
    const balances = [{ payment_method_id: id, amount }];
    const response = await user.post('/balances', { balances, stated_at }).expect(201);
    return (response.body as { balances: { id: string }[] }).balances[0]?.id ?? '';
  }

  async function pay(
    user: Client,
    cycleId: string,
    body: { amount: string; currency?: string; due_date?: string; payment_method_id: string },
    paid_at = LATER,
  ): Promise<string> {
    const expense = await user.createExpense(cycleId, { due_date: '2026-01-12', ...body });
    const path = `/cycles/${cycleId}/expenses/${expense.id}`;
    await user.put(path, { paid: true, paid_at }).expect(200);
    return path;
  }

  async function receive(
    user: Client,
    cycleId: string,
    body: { amount: string; currency?: string; payment_method_id?: string },
    received_at = LATER,
  ): Promise<void> {
    const income = await user.createIncome(cycleId, { income_date: '2026-01-12', ...body });
    const path = `/cycles/${cycleId}/incomes/${income.id}`;
    await user.put(path, { received: true, received_at }).expect(200);
  }

  const household = async (): Promise<{ user: Client; cycle: string }> => {
    const user = await service.signUp();
    const { id } = await user.createCycle({ start_date: '2026-01-01', end_date: '2026-02-11' });
    return { user, cycle: id };
  };

  it('is nothing without a balance', async () => {
    const { user } = await household();
    expect(await current(user)).toEqual({
      today: '2026-01-20',
      exchange_rate: null,
      total_usd: '0.00',
      payment_methods: [],
    });
    expect((await forecast(user)).opening).toEqual({ source: 'plan', stated_at: null });
  });

  it('is what was stated, received and paid since, each in its currency', async () => {
    const { user, cycle } = await household();
    const [card, account] = [await method(user, 'debit'), await method(user, 'debit', 'MXN')];
    await state(user, card, '100.00');
    await state(user, account, '1000.00');
    await pay(user, cycle, { amount: '10.00', currency: 'USD', payment_method_id: card.id });
    await pay(user, cycle, { amount: '100.00', currency: 'MXN', payment_method_id: card.id });
    await pay(user, cycle, { amount: '50.00', currency: 'MXN', payment_method_id: account.id });
    await pay(user, cycle, { amount: '1.01', currency: 'USD', payment_method_id: account.id });
    await receive(user, cycle, {
      amount: '300.00',
      currency: 'MXN',
      payment_method_id: account.id,
    });
    expect(await current(user)).toEqual({
      today: '2026-01-20',
      exchange_rate: RATE,
      total_usd: '146.49',
      payment_methods: [
        {
          payment_method: { id: card.id, name: card.name, method_type: 'debit' },
          currency: 'USD',
          stated_amount: '100.00',
          stated_at: STATED_AT,
          received: '0.00',
          paid: '15.00',
          amount: '85.00',
        },
        {
          payment_method: { id: account.id, name: account.name, method_type: 'debit' },
          currency: 'MXN',
          stated_amount: '1000.00',
          stated_at: STATED_AT,
          received: '300.00',
          paid: '70.20',
          amount: '1229.80',
        },
      ],
    });
    expect(openingOf(await forecast(user))).toEqual({
      source: 'stated',
      stated_at: STATED_AT,
      opening_balance: '146.49',
    });
  });

  it('rounds each amount by itself, by the rate in force on its own date', async () => {
    const { user, cycle } = await household();
    await service.query(
      `INSERT INTO exchange_rates (from_currency, to_currency, rate, rate_date)
       VALUES ('USD', 'MXN', 17.123456, '2026-01-05'), ('MXN', 'USD', 0.057, '2026-01-15')`,
    );
    try {
      const account = await method(user, 'debit', 'MXN');
      await state(user, account, '1000.00');
      const expense = { currency: 'USD', payment_method_id: account.id };
      for (const amount of ['0.01', '0.01', '0.03']) {
        await pay(user, cycle, { ...expense, amount, due_date: '2026-01-06' });
      }
      await pay(user, cycle, { ...expense, amount: '1.00', due_date: '2026-01-16' });
      const { payment_methods, total_usd, exchange_rate } = await current(user);
      // 0.17 + 0.17 + 0.51 at 17.123456; 1 / 0.057.
      expect(payment_methods[0]).toMatchObject({ paid: '18.39', amount: '981.61' });
      expect(exchange_rate).toEqual({ rate: '0.057000', rate_date: '2026-01-15' });
      expect(total_usd).toBe('55.95');
    } finally {
      await service.query(`DELETE FROM exchange_rates WHERE rate_date > '2026-01-01'`);
    }
  });

  it('counts what was settled after the balance, not at its instant, later than now too', async () => {
    const { user, cycle } = await household();
    const card = await method(user, 'debit');
    const expense = { currency: 'USD', payment_method_id: card.id };
    await state(user, card, '100.00');
    await pay(user, cycle, { ...expense, amount: '1.00' }, '2026-01-10T11:59:59.999Z');
    await pay(user, cycle, { ...expense, amount: '2.00' }, STATED_AT);
    await pay(user, cycle, { ...expense, amount: '4.00' }, '2026-01-10T12:00:00.001Z');
    await pay(user, cycle, { ...expense, amount: '8.00' }, '2026-01-25T12:00:00.000Z');
    expect((await current(user)).total_usd).toBe('88.00');
  });

  it('keeps what was settled in completed cycles, and not in deleted ones', async () => {
    const { user, cycle } = await household();
    const card = await method(user, 'debit');
    const expense = { currency: 'USD', payment_method_id: card.id };
    await state(user, card, '100.00');
    await pay(user, cycle, { ...expense, amount: '1.00' });
    const other = await user.createCycle({ start_date: '2026-02-12', end_date: '2026-03-25' });
    await pay(user, other.id, { ...expense, amount: '2.00' });
    await user.put(`/cycles/${cycle}`, { status: 'completed' }).expect(200);
    expect((await current(user)).total_usd).toBe('97.00');
    await user.delete(`/cycles/${other.id}`).expect(204);
    expect((await current(user)).total_usd).toBe('99.00');
  });

  it('has with the main payment method what has none, and what those without a balance settle', async () => {
    const { user, cycle } = await household();
    const [cash, other] = [await method(user, 'cash'), await method(user, 'debit')];
    const debit = await method(user, 'debit');
    for (const one of [cash, debit]) await state(user, one, '100.00');
    await pay(user, cycle, { amount: '1.00', currency: 'USD', payment_method_id: other.id });
    await receive(user, cycle, { amount: '10.00', currency: 'USD' });
    const amountsNow = async (): Promise<string[]> =>
      (await current(user)).payment_methods.map(({ amount }) => amount);
    expect(await amountsNow()).toEqual(['100.00', '109.00']);
    const id = await state(user, other, '50.00');
    // The older one is the main one now, and has only what was settled after its own balance.
    expect(await amountsNow()).toEqual(['100.00', '59.00', '100.00']);
    await user.delete(`/balances/${id}`).expect(204);
    expect(await amountsNow()).toEqual(['100.00', '109.00']);
  });

  it('has an income_amount of a cycle that began after the day of the balance', async () => {
    const user = await service.signUp();
    const dates = [
      ['2026-01-09', '2026-01-10', '1.00'],
      ['2026-01-10', '2026-01-11', '2.00'],
      ['2026-01-11', '2026-01-19', '4.00'],
      ['2026-01-20', '2026-01-31', '8.00'],
      ['2026-02-01', '2026-02-15', '16.00'],
    ];
    for (const [start_date, end_date, income_amount] of dates) {
      await user.createCycle({ start_date, end_date, income_amount });
    }
    const card = await method(user, 'debit');
    await state(user, card, '100.00');
    expect((await current(user)).payment_methods).toMatchObject([
      { received: '4.00', amount: '104.00' },
    ]);
    const counting = await forecast(user, '&include=entries');
    expect(counting.opening_balance).toBe('104.00');
    const incomes = (counting.entries ?? []).filter((entry) => entry.entity_type === 'cycle');
    expect(incomes.map(({ date, amount }) => `${date} ${amount}`)).toEqual([
      '2026-01-20 8.00',
      '2026-02-01 16.00',
      '2026-02-16 16.00',
    ]);
  });

  it('has no income_amount of today that the balance includes, unless what there is was given', async () => {
    const user = await service.signUp();
    await user.createCycle({
      start_date: '2026-01-20',
      end_date: '2026-03-02',
      income_amount: '500.00',
    });
    await state(user, await method(user, 'debit'), '100.00', NOW);
    expect(await forecast(user)).toMatchObject({ closing_balance: '100.00' });
    expect(await forecast(user, '&opening_balance=100')).toMatchObject({
      opening: { source: 'given', stated_at: null },
      closing_balance: '600.00',
    });
    // Beside a filter, too.
    expect(await forecast(user, '&currency=USD')).toMatchObject({ closing_balance: '100.00' });
  });

  it('has the income_amount of the cycle that would follow and has begun', async () => {
    const user = await service.signUp();
    await user.createCycle({
      start_date: '2025-12-01',
      end_date: '2026-01-11',
      income_amount: '500.00',
    });
    await state(user, await method(user, 'debit', 'MXN'), '100.00');
    expect((await current(user)).payment_methods).toMatchObject([
      { received: '10000.00', amount: '10100.00' },
    ]);
    await user.put('/auth/me', { next_income_amount: 'zero' }).expect(200);
    expect((await current(user)).payment_methods).toMatchObject([{ received: '0.00' }]);
  });

  it('leaves out inactive payment methods, of which nothing counts elsewhere', async () => {
    const { user, cycle } = await household();
    const [old, card] = [await method(user, 'debit'), await method(user, 'debit')];
    for (const one of [old, card]) await state(user, one, '100.00');
    await pay(user, cycle, { amount: '30.00', currency: 'USD', payment_method_id: old.id });
    await user.delete(`/payment-methods/${old.id}`).expect(204);
    expect((await current(user)).total_usd).toBe('100.00');
    const { opening_balance, warnings } = await forecast(user);
    expect(opening_balance).toBe('100.00');
    expect(warnings.find(({ code }) => code === 'inactive_balance')?.details).toEqual({
      payment_methods: [{ id: old.id, name: old.name, amount: '70.00' }],
      more: 0,
    });
    await user.put(`/payment-methods/${old.id}`, { active: true }).expect(200);
    expect((await current(user)).total_usd).toBe('170.00');
  });

  it('begins a forecast by its filters', async () => {
    const { user } = await household();
    const [card, account] = [await method(user, 'debit'), await method(user, 'cash', 'MXN')];
    await state(user, card, '100.00');
    await state(user, account, '1000.00', LATER);
    const of = async (query: string): Promise<object> => openingOf(await forecast(user, query));
    expect(await of('')).toEqual({
      source: 'stated',
      stated_at: LATER,
      opening_balance: '150.00',
    });
    const ofAccount = { source: 'stated', stated_at: LATER };
    expect(await of('&currency=MXN')).toEqual({ ...ofAccount, opening_balance: '1000.00' });
    expect(await of(`&payment_method_id=${account.id}`)).toEqual({
      ...ofAccount,
      opening_balance: '50.00',
    });
    expect(await of(`&payment_method_id=${account.id}&currency=MXN`)).toEqual({
      ...ofAccount,
      opening_balance: '1000.00',
    });
    const none = { source: 'none', stated_at: null, opening_balance: '0.00' };
    expect(await of(`&payment_method_id=${account.id}&currency=USD`)).toEqual(none);
    const other = await method(user, 'cash');
    expect(await of(`&payment_method_id=${other.id}`)).toEqual(none);
  });

  it('does not warn of a balance below 0.00 where nothing is known of what there is', async () => {
    const { user, cycle } = await household();
    const card = await method(user, 'debit');
    await user.createExpense(cycle, {
      amount: '10.00',
      currency: 'USD',
      due_date: '2026-01-21',
      payment_method_id: card.id,
    });
    const warnsOf = async (query: string): Promise<string[]> =>
      (await forecast(user, query)).warnings.map(({ code }) => code);
    expect(await warnsOf(`&payment_method_id=${card.id}`)).not.toContain('negative_balance');
    await state(user, card, '1.00');
    expect(await warnsOf(`&payment_method_id=${card.id}`)).toContain('negative_balance');
  });

  it('makes ended cycles no concern of a forecast', async () => {
    const user = await service.signUp();
    await user.createCycle({ start_date: '2025-12-01', end_date: '2026-01-11' });
    const codes = async (): Promise<string[]> =>
      (await forecast(user)).warnings.map(({ code }) => code);
    expect(await codes()).toContain('ended_cycles');
    await state(user, await method(user, 'debit'), '100.00');
    expect(await codes()).not.toContain('ended_cycles');
  });

  it('is refused for pesos where no exchange rate is stored', async () => {
    const { user } = await household();
    await state(user, await method(user, 'debit', 'MXN'), '100.00');
    const rates = await service.query<object>('DELETE FROM exchange_rates RETURNING *');
    try {
      const refused = await user.get('/balances/current').expect(422);
      expect(refused.body).toMatchObject({ error: { code: 'CURRENCY_CONVERSION_ERROR' } });
      await user.get('/forecast').expect(422);
      await user.get('/forecast?currency=MXN').expect(200);
    } finally {
      expect(rates).not.toHaveLength(0);
      await service.query(
        `INSERT INTO exchange_rates (from_currency, to_currency, rate, rate_date)
         VALUES ('MXN', 'USD', 0.05, '2025-01-01')`,
      );
    }
  });
});
