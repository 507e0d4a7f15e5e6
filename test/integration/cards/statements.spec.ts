import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { CardStatementResponse } from '../../../src/cards/dto/card-statement.dto.js';
import type { PaymentMethodResponse } from '../../../src/payment-methods/dto/payment-method.dto.js';
import type { Client } from '../../support/client.js';
import { setTime, travel } from '../../support/clock.js';
import { expectError, expectInvalid } from '../../support/errors.js';
import { recordStatements } from '../../support/operation-statements.js';
import { UNKNOWN_UUID } from '../../support/sample-entities.js';
import { useService } from '../../support/service.js';

const service = useService();

beforeEach(() => {
  setTime('2026-03-20T18:00:00Z');
});
afterEach(() => {
  jest.useRealTimers();
});

interface Household {
  user: Client;
  card: PaymentMethodResponse;
  cycleId: string;
  /** Adds an expense with the card, in pesos unless it says otherwise. */
  buy: (due_date: string, amount: string, fields?: object) => Promise<string>;
  /** Adds an income with the card. */
  refund: (income_date: string, amount: string, fields?: object) => Promise<string>;
}

/** Someone with a card in pesos, whose statements begin on 13 December 2025. */
async function household(fields: object = {}): Promise<Household> {
  const user = await service.signUp();
  const card = await user.createCard({ first_closing_date: '2026-01-12', ...fields });
  const { id: cycleId } = await user.createCycle({
    ...{ start_date: '2026-02-01', end_date: '2026-03-14', generate_from_templates: false },
  });
  const chosen = { payment_method_id: card.id, currency: 'MXN' };
  return {
    ...{ user, card, cycleId },
    buy: async (due_date, amount, entry = {}) =>
      (await user.createExpense(cycleId, { ...chosen, due_date, amount, ...entry })).id,
    refund: async (income_date, amount, entry = {}) =>
      (await user.createIncome(cycleId, { ...chosen, income_date, amount, ...entry })).id,
  };
}

const closingsOf = (statements: readonly CardStatementResponse[]): string[] =>
  statements.map(({ closing_date }) => closing_date);

