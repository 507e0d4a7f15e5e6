import { describe, expect, it } from '@jest/globals';
import { Big } from 'big.js';
import type { BudgetResponse } from '../../../src/budgets/dto/budget.dto.js';
import type { CycleResponse } from '../../../src/cycles/dto/cycle.dto.js';
import type {
  BudgetsReportResponse,
  BudgetSummary,
} from '../../../src/reports/dto/budget-summary.dto.js';
import type { CycleSummaryResponse } from '../../../src/reports/dto/cycle-summary.dto.js';
import type { Client } from '../../support/client.js';
import { expectError, expectInvalid } from '../../support/errors.js';
import { UNKNOWN_UUID } from '../../support/sample-entities.js';
import { useService } from '../../support/service.js';

const service = useService();

const byBudget = async (user: Client, { id }: CycleResponse): Promise<BudgetSummary[]> =>
  (await user.read<CycleSummaryResponse>(`/cycles/${id}/summary`)).by_budget;

const reportOf = (user: Client, ...cycles: CycleResponse[]): Promise<BudgetsReportResponse> =>
  user.read(`/reports/budgets?cycle_ids=${cycles.map(({ id }) => id).join(',')}`);

const referenceTo = ({ id, name }: BudgetResponse) => ({ id, name });

describe('by_budget', () => {
  it('is empty for a cycle without limits and expenses', async () => {
    const user = await service.signUp();
    const cycle = await user.createCycle();
    expect(await byBudget(user, cycle)).toEqual([]);
    expect(await reportOf(user, cycle)).toEqual({
      cycles: [{ cycle: { id: cycle.id, name: cycle.name }, by_budget: [] }],
    });
  });

  it('has budgets with a limit, an expense or a refund by name in code points, and last what has none', async () => {
    const user = await service.signUp();
    const names = ['b', 'Z', 'é', 'a', '😀', 'ﬃ'];
    const budgets: BudgetResponse[] = [];
    for (const name of names) budgets.push(await user.createBudget({ name }));
    const limited = await user.createBudget({ name: 'A', limit: '300.00' });
    await user.createBudget({ name: 'unused' });
    const cycle = await user.createCycle();
    const [refunded, ...spent] = budgets;
    for (const { id } of spent) await user.createExpense(cycle.id, { budget_id: id });
    await user.createIncome(cycle.id, { budget_id: refunded?.id });
    await user.createExpense(cycle.id);
    const found = await byBudget(user, cycle);
    const sorted = ['A', 'Z', 'a', 'b', 'é', 'ﬃ', '😀'];
    expect(found.map(({ budget }) => budget?.name ?? null)).toEqual([...sorted, null]);
    expect(found[0]).toEqual({
      ...{ budget: referenceTo(limited), currency: 'USD', limit: '300.00' },
      ...{ total_amount: '0.00', paid_amount: '0.00', pending_amount: '0.00' },
      ...{ refunded_amount: '0.00', left: '300.00', total_amount_usd: '0.00', expense_count: 0 },
    });
    expect(found.at(-1)).toEqual({
      ...{ budget: null, currency: 'USD', limit: null },
      ...{ total_amount: '100.00', paid_amount: '0.00', pending_amount: '100.00' },
      ...{ refunded_amount: '0.00', left: null, total_amount_usd: '100.00', expense_count: 1 },
    });
  });

  it('sums in USD what is neither cancelled nor deleted, and says what is left of the limit', async () => {
    const user = await service.signUp();
    const food = await user.createBudget({ name: 'Despensa', limit: '100.00' });
    const cycle = await user.createCycle();
    const path = `/cycles/${cycle.id}/expenses`;
    const add = (amount: string, currency = 'USD') =>
      user.createExpense(cycle.id, { amount, currency, budget_id: food.id });
    const paid = await add('812.35', 'MXN');
    await user.put(`${path}/${paid.id}`, { paid: true }).expect(200);
    await add('70.01');
    const cancelled = await add('500.00');
    await user.put(`${path}/${cancelled.id}`, { status: 'cancelled' }).expect(200);
    await user.delete(`${path}/${(await add('600.00')).id}`).expect(204);
    const summary = {
      ...{ budget: referenceTo(food), currency: 'USD', limit: '100.00' },
      ...{ total_amount: '110.63', paid_amount: '40.62', pending_amount: '70.01' },
      ...{ refunded_amount: '0.00', left: '-10.63', total_amount_usd: '110.63', expense_count: 2 },
    };
    expect(await byBudget(user, cycle)).toEqual([summary]);
    await user.delete(`/budgets/${food.id}`).expect(204);
    await user.put(`/budgets/${food.id}`, { limit: '1.00' }).expect(200);
    expect(await byBudget(user, cycle)).toEqual([summary]);
    await user.put(`/cycles/${cycle.id}`, { budget_limits: [] }).expect(200);
    expect(await byBudget(user, cycle)).toEqual([{ ...summary, limit: null, left: null }]);
  });

  it('adds up to the totals of the cycle, whatever is written at the same time', async () => {
    const user = await service.signUp();
    const food = await user.createBudget({ limit: '1000.00' });
    const cycle = await user.createCycle();
    const { payment_method } = await user.createExpense(cycle.id, { budget_id: food.id });
    const expense = (n: number): object => ({
      ...{ description: `Milk ${n}`, currency: n % 2 ? 'USD' : 'MXN', amount: `${n}.37` },
      ...{ payment_method_id: payment_method.id, budget_id: n % 3 ? food.id : null },
      ...{ due_date: '2026-02-01', category: 'variable' },
    });
    const path = `/cycles/${cycle.id}`;
    const writes = Array.from({ length: 40 }, (_, n) =>
      user.post(`${path}/expenses`, expense(n + 1)).expect(201),
    );
    const reads = Array.from({ length: 20 }, () =>
      user.read<CycleSummaryResponse>(`${path}/summary`),
    );
    await Promise.all(writes);
    const summaries = [
      ...(await Promise.all(reads)),
      await user.read<CycleSummaryResponse>(`${path}/summary`),
    ];
    for (const { by_budget, financial } of summaries) {
      const total = by_budget.reduce((sum, { total_amount }) => sum.plus(total_amount), new Big(0));
      expect(total.toFixed(2)).toBe(financial.total_expenses_usd);
      const [ofFood] = by_budget;
      expect(new Big(1000).minus(ofFood?.total_amount ?? 0).toFixed(2)).toBe(ofFood?.left);
    }
    expect(summaries.at(-1)?.by_budget.map(({ expense_count }) => expense_count)).toEqual([28, 13]);
  });
});

