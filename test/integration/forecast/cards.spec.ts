import { afterAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { CurrentBalancesResponse } from '../../../src/balances/dto/current-balances.dto.js';
import type { CardStatementResponse } from '../../../src/cards/dto/card-statement.dto.js';
import type { ClosedCycleResponse } from '../../../src/cycles/dto/closing.dto.js';
import type { ForecastResponse } from '../../../src/forecast/dto/forecast.dto.js';
import type { Client } from '../../support/client.js';
import { setTime } from '../../support/clock.js';
import { useService } from '../../support/service.js';

/** A card in USD that closes on the 12th and is due on the 2nd, in a cycle with 1,000.00. */
describe('a forecast with a card', () => {
  const service = useService();
  let ana: Client;
  let card = '';
  let cycle = '';

  beforeEach(async () => {
    setTime('2026-03-01T18:00:00Z');
    ana = await service.signUp({ time_zone: 'America/Mexico_City' });
    ({ id: card } = await ana.createPaymentMethod({
      ...{ name: 'Visa', method_type: 'credit', default_currency: 'USD' },
      ...{ closing_day: 12, due_day: 2 },
    }));
    ({ id: cycle } = await ana.createCycle({
      ...{ start_date: '2026-02-16', end_date: '2026-04-01', income_amount: '0.00' },
      ...{ generate_from_templates: false },
    }));
    const { id } = await ana.createIncome(cycle, {
      ...{ amount: '1000.00', currency: 'USD', income_date: '2026-02-01' },
    });
    await ana.put(`/cycles/${cycle}/incomes/${id}`, { received: true }).expect(200);
  });
  afterAll(() => {
    jest.useRealTimers();
  });

  /** The access token of before has expired. */
  const at = async (instant: string): Promise<void> => {
    setTime(instant);
    ana = await ana.signInAgain();
  };

  const buy = async (amount: string, due_date: string, fields: object = {}): Promise<string> => {
    const purchase = { amount, due_date, currency: 'USD', payment_method_id: card, ...fields };
    return (await ana.createExpense(cycle, purchase)).id;
  };

  const forecast = (query = ''): Promise<ForecastResponse> =>
    ana.read(`/forecast?include=entries${query}`);

  const statementsOf = ({ entries }: ForecastResponse): string[] =>
    (entries ?? [])
      .filter(({ entity_type }) => entity_type === 'card_statement')
      .map(({ date, amount }) => `${date} ${amount}`);

  const statement = (closing: string): Promise<CardStatementResponse> =>
    ana.read(`/payment-methods/${card}/statements/${closing}`);

  const change = async (closing: string, body: object): Promise<CardStatementResponse> =>
    (await ana.put(`/payment-methods/${card}/statements/${closing}`, body).expect(200))
      .body as CardStatementResponse;

  it('a statement takes on its due date what was bought until it closed', async () => {
    const paid = await buy('60.00', '2026-02-13');
    await buy('40.00', '2026-03-12');
    await ana.put(`/cycles/${cycle}/expenses/${paid}`, { paid: true }).expect(200);

    await at('2026-03-20T18:00:00Z');
    const before = await forecast();
    expect(before.opening_balance).toBe('1000.00');
    expect(statementsOf(before)).toEqual(['2026-04-02 100.00']);
    expect(before.cards).toEqual({ expenses: '100.00', statement_count: 1 });
    expect(before.cycles.every(({ expenses }) => expenses === '0.00')).toBe(true);

    await at('2026-04-02T18:00:00Z');
    await buy('20.00', '2026-03-25');
    expect(await change('2026-03-12', { paid: true, paid_amount: '60.00' })).toMatchObject({
      ...{ amount: '100.00', paid: true, paid_amount: '60.00', status: 'paid' },
    });
    expect(await statement('2026-04-12')).toMatchObject({
      ...{ id: null, carried_amount: '40.00', total_amount: '20.00', amount: '60.00' },
    });
    const partly = await forecast();
    expect(partly.opening_balance).toBe('940.00');
    expect(statementsOf(partly)).toEqual(['2026-05-02 60.00']);

    await buy('30.00', '2026-03-10');
    expect(await statement('2026-03-12')).toMatchObject({
      ...{ total_amount: '130.00', amount: '100.00', paid_amount: '60.00' },
    });
    await ana.createIncome(cycle, {
      ...{ amount: '20.00', currency: 'USD', income_date: '2026-03-20', payment_method_id: card },
    });
    expect(await statement('2026-04-12')).toMatchObject({ total_amount: '0.00', amount: '40.00' });

    await at('2026-05-02T18:00:00Z');
    await change('2026-04-12', { paid: true });
    expect((await forecast()).opening_balance).toBe('900.00');
  });

  it('a payment leaves the payment method that pays the card, and purchases leave none', async () => {
    const { id: bank } = await ana.createPaymentMethod({ name: 'Bank', method_type: 'transfer' });
    const { id: main } = await ana.createPaymentMethod({ name: 'Main' });
    await ana.put(`/payment-methods/${card}`, { paid_from_id: bank }).expect(200);
    const paid = await buy('60.00', '2026-02-13');
    await at('2026-03-20T18:00:00Z');
    const balances = [bank, main].map((payment_method_id) => ({
      payment_method_id,
      amount: '500.00',
    }));
    await ana.post('/balances', { balances }).expect(201);
    await ana.put(`/cycles/${cycle}/expenses/${paid}`, { paid: true }).expect(200);
    expect((await forecast()).opening).toMatchObject({ source: 'stated' });
    expect((await forecast()).opening_balance).toBe('1000.00');
    expect(statementsOf(await forecast(`&payment_method_id=${bank}`))).toEqual([
      '2026-04-02 60.00',
    ]);
    expect(statementsOf(await forecast(`&payment_method_id=${main}`))).toEqual([]);
    const ofCard = await forecast(`&payment_method_id=${card}`);
    expect(ofCard.cards).toEqual({ expenses: '0.00', statement_count: 0 });

    await at('2026-03-21T18:00:00Z');
    await change('2026-03-12', { paid: true });
    expect((await forecast()).opening_balance).toBe('940.00');
    const { payment_methods: current } =
      await ana.read<CurrentBalancesResponse>('/balances/current');
    expect(current.map(({ paid, amount }) => [paid, amount])).toEqual([
      ['60.00', '440.00'],
      ['0.00', '500.00'],
    ]);
  });

  it('a change adds to the statement of its day, and to no day before it is due', async () => {
    await buy('60.00', '2026-02-13');
    const change = { op: 'add_expense', description: 'Sofa', amount: '300.00', currency: 'USD' };
    const response = await ana
      .post('/forecast', {
        ...{ include: ['entries', 'days'], to: '2026-05-31' },
        changes: [{ ...change, date: '2026-03-05', payment_method_id: card }],
      })
      .expect(200);
    const { base, changed } = response.body as {
      base: ForecastResponse;
      changed: ForecastResponse;
    };
    expect(statementsOf(base)).toEqual(['2026-04-02 60.00']);
    expect(statementsOf(changed)).toEqual(['2026-04-02 360.00']);
    const balances = (changed.days ?? []).map(({ date, balance }) => `${date} ${balance}`);
    expect(balances).toContain('2026-04-01 1000.00');
    expect(balances).toContain('2026-04-02 640.00');
  });

  it('with autopay a statement was paid in full on its due date', async () => {
    await ana.put(`/payment-methods/${card}`, { autopay: true }).expect(200);
    await buy('60.00', '2026-02-13');
    await at('2026-04-02T18:00:00Z');
    expect(statementsOf(await forecast())).toEqual(['2026-04-02 60.00']);
    await at('2026-04-03T18:00:00Z');
    expect(await statement('2026-03-12')).toMatchObject({
      ...{ id: null, status: 'paid', paid: true, paid_amount: '60.00' },
      paid_at: '2026-04-02T06:00:00.000Z',
    });
    expect(statementsOf(await forecast())).toEqual([]);
    expect((await forecast()).opening_balance).toBe('940.00');
  });

  it('a closing has the payments in place of the purchases', async () => {
    await buy('60.00', '2026-02-18');
    await buy('25.00', '2026-02-20', { payment_method_id: (await ana.createPaymentMethod()).id });
    await at('2026-03-20T18:00:00Z');
    await change('2026-03-12', { paid: true, paid_amount: '50.00' });
    expect(await ana.read(`/cycles/${cycle}/close`)).toEqual({
      ...{ left_over: '950.00', card_expenses: '60.00', card_payments: '50.00' },
      ...{ open_expenses: '25.00', open_expense_count: 1 },
      ...{ open_incomes: '0.00', open_income_count: 0 },
    });
    const { id: next } = await ana.createCycle({
      ...{ start_date: '2026-04-02', end_date: '2026-05-01', generate_from_templates: false },
    });
    const closed = await ana.post(`/cycles/${cycle}/close`, { to_cycle_id: next }).expect(200);
    const { moved } = closed.body as ClosedCycleResponse;
    expect(moved.map(({ expense }) => expense.amount)).toEqual(['25.00']);
  });
});
