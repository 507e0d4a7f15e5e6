import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { ForecastResponse } from '../../../src/forecast/dto/forecast.dto.js';
import type { CycleSummaryResponse } from '../../../src/reports/dto/cycle-summary.dto.js';
import type { Client } from '../../support/client.js';
import { setTime } from '../../support/clock.js';
import { documentedExample, documentedRows } from '../../support/documented-table.js';
import { createFortnightHousehold, stateBalance } from '../../support/fortnight-household.js';
import { useService } from '../../support/service.js';

const example = documentedExample('example');
const rowsOf = (title: string): string[][] => documentedRows(example, title);

/** The example of docs/concepts.md: its household over HTTP, at its instant. */
describe('the worked example of a forecast', () => {
  const service = useService();
  let ana: Client;
  let cycleId = '';
  let planned = '';

  beforeAll(async () => {
    // 19:30 on 10 February in Mexico City.
    setTime('2026-02-11T01:30:00Z');
    ana = await service.signUp({ time_zone: 'America/Mexico_City' });
    const household = await createFortnightHousehold(ana);
    cycleId = household.cycleId;
    ({ opening_balance: planned } = await ana.read<ForecastResponse>('/forecast'));
    await stateBalance(ana, household.paymentMethodId, '5000.00');
  });
  afterAll(() => {
    jest.useRealTimers();
  });

  it('its entries are those of the household', async () => {
    const { expenses } = await ana.expenses(cycleId);
    const { incomes } = await ana.incomes(cycleId);
    const entries = [
      ...incomes.map(({ income_date, description, amount, amount_usd, received }) => [
        income_date,
        description,
        amount,
        amount_usd,
        received ? 'received' : 'expected',
      ]),
      ...expenses.map(({ due_date, description, amount, amount_usd, status }) => [
        due_date,
        description,
        amount,
        amount_usd,
        status,
      ]),
    ];
    entries.sort(([a = ''], [b = '']) => (a < b ? -1 : a > b ? 1 : 0));
    const sorted = (rows: string[][]): string[] => rows.map((row) => row.join(' ')).sort();
    expect(sorted(rowsOf('Date'))).toEqual(sorted(entries));
  });

  it('its numbers are those of the forecast', async () => {
    const forecast = await ana.read<ForecastResponse>('/forecast?to=2026-03-01');
    expect(
      forecast.pay_windows.map(
        ({ from, to, incomes, expenses, closing_balance, free, limited_by }) => [
          ...[from, to, incomes, expenses, closing_balance, free, limited_by.date],
        ],
      ),
    ).toEqual(rowsOf('From'));
    const { opening_balance, overdue } = forecast;
    expect(example).toContain(`According to the plan there are ${planned} USD`);
    expect(example).toContain(`begins with ${opening_balance} USD`);
    expect(example).toContain(`The ${overdue.expenses} USD of 8 February are overdue`);
    expect(overdue.expense_count).toBe(1);
    expect(forecast.warnings.map(({ code }) => code)).toEqual([]);
  });

  it('its budgets are those of the summary, and what is left of them is set aside', async () => {
    const { by_budget } = await ana.read<CycleSummaryResponse>(`/cycles/${cycleId}/summary`);
    expect(
      by_budget.map(({ budget, limit, total_amount, left }) => [
        ...[budget?.name, limit, total_amount, left],
      ]),
    ).toEqual(rowsOf('Budget'));
    const { pay_windows } = await ana.read<ForecastResponse>(
      '/forecast?to=2026-03-01&set_aside=budgets',
    );
    const [first, , last] = pay_windows;
    expect(example).toContain(`${first?.set_aside} by 12 February`);
    expect(example).toContain(`${last?.closing_balance} USD are left on 1 March instead of`);
    expect(example).toContain('and nothing is free.');
    expect(new Set(pay_windows.map(({ free }) => free))).toEqual(new Set(['0.00']));
  });

  it('it goes on with the cycle that it names', async () => {
    const { cycles, warnings } = await ana.read<ForecastResponse>('/forecast');
    const [, next] = cycles;
    expect(next?.source).toBe('proposed');
    expect(example).toContain(`${next?.start_date} to ${next?.end_date}`);
    expect(warnings.map(({ code }) => code)).not.toContain('repeated_income_amount');
  });

  it('a new user gets one window in which everything is 0.00, and no warnings', async () => {
    const user = await service.signUp();
    expect(await user.read<ForecastResponse>('/forecast?to=2026-02-28')).toEqual({
      today: '2026-02-11',
      to: '2026-02-28',
      free_until: '2026-08-10',
      currency: null,
      payment_method_id: null,
      opening_balance: '0.00',
      opening: { source: 'plan', stated_at: null },
      minimum_balance: '0.00',
      closing_balance: '0.00',
      lowest: { date: '2026-02-11', balance: '0.00' },
      overdue: { expenses: '0.00', expense_count: 0, incomes: '0.00', income_count: 0 },
      pay_windows: [
        {
          from: '2026-02-11',
          to: '2026-02-28',
          incomes: '0.00',
          expenses: '0.00',
          expense_count: 0,
          set_aside: '0.00',
          closing_balance: '0.00',
          free: '0.00',
          limited_by: { date: '2026-02-11', balance: '0.00' },
        },
      ],
      cycles: [
        {
          id: null,
          name: '2026-02-11 to 2026-03-24',
          start_date: '2026-02-11',
          end_date: '2026-03-24',
          source: 'proposed',
          incomes: '0.00',
          expenses: '0.00',
          closing_balance: '0.00',
        },
      ],
      cards: { expenses: '0.00', statement_count: 0 },
      days: null,
      entries: null,
      entries_left_out: null,
      warnings: [],
    });
  });
});