describe('GET /payment-methods/{id}/statements', () => {
  it('has what was bought until each closing, as a sum in the currency of the card', async () => {
    const { user, card, buy } = await household();
    await buy('2026-02-10', '20.50');
    await buy('2026-02-12', '4.25');
    await buy('2026-02-13', '100');
    const { id, name, method_type } = card;
    const payment_method = { id, name, method_type };
    const derived = {
      ...{ id: null, payment_method, currency: 'MXN', carried_amount: '0.00' },
      ...{ stated_amount: null, created_at: null, updated_at: null },
    };
    const unpaid = { paid: false, paid_at: null, paid_amount: null };
    expect(await user.statements(id, '?from=2026-01-12&to=2026-04-12')).toEqual([
      {
        ...{ ...derived, closing_date: '2026-01-12', from: '2025-12-13', to: '2026-01-12' },
        ...{ due_date: '2026-02-02', status: 'paid', total_amount: '0.00', amount: '0.00' },
        ...{ amount_usd: '0.00', paid: true, paid_at: null, paid_amount: '0.00' },
        expense_count: 0,
      },
      {
        ...{ ...derived, closing_date: '2026-02-12', from: '2026-01-13', to: '2026-02-12' },
        ...{ due_date: '2026-03-02', status: 'overdue', total_amount: '24.75', amount: '24.75' },
        ...{ amount_usd: '1.24', ...unpaid, expense_count: 2 },
      },
      {
        ...{ ...derived, closing_date: '2026-03-12', from: '2026-02-13', to: '2026-03-12' },
        ...{ due_date: '2026-04-02', status: 'closed', total_amount: '100.00', amount: '100.00' },
        ...{ amount_usd: '5.00', ...unpaid, expense_count: 1 },
      },
      {
        ...{ ...derived, closing_date: '2026-04-12', from: '2026-03-13', to: '2026-04-12' },
        ...{ due_date: '2026-05-02', status: 'open', total_amount: '0.00', amount: '0.00' },
        ...{ amount_usd: '0.00', ...unpaid, expense_count: 0 },
      },
    ]);
  });

  it('counts what is paid and received, and not what is cancelled or deleted', async () => {
    const { user, card, cycleId, buy, refund } = await household();
    const paid = await buy('2026-02-01', '100');
    await user.put(`/cycles/${cycleId}/expenses/${paid}`, { paid: true }).expect(200);
    const cancelled = await buy('2026-02-02', '7');
    await user.put(`/cycles/${cycleId}/expenses/${cancelled}`, { status: 'cancelled' }).expect(200);
    const deleted = await buy('2026-02-03', '8');
    await user.delete(`/cycles/${cycleId}/expenses/${deleted}`).expect(204);
    await refund('2026-02-04', '15');
    const received = await refund('2026-02-05', '20.50');
    await user.put(`/cycles/${cycleId}/incomes/${received}`, { received: true }).expect(200);
    const removed = await refund('2026-02-06', '9');
    await user.delete(`/cycles/${cycleId}/incomes/${removed}`).expect(204);
    const other = await user.createPaymentMethod();
    await buy('2026-02-07', '10', { payment_method_id: other.id });
    expect(await user.statement(card.id, '2026-02-12')).toMatchObject({
      ...{ total_amount: '64.50', amount: '64.50', expense_count: 1 },
    });
  });

  it('counts the entries of every cycle that is not deleted', async () => {
    const { user, card, buy } = await household();
    await buy('2026-02-01', '1');
    for (const [amount, fields, change] of [
      ['20', { side: true }, undefined],
      ['300', {}, { status: 'completed' }],
      ['4000', {}, 'deleted'],
    ] as const) {
      const cycle = await user.createCycle({ generate_from_templates: false, ...fields });
      await user.createExpense(cycle.id, {
        ...{ payment_method_id: card.id, currency: 'MXN', due_date: '2026-02-02', amount },
      });
      if (change === 'deleted') await user.delete(`/cycles/${cycle.id}`).expect(204);
      else if (change) await user.put(`/cycles/${cycle.id}`, change).expect(200);
    }
    expect(await user.statement(card.id, '2026-02-12')).toMatchObject({
      ...{ total_amount: '321.00', expense_count: 3 },
    });
  });

  it('converts each amount in the other currency by the rate in force on its own day', async () => {
    const { user, card, buy, refund } = await household();
    await service.query(
      `INSERT INTO exchange_rates (from_currency, to_currency, rate, rate_date)
       VALUES ('USD', 'MXN', 17.333333, '2026-02-05'), ('MXN', 'USD', 0.04, '2026-03-01')`,
    );
    // 20 pesos for a dollar, later 17.333333.
    await buy('2026-02-04', '1.01', { currency: 'USD' });
    await buy('2026-02-05', '0.01', { currency: 'USD' });
    await buy('2026-02-05', '0.05', { currency: 'USD' });
    await refund('2026-02-06', '1.00', { currency: 'USD' });
    await buy('2026-02-07', '100');
    expect(await user.statement(card.id, '2026-02-12')).toMatchObject({
      // 20.20 + 0.17 + 0.87 - 17.33 + 100, and in USD by the rate of today.
      ...{ total_amount: '103.91', amount_usd: '4.16', expense_count: 4 },
    });
    const dollars = await user.createCard({
      ...{ default_currency: 'USD', first_closing_date: '2026-01-12' },
    });
    const chosen = { payment_method_id: dollars.id };
    await buy('2026-02-04', '10.50', { ...chosen, currency: 'USD' });
    await buy('2026-02-04', '0.10', chosen);
    await buy('2026-03-02', '10', chosen);
    expect(await user.statements(dollars.id, '?from=2026-02-12&to=2026-03-12')).toMatchObject([
      // 0.10 pesos are 0.005 dollars, half up.
      { currency: 'USD', total_amount: '10.51', amount_usd: '10.51', expense_count: 2 },
      { currency: 'USD', total_amount: '0.40', amount_usd: '0.40', expense_count: 1 },
    ]);
    await service.query(`DELETE FROM exchange_rates WHERE rate_date > '2025-01-01'`);
  });

  it('needs a rate for what was bought in dollars with a card in pesos', async () => {
    const { user, card, buy } = await household();
    await buy('2026-02-10', '5', { currency: 'USD' });
    const rates = await service.query<object>('SELECT * FROM exchange_rates');
    const path = `/payment-methods/${card.id}/statements`;
    await service.query('DELETE FROM exchange_rates');
    try {
      for (const each of [path, `${path}/2026-02-12`, '/card-statements']) {
        expectError(await user.get(each), 422, 'CURRENCY_CONVERSION_ERROR', {
          ...{ from_currency: 'USD', to_currency: 'MXN' },
          fields: { currency: [expect.any(String)] },
        });
      }
    } finally {
      await service.query(
        `INSERT INTO exchange_rates SELECT * FROM jsonb_populate_recordset(null::exchange_rates, $1)`,
        [JSON.stringify(rates)],
      );
    }
  });

  it('is empty for one without statements, and there for an inactive card', async () => {
    const { user, card, buy } = await household();
    const cash = await user.createPaymentMethod({ method_type: 'cash' });
    const credit = await user.createPaymentMethod({ method_type: 'credit' });
    for (const { id } of [cash, credit]) expect(await user.statements(id)).toEqual([]);
    await buy('2026-02-10', '20');
    await user.delete(`/payment-methods/${card.id}`).expect(204);
    expect(await user.statement(card.id, '2026-02-12')).toMatchObject({ amount: '20.00' });
  });

  it("is not found for another user's card, also a member's", async () => {
    const { user, card } = await household();
    for (const other of [await service.signUpMember(user), await service.signUp()]) {
      for (const response of [
        await other.get(`/payment-methods/${card.id}/statements`),
        await other.get(`/payment-methods/${card.id}/statements/2026-02-12`),
        await other.put(`/payment-methods/${card.id}/statements/2026-02-12`, { paid: true }),
      ]) {
        expectError(response, 404, 'RESOURCE_NOT_FOUND', { resource: 'payment_method' });
      }
    }
  });
});

