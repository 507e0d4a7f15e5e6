import { describe, expect, it } from '@jest/globals';
import { LazyModuleLoader } from '@nestjs/core';
import type { CurrentBalancesResponse } from '../../../src/balances/dto/current-balances.dto.js';
import type { CardStatementResponse } from '../../../src/cards/dto/card-statement.dto.js';
import type { CyclePageResponse } from '../../../src/cycles/dto/cycle.dto.js';
import type { NextCycleResponse } from '../../../src/cycles/dto/next-cycle.dto.js';
import type { ExpenseListResponse } from '../../../src/expenses/dto/expense-list.dto.js';
import type { ExpensePageResponse } from '../../../src/expenses/dto/expense-search.dto.js';
import type { ForecastResponse } from '../../../src/forecast/dto/forecast.dto.js';
import type { IncomeListResponse } from '../../../src/incomes/dto/income.dto.js';
import {
  readHouseholdData,
  type HouseholdData,
} from '../../../src/operators/sample-household/household-data.js';
import { SampleHousehold } from '../../../src/operators/sample-household/sample-household.js';
import { SampleHouseholdModule } from '../../../src/operators/sample-household/sample-household.module.js';
import { SandboxDay } from '../../../src/operators/sandbox/sandbox-day.js';
import type { PaymentMethodResponse } from '../../../src/payment-methods/dto/payment-method.dto.js';
import { addDays } from '../../../src/platform/values/calendar-date.js';
import type { CycleSummaryResponse } from '../../../src/reports/dto/cycle-summary.dto.js';
import { signIn, TEST_PASSWORD, uniqueName, type Client } from '../../support/client.js';
import { useService } from '../../support/service.js';

