import { afterEach, describe, expect, it } from '@jest/globals';
import type { ExpenseResponse } from '../../../src/expenses/dto/expense.dto.js';
import type { ErrorBody } from '../../../src/platform/errors/error-body.js';
import type { Client } from '../../support/client.js';
import { expectError } from '../../support/errors.js';
import { useService } from '../../support/service.js';

type Rate = [from: string, to: string, rate: string, date: string];

const INITIAL_RATE: Rate = ['MXN', 'USD', '0.050000', '2025-01-01'];

describe('conversion to USD', () => {
  const service = useService();

  /** Replaces all stored rates. */
  async function storeRates(...rates: Rate[]): Promise<void> {
    await service.query('DELETE FROM exchange_rates');
    for (const rate of rates) {
      await service.query(
        `INSERT INTO exchange_rates (from_currency, to_currency, rate, rate_date)
         VALUES ($1, $2, $3, $4)`,
        rate,
      );
    }
  }

  afterEach(() => storeRates(INITIAL_RATE));

  async function inUsd(amount: string, due_date = '2026-02-01'): Promise<string> {
    const user = await service.signUp();
    const { id } = await user.createCycle();
    const expense = await user.createExpense(id, { currency: 'MXN', amount, due_date });
    expect(expense).toMatchObject({ currency: 'MXN', amount });
    return expense.amount_usd;
  }

  /** Posts an expense that cannot be converted, and expects that nothing is stored. */
  async function expectRefused(amount: string, field: 'amount' | 'currency'): Promise<void> {
    const user = await service.signUp();
    const cycle = await user.createCycle();
    const { id: payment_method_id } = await user.createPaymentMethod();
    const response = await user.post(`/cycles/${cycle.id}/expenses`, {
      description: 'Chicle',
      currency: 'MXN',
      payment_method_id,
      amount,
      due_date: '2026-02-01',
      category: 'variable',
    });
    const message = expectError(response, 422, 'CURRENCY_CONVERSION_ERROR');
    expect((response.body as ErrorBody).error.details).toMatchObject({
      fields: { [field]: [message] },
    });
    expect(await user.cycle(cycle.id)).toEqual(cycle);
    expect((await user.expenses(cycle.id)).expenses).toEqual([]);
  }

  describe('by the initial rate of a new database', () => {
    it.each([
      ['100.00', '5.00'],
      ['812.35', '40.62'], // 40.6175
      ['649.50', '32.48'], // 32.475: rounded half up
      ['649.49', '32.47'], // 32.4745
      ['0.10', '0.01'], // 0.005
      ['999999999.99', '50000000.00'], // 49999999.9995
    ])(
      'conversion to USD by the initial rate of a new database converts %s MXN to %s USD',
      async (amount, expected) => {
        expect(await inUsd(amount)).toBe(expected);
      },
    );
  });

  describe('by the rate of the due date', () => {
    it.each([
      ['on the day of a rate: that rate', '2026-01-20', '6.00'],
      ['between two rates: the earlier one', '2026-01-31', '6.00'],
      ['on the day before a rate: the earlier one', '2026-01-19', '5.00'],
      ['after the last rate: the last one', '2999-12-31', '7.00'],
      ['before the first rate: the first one', '1900-01-01', '5.00'],
    ])('%s', async (_where, dueDate, expected) => {
      await storeRates(
        ['MXN', 'USD', '0.06', '2026-01-20'],
        ['MXN', 'USD', '0.07', '2026-02-01'],
        ['MXN', 'USD', '0.05', '2026-01-10'],
      );
      expect(await inUsd('100.00', dueDate)).toBe(expected);
    });

    it('conversion to USD by the rate of the due date uses all six decimals of a rate', async () => {
      await storeRates(['MXN', 'USD', '0.058823', '2026-01-01']);
      expect(await inUsd('1000.00')).toBe('58.82');
      expect(await inUsd('999999999.99')).toBe('58823000.00');
    });

    it('conversion to USD by the rate of the due date accepts the rate of each occurrence when a cycle is generated', async () => {
      await storeRates(['MXN', 'USD', '0.05', '2026-01-01'], ['MXN', 'USD', '0.06', '2026-02-15']);
      const user = await service.signUp();
      await user.createTemplate({ currency: 'MXN', base_amount: '100.00' });
      const { id } = await user.createCycle();
      const { expenses } = await user.expenses(id);
      expect(expenses.map(({ due_date, amount_usd }) => [due_date, amount_usd])).toEqual([
        ['2026-02-01', '5.00'],
        ['2026-03-01', '6.00'],
      ]);
    });
  });

  describe('by the reversed pair', () => {
    it.each([
      ['on the day of a rate: that rate', '2026-01-20', '5.00'],
      ['between two rates: the earlier one', '2026-01-15', '5.71'],
      ['after the last rate: the last one', '2026-12-31', '5.00'],
      ['before the first rate: the first one', '2025-12-31', '5.71'],
    ])('%s', async (_where, dueDate, expected) => {
      await storeRates(['USD', 'MXN', '20', '2026-01-20'], ['USD', 'MXN', '17.5', '2026-01-10']);
      expect(await inUsd('100.00', dueDate)).toBe(expected);
    });

    it.each([
      ['1.00', '3', '0.33'],
      ['2.00', '3', '0.67'],
      ['0.05', '10', '0.01'], // 0.005: rounded half up
      ['17.25', '50', '0.35'], // 0.345
      ['17.24', '50', '0.34'], // 0.3448
      ['999999999.99', '17.5', '57142857.14'], // a rounded inverse would give 57143000.00
    ])(
      'conversion to USD by the reversed pair divides %s by %s exactly: %s',
      async (amount, rate, expected) => {
        await storeRates(['USD', 'MXN', rate, '2026-01-01']);
        expect(await inUsd(amount)).toBe(expected);
      },
    );
  });

  describe('by the pair and the reversed pair together', () => {
    it.each([
      ['after rates of both: the later one', '2026-02-15', '10.00'],
      ['on the day of both: that of the pair', '2026-02-20', '7.00'],
      ['after the day of both: that of the pair', '2026-03-31', '7.00'],
      [
        'between a rate of the pair and one of the reversed pair: the earlier one',
        '2026-02-09',
        '6.00',
      ],
      [
        'between a rate of the reversed pair and one of the pair: the earlier one',
        '2026-01-31',
        '8.00',
      ],
      ['before the first rate, which is of the reversed pair: the first one', '2026-01-01', '8.00'],
    ])('%s', async (_where, dueDate, expected) => {
      await storeRates(
        ['MXN', 'USD', '0.06', '2026-02-01'],
        ['MXN', 'USD', '0.07', '2026-02-20'],
        ['USD', 'MXN', '12.5', '2026-01-10'],
        ['USD', 'MXN', '10', '2026-02-10'],
        ['USD', 'MXN', '4', '2026-02-20'],
      );
      expect(await inUsd('100.00', dueDate)).toBe(expected);
    });

    it('before the first rates, which are of one day: that of the pair', async () => {
      await storeRates(['USD', 'MXN', '4', '2026-02-20'], ['MXN', 'USD', '0.07', '2026-02-20']);
      expect(await inUsd('100.00', '2026-01-01')).toBe('7.00');
    });

    it('an earlier rate counts before a later one that is nearer, in both directions', async () => {
      await storeRates(['MXN', 'USD', '0.07', '2020-01-01'], ['USD', 'MXN', '4', '2026-02-02']);
      expect(await inUsd('100.00', '2026-02-01')).toBe('7.00');
      await storeRates(['USD', 'MXN', '4', '2020-01-01'], ['MXN', 'USD', '0.07', '2026-02-02']);
      expect(await inUsd('100.00', '2026-02-01')).toBe('25.00');
    });

    it('rates in pesos per dollar count although the initial rate is stored, in each place that converts', async () => {
      const user = await service.signUp();
      await user.createTemplate({ currency: 'MXN', base_amount: '100.00' });
      const cycle = await user.createCycle();
      const rate = { rate: '0.050000', rate_date: '2025-01-01' };
      const before = (await user.expenses(cycle.id)).expenses;
      expect(before).toMatchObject([
        { amount_usd: '5.00', exchange_rate: rate },
        { amount_usd: '5.00', exchange_rate: rate },
      ]);
      await storeRates(
        INITIAL_RATE,
        ['USD', 'MXN', '20.5', '2026-01-30'],
        ['USD', 'MXN', '18.4', '2026-02-27'],
      );
      const converted = [
        { amount_usd: '4.88', exchange_rate: { rate: '0.048780', rate_date: '2026-01-30' } },
        { amount_usd: '5.43', exchange_rate: { rate: '0.054348', rate_date: '2026-02-27' } },
      ];
      const { start_date, end_date } = cycle;
      const body = { name: 'Preview', start_date, end_date, income_amount: '0' };
      const preview = await user.post('/cycles/preview', body).expect(200);
      expect(preview.body).toMatchObject({ expenses: converted });
      await user.post(`/cycles/${cycle.id}/reprice`, {}).expect(200);
      expect((await user.expenses(cycle.id)).expenses).toMatchObject(converted);
      const [first] = before;
      const path = `/cycles/${cycle.id}/expenses/${first?.id}`;
      const changed = await user.put(path, { amount: '200.00' }).expect(200);
      expect(changed.body).toMatchObject({ amount_usd: '9.76' });
      const other = await user.createCycle();
      expect((await user.expenses(other.id)).expenses).toMatchObject(converted);
    });
  });

  describe('fails', () => {
    it('conversion to USD fails because the amount rounds to 0.00', async () => {
      await expectRefused('0.09', 'amount');
    });

    it('conversion to USD fails because the divided amount rounds to 0.00', async () => {
      await storeRates(['USD', 'MXN', '17.5', '2026-01-01']);
      await expectRefused('0.08', 'amount');
    });

    it('conversion to USD fails because the result would be over the maximum amount', async () => {
      await storeRates(['MXN', 'USD', '2', '2026-01-01']);
      await expectRefused('500000000.00', 'amount');
    });

    it('conversion to USD fails because no rate of the pair is stored', async () => {
      await storeRates(['MXN', 'MXN', '1', '2026-01-01'], ['USD', 'USD', '1', '2026-01-01']);
      await expectRefused('100.00', 'currency');
    });

    it('a PUT whose conversion to USD fails leaves the expense unchanged', async () => {
      const user = await service.signUp();
      const { id } = await user.createCycle();
      const expense = await user.createExpense(id, { amount: '0.05' });
      const path = `/cycles/${id}/expenses/${expense.id}`;
      const response = await user.put(path, { currency: 'MXN', description: 'Chicle' });
      expectError(response, 422, 'CURRENCY_CONVERSION_ERROR');
      expect((await user.get(path).expect(200)).body).toEqual(expense);
    });
  });

  describe('of USD', () => {
    const addAndChange = async (user: Client): Promise<string[]> => {
      const { id } = await user.createCycle();
      const expense = await user.createExpense(id, { amount: '0.01' });
      const path = `/cycles/${id}/expenses/${expense.id}`;
      const body = { amount: '999999999.99', due_date: '2026-02-02' };
      const changed = (await user.put(path, body).expect(200)).body as ExpenseResponse;
      return [expense.amount_usd, changed.amount_usd];
    };

    it('conversion to USD of USD returns the same amount, without a rate', async () => {
      await storeRates();
      const user = await service.signUp();
      expect(await addAndChange(user)).toEqual(['0.01', '999999999.99']);
    });

    it('conversion to USD of USD ignores a stored rate from USD to USD', async () => {
      await storeRates(['USD', 'USD', '2', '2026-01-01']);
      const user = await service.signUp();
      expect(await addAndChange(user)).toEqual(['0.01', '999999999.99']);
    });
  });
});