describe('the statements that are listed', () => {
  it('are by default the current one and the two after it', async () => {
    const { user, card } = await household();
    expect(closingsOf(await user.statements(card.id))).toEqual([
      ...['2026-04-12', '2026-05-12', '2026-06-12'],
    ]);
    await travel(user, '2026-04-12T23:00:00Z');
    expect(closingsOf(await user.statements(card.id))[0]).toBe('2026-04-12');
    await user.put('/auth/me', { time_zone: 'Pacific/Auckland' }).expect(200);
    expect(closingsOf(await user.statements(card.id))[0]).toBe('2026-05-12');
  });

  it('begin by default with the oldest one that is not paid', async () => {
    const { user, card, buy } = await household();
    await buy('2026-02-10', '20');
    expect(closingsOf(await user.statements(card.id))).toEqual([
      ...['2026-02-12', '2026-03-12', '2026-04-12', '2026-05-12', '2026-06-12'],
    ]);
    await user
      .put(`/payment-methods/${card.id}/statements/2026-02-12`, { paid: true, paid_amount: '5' })
      .expect(200);
    expect(closingsOf(await user.statements(card.id))[0]).toBe('2026-03-12');
  });

  it('begin by default at most 400 days ago', async () => {
    const { user, card, buy } = await household();
    await buy('2026-02-10', '20');
    await travel(user, '2027-03-19T18:00:00Z');
    expect(closingsOf(await user.statements(card.id))[0]).toBe('2026-02-12');
    await travel(user, '2027-03-20T18:00:00Z');
    expect(closingsOf(await user.statements(card.id))[0]).toBe('2027-04-12');
    const since = await user.statements(card.id, '?from=2026-02-12&to=2026-02-12');
    expect(since).toMatchObject([{ status: 'overdue', amount: '20.00' }]);
  });

  it('of a card that has no further ones are those that are stored', async () => {
    const { user, card, buy } = await household();
    await buy('2026-02-10', '20');
    await user.put(`/payment-methods/${card.id}`, { closing_day: null }).expect(200);
    expect(closingsOf(await user.statements(card.id))).toEqual(['2026-02-12']);
    const path = `/payment-methods/${card.id}/statements/2026-02-12`;
    await user.put(path, { paid: true }).expect(200);
    // Of the last 400 days.
    expect(closingsOf(await user.statements(card.id))).toEqual(['2026-02-12']);
    await travel(user, '2027-03-20T18:00:00Z');
    expect(await user.statements(card.id)).toEqual([]);
    expect(closingsOf(await user.statements(card.id, '?from=2026-01-01'))).toEqual(['2026-02-12']);
  });

  it.each([
    ['from=2026-02-12&to=2026-04-12', ['2026-02-12', '2026-03-12', '2026-04-12']],
    ['from=2026-02-13&to=2026-04-11', ['2026-03-12']],
    ['from=2026-05-13', ['2026-06-12']],
    ['to=2026-04-12', ['2026-04-12']],
    ['to=2026-04-11', []],
    ['from=2020-01-01&to=2022-12-31', []],
    ['from=2027-04-12&to=2027-04-24', ['2027-04-12']],
  ])('close in the range of %s', async (query, expected) => {
    const { user, card } = await household();
    expect(closingsOf(await user.statements(card.id, `?${query}`))).toEqual(expected);
  });

  it.each([
    ['to=2027-04-25', 'to', 'too_far_apart'],
    ['from=2027-04-25', 'from', undefined],
    ['from=2023-04-20&to=2026-04-25', 'to', 'too_far_apart'],
    ['from=2020-01-01', 'from', 'too_far_apart'],
    ['from=2026-04-13&to=2026-04-12', 'to', 'out_of_order'],
    ['from=2026-04', 'from', 'not_a_date'],
  ])('are refused for %s', async (query, field, reason) => {
    const { user, card } = await household();
    for (const path of [`/payment-methods/${card.id}/statements`, '/card-statements']) {
      const response = await user.get(`${path}?${query}`);
      if (reason === undefined) {
        expect(response.body).toEqual([]);
        continue;
      }
      expectInvalid(response, field);
      const details = { reasons: { [field]: [reason] } };
      expect(response.body).toMatchObject({ error: { details } });
    }
  });
});