describe('the sample household', () => {
  const day = new SandboxDay(null);
  const service = useService({ todayIn: day.todayIn });

  async function createOn(
    today: string,
    data: HouseholdData,
    minDays?: number,
  ): Promise<{ user: Client; cycleCount: number }> {
    day.set(today);
    const modules = service.app.get(LazyModuleLoader, { strict: false });
    const household = (await modules.load(() => SampleHouseholdModule)).get(SampleHousehold);
    const email = `${uniqueName('ana').replace(' ', '-')}@example.com`;
    const account = { email, password: TEST_PASSWORD };
    const { cycleCount } = await household.create(account, data, minDays);
    return { user: await signIn(service.server, email), cycleCount };
  }

  /** Expects two overdue expenses and a budget over its limit in the active cycle. */
  async function expectActive(user: Client, today: string, id: string): Promise<void> {
    const { by_budget } = await user.read<CycleSummaryResponse>(`/cycles/${id}/summary`);
    const eatingOut = by_budget.find(({ budget }) => budget?.name === 'Eating out');
    expect(Number(eatingOut?.left)).toBeLessThan(0);
    const { expenses } = await user.read<ExpenseListResponse>(`/cycles/${id}/expenses`);
    for (const { due_date: due, status } of expenses) {
      expect([due < today, status]).toEqual(
        due < today ? [true, expect.stringMatching(/^(paid|overdue)$/)] : [false, 'pending'],
      );
    }
    expect(expenses.filter(({ status }) => status === 'overdue')).toHaveLength(2);
  }

  /**
   * Expects a card whose last statement that was due is paid but for 450.00, which are carried, and
   * one of twelve instalments in each later one, and in the forecast all that it takes.
   */
  async function expectCard(user: Client, today: string): Promise<void> {
    const methods = await user.read<PaymentMethodResponse[]>('/payment-methods');
    const cards = methods.filter(({ closing_day: closing }) => closing !== null);
    expect(cards).toMatchObject([{ name: 'Credit card', closing_day: 12, due_day: 2 }]);
    const path = `/payment-methods/${cards[0]?.id}/statements?from=${addDays(today, -60)}`;
    const [first, ...others] = await user.read<CardStatementResponse[]>(path);
    expect(first).toMatchObject({ status: 'paid', carried_amount: '0.00' });
    expect(Number(first?.amount) - Number(first?.paid_amount)).toBeCloseTo(450);
    expect(others.map(({ carried_amount: carried }) => carried)).toEqual(
      others.map((_, index) => (index === 0 ? '450.00' : '0.00')),
    );
    expect(others.map(({ closing_date: closing, status }) => [closing, status])).toEqual(
      others.map(({ closing_date: closing }) => [closing, closing < today ? 'closed' : 'open']),
    );
    const { cards: counted, entries } = await user.read<ForecastResponse>(
      '/forecast?include=entries',
    );
    const taken = (entries ?? []).filter(({ entity_type: type }) => type === 'card_statement');
    expect(counted.statement_count).toBe(taken.length);
    expect(taken[0]).toMatchObject({
      ...{ description: 'Credit card', date: others[0]?.due_date, amount: others[0]?.amount },
    });
    const search = await user.read<ExpensePageResponse>('/expenses?q=washing&per_page=100');
    const numbers = search.expenses.map(({ instalment }) => instalment?.number);
    expect(numbers.length).toBeGreaterThanOrEqual(3);
    expect(search.expenses.every(({ instalment }) => instalment?.count === 12)).toBe(true);
    expect(numbers.toSorted()).toEqual([...new Set(numbers)].toSorted());
  }

  // Each month, the first and last days of months and years, weekends, a leap year.
  it.each([
    ...['2026-11-25', '2026-12-01', '2026-12-19', '2027-01-01', '2027-01-12', '2027-02-20'],
    ...['2027-03-14', '2027-04-30', '2027-05-15', '2027-06-06', '2027-07-31', '2027-08-09'],
    ...['2027-09-16', '2027-10-12', '2028-02-29', '2028-12-31', '2025-01-01', '2030-10-20'],
  ])(
    'on %s the forecast has a positive `free`, two expenses are overdue, and a budget is over its limit',
    async (today) => {
      const { user, cycleCount } = await createOn(today, readHouseholdData('en'));
      expect(cycleCount).toBe(3);

      const forecasts = [];
      for (const parameter of ['', '&set_aside=budgets']) {
        const path = `/forecast?minimum_balance=200.00${parameter}`;
        forecasts.push(await user.read<ForecastResponse>(path));
      }
      for (const { pay_windows, warnings, overdue, opening } of forecasts) {
        expect(opening.source).toBe('stated');
        expect(Number(pay_windows[0]?.free)).toBeGreaterThanOrEqual(182.84);
        expect(warnings).toEqual([]);
        expect(overdue).toMatchObject({ expense_count: 2, income_count: 0 });
      }
      expect(forecasts[1]?.lowest.balance).toBe('382.84');

      const { cycles } = await user.read<CyclePageResponse>('/cycles');
      expect(cycles.map(({ status, start_date: start }) => [status, start])).toEqual([
        ['draft', addDays(today, 21)],
        ['active', addDays(today, -21)],
        ['completed', addDays(today, -63)],
      ]);
      await expectActive(user, today, cycles[1]?.id ?? '');
      await expectCard(user, today);
    },
    120_000,
  );

  // Pay days, the days before and after them, weekends, ends of months, and a leap year.
  it.each([
    ...['2026-01-14', '2026-01-15', '2026-11-28', '2026-12-31', '2027-01-01', '2027-03-08'],
    ...['2028-02-28', '2028-02-29', '2028-03-01', '2029-01-20', '2030-07-20', '2031-08-15'],
  ])(
    'on %s a year of completed cycles, of which nothing is left open, and the balances end in a forecast without a negative balance',
    async (today) => {
      const data = { ...readHouseholdData('en'), rates: [] };
      const { user, cycleCount } = await createOn(today, data, 365);
      expect(cycleCount).toBe(9);
      const { cycles } = await user.read<CyclePageResponse>('/cycles');
      expect(cycles.map(({ status, start_date: start }) => [status, start])).toEqual([
        ['draft', addDays(today, 21)],
        ['active', addDays(today, -21)],
        ...[63, 105, 147, 189, 231, 273, 315].map((ago) => ['completed', addDays(today, -ago)]),
      ]);

      for (const { id } of cycles.slice(2)) {
        const { incomes } = await user.read<IncomeListResponse>(`/cycles/${id}/incomes`);
        const { expenses } = await user.read<ExpenseListResponse>(`/cycles/${id}/expenses`);
        expect(new Set(expenses.map((expense) => expense.status))).toEqual(new Set(['paid']));
        expect(new Set(incomes.map((income) => income.received))).toEqual(new Set([true]));
      }
      await expectActive(user, today, cycles[1]?.id ?? '');
      await expectCard(user, today);
      const next = await user.read<NextCycleResponse>('/cycles/next');
      expect(next.income_amount).toBe('0.00');
      const current = await user.read<CurrentBalancesResponse>('/balances/current');
      expect(current.payment_methods.map(({ payment_method: { name } }) => name)).toEqual([
        ...['Dollar account', 'Debit card', 'Cash'],
      ]);
      for (const { amount, received, paid } of current.payment_methods) {
        expect([Number(amount) > 0, received, paid]).toEqual([true, '0.00', '0.00']);
      }
      const { lowest, warnings } = await user.read<ForecastResponse>('/forecast');
      expect(Number(lowest.balance)).toBeGreaterThan(0);
      expect(warnings.filter(({ code }) => code !== 'stale_rate')).toEqual([]);
    },
    120_000,
  );
});
