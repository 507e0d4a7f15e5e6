import { afterAll, describe, expect, it, jest } from '@jest/globals';
import type { ActivityResponse } from '../../../src/activity/dto/activity.dto.js';
import type { CyclePageResponse } from '../../../src/cycles/dto/cycle.dto.js';
import type { ForecastResponse } from '../../../src/forecast/dto/forecast.dto.js';
import { createSampleHousehold } from '../../../src/operators/demo/sample-household.js';
import { addDays } from '../../../src/platform/values/calendar-date.js';
import type { CycleSummaryResponse } from '../../../src/reports/dto/cycle-summary.dto.js';
import { Client, TEST_PASSWORD, uniqueName } from '../../support/client.js';
import { setTime } from '../../support/clock.js';
import { useService } from '../../support/service.js';

describe('the sample household', () => {
  const service = useService();
  afterAll(() => {
    jest.useRealTimers();
  });

  async function createOn(day: string): Promise<Client> {
    // 21:00 in Mexico City.
    setTime(`${addDays(day, 1)}T03:00:00Z`);
    const email = `${uniqueName('ana').replace(' ', '-')}@example.com`;
    const token = await createSampleHousehold(service.app, { email, password: TEST_PASSWORD });
    return new Client(service.server, email, token);
  }

  /** The budgets of its cycles that are over their limits. */
  async function listOverLimit(user: Client): Promise<(string | undefined)[][]> {
    const { cycles } = await user.read<CyclePageResponse>('/cycles');
    const found = [];
    for (const { id, status } of cycles) {
      const { by_budget } = await user.read<CycleSummaryResponse>(`/cycles/${id}/summary`);
      expect(by_budget.map(({ budget }) => budget?.name)).toEqual([
        ...['Despensa', 'Servicios', 'Suscripciones', 'Transporte', undefined],
      ]);
      for (const { budget, left } of by_budget) {
        if (left?.startsWith('-')) found.push([status, budget?.name, left]);
      }
    }
    return found;
  }

  // The days with the highest and the lowest balances from 2026 to 2053, pay days, the days before
  // and after them, weekends, ends of months, and a leap year.
  it.each([
    ...['2026-01-14', '2026-01-15', '2026-11-28', '2026-12-31', '2027-01-01', '2027-03-08'],
    ...['2028-02-28', '2028-02-29', '2028-03-01', '2029-01-20', '2029-03-08', '2030-02-21'],
    ...['2030-07-20', '2030-12-21', '2031-08-15', '2032-10-31'],
  ])(
    'the sample household of %s falls below zero in the third pay window, and one budget of the active cycle is over its limit',
    async (day) => {
      const user = await createOn(day);
      const { today, pay_windows, warnings } = await user.read<ForecastResponse>('/forecast');
      expect(today).toBe(day);
      const isBelowZero = pay_windows.map(({ closing_balance }) => closing_balance.startsWith('-'));
      expect(isBelowZero.slice(0, 3)).toEqual([false, false, true]);
      expect(isBelowZero.at(-1)).toBe(false);
      expect(pay_windows.slice(0, 3).map(({ free }) => free)).toEqual(['0.00', '0.00', '0.00']);
      expect(Number(pay_windows.at(-1)?.free)).toBeGreaterThan(0);
      expect(warnings.map(({ code }) => code)).toEqual(['negative_balance', 'stale_rate']);
      expect(await listOverLimit(user)).toEqual([['active', 'Despensa', '-32.00']]);
    },
    120_000,
  );

  it('the carry-over of the sample household is undone by one request', async () => {
    const user = await createOn('2026-02-10');
    const { cycles } = await user.read<CyclePageResponse>('/cycles');
    const [draft, active] = cycles;
    const newest = async (cycleId?: string): Promise<ActivityResponse | undefined> =>
      (await user.read<ActivityResponse[]>(`/activity?cycle_id=${cycleId}&limit=1`))[0];
    const [created, deactivated] = [await newest(draft?.id), await newest(active?.id)];
    expect(created).toMatchObject({
      entity_type: 'cycle_expense',
      action: 'created',
      changes: { description: { to: 'Afinación del coche' } },
      operation_id: expect.any(String),
    });
    const operation = created?.operation_id;
    expect(deactivated).toMatchObject({ action: 'deactivated', operation_id: operation });
    const before = await user.read<ForecastResponse>('/forecast');
    await user.post(`/activity/operations/${operation}/undo`).expect(200);
    const { expenses } = await user.expenses(active?.id ?? '');
    expect(expenses.map(({ description }) => description)).toContain('Afinación del coche');
    expect((await user.read<ForecastResponse>('/forecast')).pay_windows).toEqual(
      before.pay_windows,
    );
  });
});