describe('GET /card-statements', () => {
  const ofAll = (user: Client, query = ''): Promise<CardStatementResponse[]> =>
    user.read(`/card-statements${query}`);

  it.each(['', '?from=2026-02-12', '?to=2026-04-12', '?from=2025-01-01&to=2027-04-24'])(
    'has the statements of each card, newest card first: %s',
    async (query) => {
      const { user, card, buy } = await household();
      await buy('2026-02-10', '20.50');
      await user.createPaymentMethod({ method_type: 'cash' });
      const dollars = await user.createCard({
        ...{ default_currency: 'USD', closing_day: 20, first_closing_date: '2026-01-20' },
      });
      await buy('2026-03-18', '3.10', { payment_method_id: dollars.id, currency: 'USD' });
      // One with stored statements alone, and one that is deleted.
      const former = await user.createCard({ first_closing_date: '2026-01-12' });
      const path = `/payment-methods/${former.id}/statements/2026-02-12`;
      await user.put(path, { stated_amount: '7' }).expect(200);
      await user.put(`/payment-methods/${former.id}`, { closing_day: null }).expect(200);
      const deleted = await user.createCard({ first_closing_date: '2026-01-12' });
      await user.delete(`/payment-methods/${deleted.id}`).expect(204);
      await (await service.signUpMember(user)).createCard({ first_closing_date: '2026-01-12' });
      const cards = await user.read<PaymentMethodResponse[]>('/payment-methods');
      const expected: CardStatementResponse[] = [];
      for (const { id } of cards) expected.push(...(await user.statements(id, query)));
      expect([...new Set(expected.map(({ payment_method }) => payment_method.id))]).toEqual([
        ...[deleted.id, former.id, dollars.id, card.id],
      ]);
      expect(await ofAll(user, query)).toEqual(expected);
    },
  );

  it('is empty without cards, and refuses days that are too far apart all the same', async () => {
    const user = await service.signUp();
    await user.createPaymentMethod();
    expect(await ofAll(user)).toEqual([]);
    expectInvalid(await user.get('/card-statements?to=2027-04-25'), 'to');
    expectInvalid(await user.get('/card-statements?from=2020-01-01'), 'from');
  });

  it('takes as many SQL statements for three cards as for one', async () => {
    const { user, buy } = await household();
    await buy('2026-02-10', '20');
    const count = async (): Promise<number> => {
      await service.invalidateUserCache(user);
      return (await recordStatements(service, () => ofAll(user))).length;
    };
    const ofOne = await count();
    for (const closing_day of [3, 4]) await user.createCard({ closing_day });
    expect(await count()).toBe(ofOne);
  });
});