describe('GET /reports/budgets', () => {
  it('has the cycles in the requested order, each as its summary', async () => {
    const user = await service.signUp();
    const food = await user.createBudget({ limit: '80.00' });
    await user.createTemplate({ budget_id: food.id, base_amount: '50.00' });
    const first = await user.createCycle();
    const second = await user.createCycle({ generate_from_templates: false });
    await user.createExpense(second.id);
    expect(await reportOf(user, second, first, second)).toEqual({
      cycles: [
        {
          cycle: { id: second.id, name: second.name },
          by_budget: await byBudget(user, second),
        },
        { cycle: { id: first.id, name: first.name }, by_budget: await byBudget(user, first) },
      ],
    });
  });

  it("refuses cycles that do not exist or are another user's, and wrong lists", async () => {
    const user = await service.signUp();
    const cycle = await user.createCycle();
    const foreign = await (await service.signUpMember(user)).createCycle();
    const deleted = await user.createCycle();
    await user.delete(`/cycles/${deleted.id}`).expect(204);
    for (const id of [foreign.id, deleted.id, UNKNOWN_UUID]) {
      const response = await user.get(`/reports/budgets?cycle_ids=${cycle.id},${id}`);
      expectError(response, 404, 'CYCLE_NOT_FOUND');
    }
    const many = Array.from(
      { length: 51 },
      (_, n) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`,
    );
    for (const query of ['', '?cycle_ids=', '?cycle_ids=x', `?cycle_ids=${many.join(',')}`]) {
      expectInvalid(await user.get(`/reports/budgets${query}`), 'cycle_ids');
    }
  });
});
