import { describe, expect, it } from '@jest/globals';
import { todayInUtc } from '../../../src/platform/values/calendar-date.js';
import type { CycleSummaryResponse } from '../../../src/reports/dto/cycle-summary.dto.js';
import type { CyclesComparisonResponse } from '../../../src/reports/dto/cycles-comparison.dto.js';
import type { Client } from '../../support/client.js';
import { passMidnight } from '../../support/clock.js';
import { expectError, expectInvalid } from '../../support/errors.js';
import { expectedTotals, household, createHousehold } from '../../support/household.js';
import { useService } from '../../support/service.js';

await passMidnight();

const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000';

describe('reports', () => {
  const service = useService();

  describe('GET /cycles/{cycle_id}/summary', () => {
    async function summaryOf(user: Client, cycleId: string): Promise<CycleSummaryResponse> {
      const response = await user.get(`/cycles/${cycleId}/summary`).expect(200);
      return response.body as CycleSummaryResponse;
    }

    it('GET /cycles/{cycle_id}/summary sums up the household to the cent', async () => {
      const user = await service.signUp();
      const cycle = await createHousehold(user);
      const { expected } = household;
      const report = await summaryOf(user, cycle.id);
      expect(report.cycle).toEqual({
        id: cycle.id,
        name: cycle.name,
        start_date: cycle.start_date,
        end_date: cycle.end_date,
        income_amount: cycle.income_amount,
      });
      expect(report.financial).toEqual({
        total_expenses_usd: expected.total_expenses,
        fixed_expenses_usd: expected.fixed_expenses,
        variable_expenses_usd: expected.variable_expenses,
        usa_expenses_usd: expected.usa_expenses,
        mexico_expenses_usd: expected.mexico_expenses,
        total_incomes_usd: expectedTotals().total_incomes,
        net_balance: expectedTotals().remaining_balance,
      });
      expect(report.by_payment_method.map(({ payment_method: { name } }) => name)).toEqual(
        household.payment_methods.map(({ name }) => name),
      );
      expect(report.by_currency.USD).toEqual({ total_amount: '4868.32', expense_count: 25 });
      expect(report.by_currency.MXN?.total_amount_usd).toBe(expected.mexico_expenses);
      const late = expected.expenses.filter(({ due_date }) => due_date < todayInUtc()).length;
      expect(report.status_breakdown).toEqual({
        pending: 35 - late,
        paid: 0,
        overdue: late,
        cancelled: 0,
      });
    });

    it('GET /cycles/{cycle_id}/summary separates paid, cancelled and overdue expenses', async () => {
      const user = await service.signUp();
      const [card, cash] = [
        await user.createPaymentMethod({ name: 'Card' }),
        await user.createPaymentMethod({ name: 'Efectivo', default_currency: 'MXN' }),
      ];
      const cycle = await user.createCycle({ income_amount: '500.00' });
      const add = async (body: object, change?: object): Promise<void> => {
        const expense = await user.createExpense(cycle.id, { payment_method_id: card.id, ...body });
        if (change)
          await user.put(`/cycles/${cycle.id}/expenses/${expense.id}`, change).expect(200);
      };
      await add({ amount: '100.00', category: 'fixed' }, { paid: true });
      await add({ amount: '50.00', category: 'variable', due_date: '2020-01-01' });
      await add({ amount: '30.00', due_date: '2999-01-01' });
      await add({ amount: '999.00' }, { status: 'cancelled' });
      await add(
        { amount: '200.00', currency: 'MXN', payment_method_id: cash.id },
        { status: 'cancelled' },
      );
      const report = await summaryOf(user, cycle.id);
      expect(report.financial).toEqual({
        total_expenses_usd: '180.00',
        fixed_expenses_usd: '100.00',
        variable_expenses_usd: '80.00',
        usa_expenses_usd: '180.00',
        mexico_expenses_usd: '0.00',
        total_incomes_usd: '0.00',
        net_balance: '320.00',
      });
      expect(report.by_payment_method).toEqual([
        {
          payment_method: { id: card.id, name: 'Card' },
          total_amount: '180.00',
          paid_amount: '100.00',
          pending_amount: '80.00',
          expense_count: 3,
        },
      ]);
      expect(report.by_currency).toEqual({ USD: { total_amount: '180.00', expense_count: 3 } });
      expect(report.status_breakdown).toEqual({ pending: 1, paid: 1, overdue: 1, cancelled: 2 });
    });

    it('GET /cycles/{cycle_id}/summary returns the native amount by currency beside the converted one, which all other sums use', async () => {
      const user = await service.signUp();
      const cycle = await user.createCycle();
      const pesos = { amount: '812.35', currency: 'MXN' };
      const { payment_method: method } = await user.createExpense(cycle.id, pesos);
      const report = await summaryOf(user, cycle.id);
      expect(report.by_currency).toEqual({
        MXN: { total_amount: '812.35', total_amount_usd: '40.62', expense_count: 1 },
      });
      expect(report.by_payment_method).toEqual([
        {
          payment_method: { id: method.id, name: method.name },
          total_amount: '40.62',
          paid_amount: '0.00',
          pending_amount: '40.62',
          expense_count: 1,
        },
      ]);
    });

    it('GET /cycles/{cycle_id}/summary lists currencies in the order of the enumeration', async () => {
      const user = await service.signUp();
      const cycle = await user.createCycle();
      await user.createExpense(cycle.id, { amount: '812.35', currency: 'MXN' });
      await user.createExpense(cycle.id, { amount: '100.00', currency: 'USD' });
      const report = await summaryOf(user, cycle.id);
      expect(Object.keys(report.by_currency)).toEqual(['USD', 'MXN']);
    });

    it('GET /cycles/{cycle_id}/summary is all zeros for a cycle without expenses', async () => {
      const user = await service.signUp();
      const cycle = await user.createCycle({ income_amount: '10.00' });
      const report = await summaryOf(user, cycle.id);
      expect(report).toMatchObject({
        financial: { total_expenses_usd: '0.00', usa_expenses_usd: '0.00', net_balance: '10.00' },
        by_payment_method: [],
        by_currency: {},
        status_breakdown: { pending: 0, paid: 0, overdue: 0, cancelled: 0 },
      });
    });

    it("GET /cycles/{cycle_id}/summary does not find another user's cycle", async () => {
      const cycle = await (await service.signUp()).createCycle();
      const stranger = await service.signUp();
      expectError(await stranger.get(`/cycles/${cycle.id}/summary`), 404, 'CYCLE_NOT_FOUND');
    });
  });

  describe('GET /reports/cycles-comparison', () => {
    /** A cycle that starts in that month and costs that much. */
    async function cycleOf(user: Client, month: string, total: string): Promise<string> {
      const cycle = await user.createCycle({
        start_date: `${month}-01`,
        end_date: `${month}-28`,
        income_amount: '1000.00',
      });
      if (total !== '0.00') {
        await user.createExpense(cycle.id, { amount: total, category: 'fixed' });
      }
      return cycle.id;
    }

    async function compare(user: Client, query: string): Promise<CyclesComparisonResponse> {
      const response = await user.get(`/reports/cycles-comparison?${query}`).expect(200);
      return response.body as CyclesComparisonResponse;
    }

    it('GET /reports/cycles-comparison returns each cycle once, in the requested order, with the three default metrics', async () => {
      const user = await service.signUp();
      const january = await cycleOf(user, '2026-01', '100.00');
      const march = await cycleOf(user, '2026-03', '300.01');
      const comparison = await compare(
        user,
        `cycle_ids=${march},${january.toUpperCase()},${march}`,
      );
      expect(comparison.cycles.map(({ cycle }) => cycle.id)).toEqual([march, january]);
      expect(comparison.cycles[0]?.metrics).toEqual({
        total_expenses: '300.01',
        fixed_expenses: '300.01',
        variable_expenses: '0.00',
      });
      // 400.01 / 2 = 200.005: rounded half up.
      expect(comparison.comparison).toEqual({
        average_total: '200.01',
        trends: { expenses: 'increasing' },
      });
    });

    it.each(['metrics=net_balance,income_amount', 'metrics=net_balance&metrics=income_amount'])(
      'GET /reports/cycles-comparison returns the metrics of %s',
      async (metrics) => {
        const user = await service.signUp();
        const id = await cycleOf(user, '2026-01', '100.00');
        const { cycles } = await compare(user, `cycle_ids=${id}&${metrics}`);
        expect(cycles[0]?.metrics).toEqual({ net_balance: '900.00', income_amount: '1000.00' });
      },
    );

    it('GET /reports/cycles-comparison returns paid and unpaid amounts', async () => {
      const user = await service.signUp();
      const cycle = await user.createCycle();
      const paid = await user.createExpense(cycle.id, { amount: '70.00' });
      await user.put(`/cycles/${cycle.id}/expenses/${paid.id}`, { paid: true }).expect(200);
      await user.createExpense(cycle.id, { amount: '30.00' });
      const metrics = 'paid_expenses,pending_expenses,variable_expenses';
      const { cycles } = await compare(user, `cycle_ids=${cycle.id}&metrics=${metrics}`);
      expect(cycles[0]?.metrics).toEqual({
        paid_expenses: '70.00',
        pending_expenses: '30.00',
        variable_expenses: '100.00',
      });
    });

    it('GET /reports/cycles-comparison computes the trend from the earliest to the latest start', async () => {
      const user = await service.signUp();
      const late = await cycleOf(user, '2026-05', '50.00');
      const early = await cycleOf(user, '2026-01', '100.00');
      const { comparison } = await compare(user, `cycle_ids=${late},${early}`);
      expect(comparison.trends).toEqual({ expenses: 'decreasing' });
      const alone = await compare(user, `cycle_ids=${late}`);
      expect(alone.comparison.trends).toEqual({ expenses: 'stable' });
    });

    it('GET /reports/cycles-comparison does not find a comparison with a missing cycle or one of another user', async () => {
      const user = await service.signUp();
      const own = (await user.createCycle()).id;
      const otherUsersCycle = (await (await service.signUp()).createCycle()).id;
      for (const other of [UNKNOWN_ID, otherUsersCycle]) {
        const response = await user.get(`/reports/cycles-comparison?cycle_ids=${own},${other}`);
        expectError(response, 404, 'CYCLE_NOT_FOUND');
      }
    });

    it.each([
      ['', 'cycle_ids'],
      ['cycle_ids=', 'cycle_ids'],
      ['cycle_ids=x', 'cycle_ids'],
      [`cycle_ids=${UNKNOWN_ID},`, 'cycle_ids'],
      [`cycle_ids=${UNKNOWN_ID}&cycle_ids=${UNKNOWN_ID}`, 'cycle_ids'],
      [`cycle_ids=${UNKNOWN_ID}&metrics=profit`, 'metrics'],
      [`cycle_ids=${UNKNOWN_ID}&metrics=`, 'metrics'],
    ])('GET /reports/cycles-comparison refuses %p', async (query, field) => {
      const user = await service.signUp();
      expectInvalid(await user.get(`/reports/cycles-comparison?${query}`), field);
    });

    it('GET /reports/cycles-comparison accepts up to 50 cycles', async () => {
      const user = await service.signUp();
      const ids = (count: number): string =>
        Array.from({ length: count }, (_, n) => UNKNOWN_ID.slice(0, -2) + String(n + 10)).join(',');
      expectInvalid(await user.get(`/reports/cycles-comparison?cycle_ids=${ids(51)}`), 'cycle_ids');
      const response = await user.get(`/reports/cycles-comparison?cycle_ids=${ids(50)}`);
      expectError(response, 404, 'CYCLE_NOT_FOUND');
    });
  });
});
