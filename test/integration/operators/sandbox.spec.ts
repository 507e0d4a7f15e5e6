import { describe, expect, it } from '@jest/globals';
import { LazyModuleLoader } from '@nestjs/core';
import type { CyclePageResponse } from '../../../src/cycles/dto/cycle.dto.js';
import type { ExpenseListResponse } from '../../../src/expenses/dto/expense-list.dto.js';
import type { ForecastResponse } from '../../../src/forecast/dto/forecast.dto.js';
import { readHouseholdData } from '../../../src/operators/sandbox/household-data.js';
import { SandboxDay } from '../../../src/operators/sandbox/sandbox-day.js';
import { SandboxHousehold } from '../../../src/operators/sandbox/sandbox-household.js';
import { SandboxModule } from '../../../src/operators/sandbox/sandbox.module.js';
import { addDays } from '../../../src/platform/values/calendar-date.js';
import type { CycleSummaryResponse } from '../../../src/reports/dto/cycle-summary.dto.js';
import { signIn, TEST_PASSWORD, uniqueName } from '../../support/client.js';
import { useService } from '../../support/service.js';

describe('the household of the sandbox', () => {
  const day = new SandboxDay(null);
  const service = useService({ todayIn: day.todayIn });

  // Each month, the first and last days of months and years, weekends, a leap year.
  it.each([
    ...['2026-11-25', '2026-12-01', '2026-12-19', '2027-01-01', '2027-01-12', '2027-02-20'],
    ...['2027-03-14', '2027-04-30', '2027-05-15', '2027-06-06', '2027-07-31', '2027-08-09'],
    ...['2027-09-16', '2027-10-12', '2028-02-29', '2028-12-31', '2025-01-01', '2030-10-20'],
  ])(
    'on %s the forecast has a positive `free`, two expenses are overdue, and a budget is over its limit',
    async (today) => {
      day.set(today);
      const modules = service.app.get(LazyModuleLoader, { strict: false });
      const household = (await modules.load(() => SandboxModule.register(day))).get(
        SandboxHousehold,
      );
      const email = `${uniqueName('ana').replace(' ', '-')}@example.com`;
      await household.create({ email, password: TEST_PASSWORD }, readHouseholdData('en'));
      const user = await signIn(service.server, email);

      const forecasts = [];
      for (const parameter of ['', '&set_aside=budgets']) {
        const path = `/forecast?minimum_balance=200.00${parameter}`;
        forecasts.push(await user.read<ForecastResponse>(path));
      }
      for (const { pay_windows, warnings, overdue } of forecasts) {
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
      const id = cycles[1]?.id ?? '';
      const { by_budget } = await user.read<CycleSummaryResponse>(`/cycles/${id}/summary`);
      const eatingOut = by_budget.find(({ budget }) => budget?.name === 'Eating out');
      expect(Number(eatingOut?.left)).toBeLessThan(0);
      const { expenses } = await user.read<ExpenseListResponse>(`/cycles/${id}/expenses`);
      for (const { due_date: due, status } of expenses) {
        expect([due < today, status]).toEqual(
          due < today ? [true, expect.stringMatching(/^(paid|overdue)$/)] : [false, 'pending'],
        );
      }
    },
    120_000,
  );
});