describe('GET /payment-methods/{id}/statements/{closing_date}', () => {
  it('has a tag, which changes with what was bought and on the days of the statement', async () => {
    const { user, card, buy } = await household();
    const path = `/payment-methods/${card.id}/statements/2026-04-12`;
    const tagOf = async (): Promise<string> => {
      const response = await user.get(path).expect(200);
      expect(response.get('ETag')).toMatch(/^"[\w-]{43}"$/);
      return response.get('ETag') ?? '';
    };
    const first = await tagOf();
    expect(await tagOf()).toBe(first);
    await buy('2026-03-14', '5');
    const second = await tagOf();
    expect(second).not.toBe(first);
    await travel(user, '2026-04-13T12:00:00Z');
    expect(await tagOf()).not.toBe(second);
  });

  it('is one of the list', async () => {
    const { user, card } = await household();
    const [current] = await user.statements(card.id);
    expect(await user.statement(card.id, '2026-04-12')).toEqual(current);
    // The last one within 400 days.
    expect(await user.statement(card.id, '2027-04-12')).toMatchObject({ from: '2027-03-13' });
  });

  it.each(['2026-04-11', '2026-04-13', '2025-12-12', '2027-05-12', '2999-12-12', '1900-01-12'])(
    'is not found for %s, which is no closing or too far',
    async (day) => {
      const { user, card } = await household();
      const path = `/payment-methods/${card.id}/statements/${day}`;
      for (const response of [await user.get(path), await user.put(path, { due_date: null })]) {
        expectError(response, 404, 'RESOURCE_NOT_FOUND', { resource: 'card_statement' });
      }
    },
  );

  it('is not found of one without statements', async () => {
    const { user } = await household();
    const { id } = await user.createPaymentMethod({ method_type: 'credit' });
    const path = `/payment-methods/${id}/statements/2026-04-12`;
    for (const response of [await user.get(path), await user.put(path, {})]) {
      expectError(response, 404, 'RESOURCE_NOT_FOUND', { resource: 'card_statement' });
    }
  });

  it.each(['2026-02-30', '2026-4-12', 'x', '2026-04-12T00:00:00Z', '3000-01-12', '%00', 'null'])(
    'is refused for %s, which is no day',
    async (day) => {
      const { user, card } = await household();
      for (const id of [card.id, UNKNOWN_UUID]) {
        const path = `/payment-methods/${id}/statements/${day}`;
        expectInvalid(await user.get(path), 'closing_date');
        expectInvalid(await user.put(path, {}), 'closing_date');
      }
    },
  );
});
