import { afterAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { CycleResponse } from '../../../src/cycles/dto/cycle.dto.js';
import type { ForecastResponse } from '../../../src/forecast/dto/forecast.dto.js';
import type { WhatIfResponse } from '../../../src/forecast/dto/what-if.dto.js';
import type { ExpenseTemplateResponse } from '../../../src/templates/dto/expense-template.dto.js';
import type { Client } from '../../support/client.js';
import { setTime } from '../../support/clock.js';
import { expectError } from '../../support/errors.js';
import { useService } from '../../support/service.js';

/** A Saturday. */
const TODAY = '2026-01-10';

const skip = (template_id: string, from: string, to: string): object => ({
  op: 'skip_template',
  ...{ template_id, from, to },
});

const change = (template_id: string, amount: string, from: string): object => ({
  op: 'change_template',
  ...{ template_id, amount, from },
});

/** The own dates and the amounts of entries of a type. */
const shown = ({ entries }: ForecastResponse, type = 'cycle_expense'): string[] =>
  (entries ?? [])
    .filter(({ entity_type }) => entity_type === type)
    .map(({ entry_date, amount }) => `${entry_date} ${amount}`);

describe('changes of templates in a what-if', () => {
  const service = useService();
  let user: Client;
  let gym: ExpenseTemplateResponse;
  let cycle: CycleResponse;

  afterAll(() => {
    jest.useRealTimers();
  });

  const january = { start_date: '2026-01-01', end_date: '2026-01-31', income_amount: '0.00' };

  /** 50.00 every Friday, of which those of January are stored. */
  beforeEach(async () => {
    setTime(`${TODAY}T12:00:00Z`);
    user = await service.signUp();
    gym = await user.createTemplate({
      ...{ description: 'Gym', base_amount: '50.00', reference_date: '2026-01-02' },
      ...{ recurrence_type: 'weekly', recurrence_config: { day_of_week: 5 } },
    });
    cycle = await user.createCycle(january);
  });

  /** The access token of before has expired. */
  const at = async (instant: string): Promise<void> => {
    setTime(instant);
    user = await user.signInAgain();
  };

  const compare = async (changes: object[], fields: object = {}): Promise<WhatIfResponse> => {
    const body = { to: '2026-02-15', include: ['entries'], changes, ...fields };
    return (await user.post('/forecast', body).expect(200)).body as WhatIfResponse;
  };

  const FRIDAYS = ['01-02', '01-09', '01-16', '01-23', '01-30', '02-06', '02-13'];
  const expected = (amounts: Record<string, string | null> = {}): string[] =>
    FRIDAYS.flatMap((day) => {
      const amount = amounts[day] === undefined ? '50.00' : amounts[day];
      return amount === null ? [] : [`2026-${day} ${amount}`];
    });

  it('leave occurrences of stored cycles and of those that would follow out', async () => {
    const before = await user.expenses(cycle.id);
    const { base, changed, difference } = await compare([skip(gym.id, '2026-01-09', '2026-02-06')]);
    expect(shown(base)).toEqual(expected());
    const none = { '01-09': null, '01-16': null, '01-23': null, '01-30': null, '02-06': null };
    expect(shown(changed)).toEqual(expected(none));
    expect(difference.closing_balance).toBe('250.00');
    expect(changed.overdue).toEqual({ ...base.overdue, expenses: '50.00', expense_count: 1 });
    expect(changed.cycles.map(({ expenses }) => expenses)).toEqual(['50.00', '50.00']);
    expect(changed.pay_windows).toMatchObject([{ expenses: '100.00', expense_count: 2 }]);
    // Without the entries, the same numbers, and nothing is stored.
    const sums = await compare([skip(gym.id, '2026-01-09', '2026-02-06')], { include: ['days'] });
    expect({ ...sums.changed, days: null, entries: null }).toEqual({
      ...changed,
      entries: null,
      entries_left_out: null,
    });
    expect(await user.expenses(cycle.id)).toEqual(before);
  });

  it('give occurrences another amount from a date on, whatever the template says of it', async () => {
    await user
      .put(`/expense-templates/${gym.id}`, {
        amount_changes: [{ from: '2026-02-01', amount: '70.00' }],
        ...{ ends_on: '2026-02-13', last_amount: '10.00' },
      })
      .expect(200);
    const { base, changed, difference } = await compare([change(gym.id, '60.00', '2026-01-23')]);
    expect(shown(base)).toEqual(expected({ '02-06': '70.00', '02-13': '10.00' }));
    const more = { '01-23': '60.00', '01-30': '60.00', '02-06': '60.00', '02-13': '60.00' };
    expect(shown(changed)).toEqual(expected(more));
    expect(difference.closing_balance).toBe('-60.00');
  });

  it('apply the latest change, of equal dates the last one, and skip before all', async () => {
    const { changed } = await compare([
      change(gym.id, '60.00', '2026-01-30'),
      change(gym.id, '70.00', '2026-01-30'),
      change(gym.id, '80.00', '2026-01-16'),
      skip(gym.id, '2026-01-23', '2026-01-29'),
      skip(gym.id, '2026-02-13', '2999-12-31'),
    ]);
    const amounts = { '01-16': '80.00', '01-23': null, '01-30': '70.00', '02-06': '70.00' };
    expect(shown(changed)).toEqual(expected({ ...amounts, '02-13': null }));
  });

  it('change no other template, and no entry that is edited, settled or of a completed cycle', async () => {
    const other = await user.createTemplate({ recurrence_config: { day_of_month: 20 } });
    const december = await user.createCycle({ start_date: '2025-12-01', end_date: '2025-12-31' });
    await user.put(`/cycles/${december.id}`, { status: 'completed' }).expect(200);
    const { expenses } = await user.expenses(cycle.id);
    const [first, second, third, fourth, fifth] = expenses
      .filter(({ description }) => description === 'Gym')
      .map(({ id }) => `/cycles/${cycle.id}/expenses/${id}`);
    await user.put(first ?? '', { paid: true }).expect(200);
    await user.put(second ?? '', { status: 'cancelled' }).expect(200);
    await user.put(third ?? '', { due_date: '2026-01-17' }).expect(200);
    // What generation does not set is no edit, nor is a value that is given again.
    await user.put(fourth ?? '', { comments: 'Before work', amount: '50' }).expect(200);
    await user.delete(fifth ?? '').expect(204);
    await user.createExpense(cycle.id, { description: 'Gym', due_date: '2026-01-30' });
    const all = [skip(gym.id, '2025-12-01', '2999-12-31')];
    const { base, changed, difference } = await compare(all);
    expect(shown(base)).toEqual([
      ...['2026-01-17 50.00', '2026-01-23 50.00', '2026-01-30 100.00'],
      ...['2026-02-06 50.00', '2026-02-13 50.00'],
    ]);
    expect(shown(changed)).toEqual(['2026-01-17 50.00', '2026-01-30 100.00']);
    expect(changed.opening_balance).toBe(base.opening_balance);
    expect(difference.closing_balance).toBe('150.00');
    expect(shown((await compare([skip(other.id, '2026-02-01', '2026-03-01')])).changed)).toEqual(
      shown(base),
    );
  });

  it('go by the dates before the weekend rule', async () => {
    // A Sunday, and tomorrow, that moves to Monday.
    const rent = await user.createTemplate({ weekend_rule: 'before', base_amount: '1.00' });
    const loan = await user.createTemplate({
      ...{ weekend_rule: 'after', base_amount: '2.00', recurrence_config: { day_of_month: 10 } },
    });
    await user.delete(`/expense-templates/${gym.id}`).expect(204);
    await user.delete(`/cycles/${cycle.id}`).expect(204);
    await user.createCycle(january);
    await at('2026-01-11T12:00:00Z');
    const stored = ['2026-01-12 2.00', '2026-01-30 1.00'];
    const february = '2026-02-10 2.00';
    const of = async (changes: object[]): Promise<string[]> =>
      shown((await compare(changes)).changed);
    expect(await of([])).toEqual(['2026-01-01 1.00', ...stored, february]);
    expect(await of([skip(loan.id, '2026-01-11', '2026-01-31')])).toContain('2026-01-12 2.00');
    expect(await of([skip(rent.id, '2026-01-30', '2026-01-31')])).toContain('2026-01-30 1.00');
    expect(
      await of([
        skip(loan.id, '2026-01-10', '2026-01-10'),
        change(rent.id, '3.00', '2026-02-01'),
        skip(rent.id, '2026-01-01', '2026-01-01'),
      ]),
    ).toEqual(['2026-01-30 3.00', february]);
  });

  it('change incomes, and what is free until the next one', async () => {
    const pay = await user.createIncomeTemplate({ base_amount: '500.00' });
    await user.post(`/cycles/${cycle.id}/sync`).expect(200);
    const { base, changed, difference } = await compare(
      [skip(pay.id, '2026-01-16', '2026-01-16'), change(pay.id, '400.00', '2026-01-30')],
      { opening_balance: '300.00' },
    );
    expect(shown(base, 'cycle_income')).toEqual([
      ...['2026-01-02 500.00', '2026-01-16 500.00', '2026-01-30 500.00', '2026-02-13 500.00'],
    ]);
    expect(shown(changed, 'cycle_income')).toEqual([
      ...['2026-01-02 500.00', '2026-01-30 400.00', '2026-02-13 400.00'],
    ]);
    expect(changed.pay_windows.map(({ from }) => from)).toEqual([
      ...[TODAY, '2026-01-30', '2026-02-13'],
    ]);
    expect([base, changed].map(({ pay_windows: [first] }) => first?.free)).toEqual([
      ...['200.00', '100.00'],
    ]);
    expect(difference).toMatchObject({ closing_balance: '-700.00', free: '-100.00' });
  });

  it('take open entries of a template that is inactive', async () => {
    await user.delete(`/expense-templates/${gym.id}`).expect(204);
    const { changed } = await compare([
      change(gym.id, '60.00', '2026-01-23'),
      skip(gym.id, '2026-01-30', '2026-02-28'),
    ]);
    expect(shown(changed)).toEqual(
      expected({ '01-23': '60.00', '01-30': null, '02-06': null, '02-13': null }),
    );
  });

  it('convert a changed amount at the rate of its date, and what stays the same not again', async () => {
    const water = await user.createTemplate({
      ...{ currency: 'MXN', base_amount: '100.00', recurrence_config: { day_of_month: 20 } },
    });
    await user.post(`/cycles/${cycle.id}/sync`).expect(200);
    await service.query(
      `INSERT INTO exchange_rates (from_currency, to_currency, rate, rate_date)
       VALUES ('MXN', 'USD', 0.08, '2026-01-20')`,
    );
    const inUsd = async (changes: object[], fields?: object): Promise<unknown> =>
      (await compare(changes, { currency: 'MXN', ...fields })).changed.entries?.map(
        ({ amount, amount_usd, entry_date }) => [entry_date, amount, amount_usd],
      );
    const later = { to: '2026-02-28' };
    expect(await inUsd([change(water.id, '100', '2026-01-01')], later)).toEqual([
      ['2026-01-20', '100.00', '5.00'],
      ['2026-02-20', '100.00', '8.00'],
    ]);
    expect(await inUsd([change(water.id, '200', '2026-01-01')], later)).toEqual([
      ['2026-01-20', '200.00', '16.00'],
      ['2026-02-20', '200.00', '16.00'],
    ]);
    const rate = { op: 'exchange_rate', rate: '0.1', from: '2026-02-01' };
    expect(await inUsd([rate, change(water.id, '200', '2026-01-01')], later)).toEqual([
      ['2026-01-20', '200.00', '16.00'],
      ['2026-02-20', '200.00', '20.00'],
    ]);
    await service.query(`DELETE FROM exchange_rates WHERE rate_date = '2026-01-20'`);
  });

  it('give an entry the currency that its template has got since', async () => {
    await user.put(`/expense-templates/${gym.id}`, { currency: 'MXN' }).expect(200);
    const changes = [change(gym.id, '600.00', '2026-01-30')];
    const { changed } = await compare(changes);
    expect(
      changed.entries?.map(({ entry_date, currency, amount_usd }) => [
        ...[entry_date, currency, amount_usd],
      ]),
    ).toEqual([
      ...['02', '09', '16', '23'].map((day) => [`2026-01-${day}`, 'USD', '50.00']),
      ...['01-30', '02-06', '02-13'].map((day) => [`2026-${day}`, 'MXN', '30.00']),
    ]);
    const inPesos = (await compare(changes, { currency: 'MXN' })).changed;
    expect(shown(inPesos)).toEqual([
      ...['2026-01-30 600.00', '2026-02-06 600.00', '2026-02-13 600.00'],
    ]);
    const inDollars = (await compare(changes, { currency: 'USD' })).changed;
    expect(shown(inDollars)).toEqual(expected().slice(0, 4));
  });

  it('change the statements of cards that nothing is stated of', async () => {
    const card = await user.createPaymentMethod({
      ...{ name: 'Visa', method_type: 'credit', default_currency: 'MXN' },
      ...{ closing_day: 20, due_day: 1 },
    });
    await user.put(`/expense-templates/${gym.id}`, { payment_method_id: card.id }).expect(200);
    await user.post(`/cycles/${cycle.id}/sync`).expect(200);
    await service.query(
      `INSERT INTO exchange_rates (from_currency, to_currency, rate, rate_date)
       VALUES ('USD', 'MXN', 20, '2026-01-01')`,
    );
    const changes = [
      skip(gym.id, '2026-01-09', '2026-01-09'),
      change(gym.id, '60.00', '2026-01-16'),
    ];
    const later = { to: '2026-04-02' };
    const { base, changed } = await compare(changes, later);
    // Three, five and four Fridays.
    expect(shown(base, 'card_statement')).toEqual([
      ...['2026-02-01 3000.00', '2026-03-01 5000.00', '2026-04-01 4000.00'],
    ]);
    expect(shown(changed, 'card_statement')).toEqual([
      ...['2026-02-01 2200.00', '2026-03-01 6000.00', '2026-04-01 4800.00'],
    ]);
    const filter = { ...later, to: '2026-02-15', payment_method_id: card.id };
    expect(shown((await compare(changes, filter)).changed)).toEqual(
      expected({
        ...{ '01-09': null, '01-16': '60.00', '01-23': '60.00', '01-30': '60.00' },
        ...{ '02-06': '60.00', '02-13': '60.00' },
      }),
    );
    await at('2026-01-21T12:00:00Z');
    await user
      .put(`/payment-methods/${card.id}/statements/2026-01-20`, { stated_amount: '2500.00' })
      .expect(200);
    expect(shown((await compare(changes)).changed, 'card_statement')).toEqual([
      '2026-02-01 2500.00',
    ]);
    await service.query(`DELETE FROM exchange_rates WHERE from_currency = 'USD'`);
  });

  describe('set_aside=budgets', () => {
    const aside = async (changes: object[], fields: object = {}): Promise<unknown> => {
      const body = { to: '2026-02-28', set_aside: 'budgets', ...fields };
      const { base, changed } = await compare(changes, body);
      return [base, changed].map((forecast) => shown(forecast, 'budget'));
    };

    /** 250.00 or 200.00 of 210.00 go to the gym. */
    beforeEach(async () => {
      const { id: budget_id } = await user.createBudget({ name: 'Sport', limit: '210.00' });
      await user.put(`/expense-templates/${gym.id}`, { budget_id }).expect(200);
      await user.delete(`/cycles/${cycle.id}`).expect(204);
      cycle = await user.createCycle({ ...january, name: 'With a budget' });
    });

    it('sets aside what skipped occurrences leave', async () => {
      const changes = [skip(gym.id, '2026-01-16', '2026-02-06')];
      expect(await aside(changes)).toEqual([
        ['2026-02-28 10.00'],
        ['2026-01-31 110.00', '2026-02-28 60.00'],
      ]);
      // What is due after the last day that counts belongs to what is left, too.
      const short = { to: '2026-01-14', free_until: '2026-01-14' };
      expect(await aside([skip(gym.id, '2026-01-11', '2026-01-31')], short)).toEqual([
        [],
        ['2026-01-14 25.00'],
      ]);
      expect(await aside(changes, { currency: 'MXN' })).toEqual([[], []]);
    });

    it('sets aside less where occurrences cost more', async () => {
      const changes = [
        change(gym.id, '20.00', '2026-01-30'),
        change(gym.id, '52.00', '2026-02-13'),
      ];
      expect(await aside(changes)).toEqual([
        ['2026-02-28 10.00'],
        // 210.00 less 20.00 and three times 52.00.
        ['2026-02-28 34.00'],
      ]);
    });

    it('sets aside less without a refund, and more with a higher one', async () => {
      const { budget } = await user.read<ExpenseTemplateResponse>(`/expense-templates/${gym.id}`);
      const refund = await user.createIncomeTemplate({
        ...{ description: 'Refund', base_amount: '60.00', budget_id: budget?.id },
        ...{ recurrence_type: 'monthly', recurrence_config: { day_of_month: 25 } },
      });
      await user.post(`/cycles/${cycle.id}/sync`).expect(200);
      const base = ['2026-01-31 20.00', '2026-02-28 70.00'];
      expect(await aside([skip(refund.id, TODAY, '2026-02-28')])).toEqual([
        base,
        ['2026-02-28 10.00'],
      ]);
      expect(await aside([change(refund.id, '65.00', TODAY)])).toEqual([
        base,
        ['2026-01-31 25.00', '2026-02-28 75.00'],
      ]);
    });

    it('sets aside in pesos what changes in dollars leave', async () => {
      await service.query(
        `INSERT INTO exchange_rates (from_currency, to_currency, rate, rate_date)
         VALUES ('USD', 'MXN', 20, '2026-01-01'), ('USD', 'MXN', 25, '2026-01-30')`,
      );
      const { id: budget_id } = await user.createBudget({
        ...{ name: 'In pesos', currency: 'MXN', limit: '6000.00' },
      });
      await user.put(`/expense-templates/${gym.id}`, { budget_id }).expect(200);
      await user.delete(`/cycles/${cycle.id}`).expect(204);
      cycle = await user.createCycle({ ...january, name: 'With a budget in pesos' });
      const changes = [
        skip(gym.id, '2026-01-16', '2026-01-16'),
        change(gym.id, '60.00', '2026-01-30'),
      ];
      const inPesos = async (fields: object): Promise<unknown> =>
        aside(changes, { to: '2026-01-31', free_until: '2026-01-31', ...fields });
      // 50.00 four times for 1,000.00 and once for 1,250.00; then three times, and 1,500.00.
      const expectedPesos = [['2026-01-31 750.00'], ['2026-01-31 1500.00']];
      expect(await inPesos({ currency: 'MXN' })).toEqual(expectedPesos);
      await service.query(`DELETE FROM exchange_rates WHERE from_currency = 'USD'`);
    });

    it('takes other exchange rates into account once', async () => {
      await user.put(`/expense-templates/${gym.id}`, { currency: 'MXN', base_amount: '1000.00' });
      await user.post(`/cycles/${cycle.id}/sync`).expect(200);
      const rate = { op: 'exchange_rate', rate: '0.04', from: TODAY };
      // 40.00 each, what is overdue included.
      expect(await aside([rate])).toEqual([
        ['2026-02-28 10.00'],
        ['2026-01-31 10.00', '2026-02-28 50.00'],
      ]);
      expect(
        await aside([
          rate,
          skip(gym.id, '2026-01-16', '2026-01-16'),
          change(gym.id, '500.00', '2026-01-30'),
        ]),
      ).toEqual([
        ['2026-02-28 10.00'],
        // 40.00 three times and 20.00; then 20.00 four times.
        ['2026-01-31 70.00', '2026-02-28 130.00'],
      ]);
    });
  });

  it('name templates of your own alone; the first change that does not is named', async () => {
    const other = await service.signUp();
    const { id: foreign } = await other.createTemplate();
    const { id: method } = await other.createPaymentMethod();
    const pay = await user.createIncomeTemplate();
    const add = { op: 'add_expense', description: 'TV', currency: 'USD', amount: '1.00' };
    const wrong = { ...add, date: '2026-01-15', payment_method_id: method };
    const own = [skip(gym.id.toUpperCase(), TODAY, TODAY), change(pay.id, '1.00', TODAY)];
    await compare(own);
    const refused = async (
      changes: object[],
      details: { resource: string; index: number },
    ): Promise<void> => {
      const response = await user.post('/forecast', { changes });
      expectError(response, 404, 'RESOURCE_NOT_FOUND', details);
    };
    const unknown = change(foreign, '1.00', TODAY);
    await refused([...own, unknown, wrong], { resource: 'template', index: 2 });
    await refused([...own, wrong, unknown], { resource: 'payment_method', index: 2 });
    await refused([skip(gym.payment_method.id, TODAY, TODAY)], { resource: 'template', index: 0 });
  });

  it('are refused at an amount that cannot be converted, stored or not', async () => {
    const water = await user.createTemplate({ currency: 'MXN', base_amount: '100.00' });
    const refused = async (body: object): Promise<void> => {
      const changes = [skip(gym.id, TODAY, TODAY), change(water.id, '0.01', TODAY)];
      const response = await user.post('/forecast', { changes, ...body });
      const reasons = { 'changes.1.amount': ['not_convertible'] };
      expect(response.body).toMatchObject({
        error: { code: 'VALIDATION_ERROR', details: { reasons } },
      });
    };
    await refused({});
    await user.createCycle({ start_date: '2026-02-01', end_date: '2026-02-28' });
    await refused({ to: '2026-02-28', free_until: '2026-02-28' });
  });
});
