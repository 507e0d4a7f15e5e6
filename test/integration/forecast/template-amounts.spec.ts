import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { ForecastResponse } from '../../../src/forecast/dto/forecast.dto.js';
import type { WhatIfResponse } from '../../../src/forecast/dto/what-if.dto.js';
import { setTime } from '../../support/clock.js';
import { expectError } from '../../support/errors.js';
import { useService } from '../../support/service.js';

/** 12 instalments in pesos until July 2026, without that of April. */
const PURCHASE = {
  ...{ description: 'Lavadora', currency: 'MXN', base_amount: '1291.58', last_amount: '1300.00' },
  ...{ recurrence_type: 'monthly', recurrence_config: { day_of_month: 5 } },
  ...{ reference_date: '2025-07-05', starts_on: '2025-07-01', ends_on: '2026-07-31' },
  amount_changes: [{ from: '2026-03-05', amount: '2000.00' }],
  skipped_dates: ['2026-04-05'],
};

const EXPECTED = [
  {
    date: '2026-02-05',
    amount: '1291.58',
    amount_usd: '64.58',
    instalment: { number: 8, count: 12 },
  },
  {
    date: '2026-03-05',
    amount: '2000.00',
    amount_usd: '100.00',
    instalment: { number: 9, count: 12 },
  },
  {
    date: '2026-05-05',
    amount: '2000.00',
    amount_usd: '100.00',
    instalment: { number: 10, count: 12 },
  },
  {
    date: '2026-06-05',
    amount: '2000.00',
    amount_usd: '100.00',
    instalment: { number: 11, count: 12 },
  },
  {
    date: '2026-07-05',
    amount: '1300.00',
    amount_usd: '65.00',
    instalment: { number: 12, count: 12 },
  },
];

describe('amounts and instalments in the forecast', () => {
  const service = useService();
  beforeAll(() => {
    setTime('2026-01-20T12:00:00Z');
  });
  afterAll(() => {
    jest.useRealTimers();
  });

  const QUERY = '/forecast?to=2026-07-31&include=entries';

  const shown = ({ entries }: Pick<ForecastResponse, 'entries'>): object[] =>
    (entries ?? [])
      .filter(({ description }) => description === PURCHASE.description)
      .map(({ date, amount, amount_usd, instalment }) => ({
        date,
        amount,
        amount_usd,
        instalment,
      }));

  it('are those of stored cycles and of those that would follow', async () => {
    const user = await service.signUp();
    await user.createTemplate(PURCHASE);
    const dates = { start_date: '2026-01-15', end_date: '2026-02-28' };
    await user.createCycle({ ...dates, income_amount: '0.00' });
    const found = await user.read<ForecastResponse>(QUERY);
    expect(shown(found)).toEqual(EXPECTED);
    expect(found.closing_balance).toBe('-429.58');
  });

  it('are those of templates that a what-if adds', async () => {
    const user = await service.signUp();
    const compared = async (op: string): Promise<ForecastResponse> => {
      const changes = [{ ...PURCHASE, op }];
      const body = { to: '2026-07-31', include: ['entries'], changes };
      return ((await user.post('/forecast', body).expect(200)).body as WhatIfResponse).changed;
    };
    for (const op of ['add_expense_template', 'add_income_template']) {
      expect(shown(await compared(op))).toEqual(EXPECTED);
    }
    const changes = [{ ...PURCHASE, op: 'add_expense_template', ends_on: null }];
    const refused = await user.post('/forecast', { changes });
    const path = 'changes.0.last_amount';
    expectError(refused, 422, 'VALIDATION_ERROR', {
      fields: { [path]: [`${path} must be null without ends_on`] },
      reasons: { [path]: ['contradiction'] },
    });
  });

  it('are what budgets of cycles that would follow have spent', async () => {
    const user = await service.signUp();
    const { id: budget_id } = await user.createBudget({ name: 'Casa', limit: '101.00' });
    await user.createTemplate({ ...PURCHASE, budget_id });
    await user.createCycle({ start_date: '2026-01-01', end_date: '2026-01-31' });
    const { entries } = await user.read<ForecastResponse>(`${QUERY}&set_aside=budgets`);
    const aside = entries?.filter(({ entity_type }) => entity_type === 'budget');
    expect(aside?.map(({ date, amount }) => [date, amount])).toEqual([
      ['2026-01-31', '36.42'],
      ['2026-02-28', '36.42'],
      ['2026-03-31', '1.00'],
      ['2026-04-30', '101.00'],
      ['2026-05-31', '1.00'],
      ['2026-06-30', '1.00'],
      ['2026-07-31', '36.00'],
    ]);
  });
});
