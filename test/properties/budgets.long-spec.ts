import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import fc from 'fast-check';
import type { BudgetsReportResponse } from '../../src/reports/dto/budget-summary.dto.js';
import type { CycleSummaryResponse } from '../../src/reports/dto/cycle-summary.dto.js';
import { spentOnBudgets } from '../support/budgets-model.js';
import { setTime } from '../support/clock.js';
import { createHousehold, CYCLE_MAX_DAYS, readHousehold } from '../support/forecast-data.js';
import { plusDays } from '../support/forecast-periods.js';
import { longRuns } from '../support/repetitions.js';
import { useService } from '../support/service.js';
import { anyHousehold } from './random-households.js';

jest.setTimeout(600_000);

const service = useService({ cycleMaxDays: CYCLE_MAX_DAYS });

/** Of both directions: for an amount in USD, some of one date multiply and some divide. */
const RATES = [
  ['MXN', 'USD', '0.048765', '2026-01-05'],
  ['USD', 'MXN', '17.5', '2026-02-20'],
  ['MXN', 'USD', '0.051234', '2026-03-01'],
  ['USD', 'MXN', '19.8', '2026-03-01'],
  ['MXN', 'USD', '0.061111', '2026-04-10'],
] as const;

beforeAll(async () => {
  for (const rate of RATES) {
    await service.query(
      `INSERT INTO exchange_rates (from_currency, to_currency, rate, rate_date)
       VALUES ($1, $2, $3, $4)`,
      [...rate],
    );
  }
});
afterAll(() => {
  jest.useRealTimers();
});

describe('by_budget', () => {
  it('equals a computation entry by entry, in summaries and in the report', async () => {
    await fc.assert(
      fc.asyncProperty(anyHousehold, async (plan) => {
        setTime(`${plusDays(plan.today, 1)}T03:00:00Z`);
        const user = await createHousehold(service, plan);
        const household = await readHousehold(service, user, () => plan.today);
        const { cycles } = household;
        for (const cycle of cycles) {
          const { by_budget } = await user.read<CycleSummaryResponse>(
            `/cycles/${cycle.id}/summary`,
          );
          expect(by_budget).toEqual(spentOnBudgets(household, cycle));
        }
        if (cycles.length === 0) return;
        const ids = cycles.map(({ id }) => id).join(',');
        expect(await user.read<BudgetsReportResponse>(`/reports/budgets?cycle_ids=${ids}`)).toEqual(
          {
            cycles: cycles.map((cycle) => ({
              cycle: { id: cycle.id, name: cycle.name },
              by_budget: spentOnBudgets(household, cycle),
            })),
          },
        );
      }),
      longRuns(60),
    );
  });
});
