import { beforeAll, describe, expect, it } from '@jest/globals';
import type {
  BudgetsReportResponse,
  BudgetSummary,
} from '../../../src/reports/dto/budget-summary.dto.js';
import type { CycleSummaryResponse } from '../../../src/reports/dto/cycle-summary.dto.js';
import type { Client } from '../../support/client.js';
import { expectError } from '../../support/errors.js';
import { useService } from '../../support/service.js';

const service = useService();

/** What the summary of a cycle and the report say, which is the same. */
async function byBudget(user: Client, cycleId: string): Promise<BudgetSummary[]> {
  const summary = await user.read<CycleSummaryResponse>(`/cycles/${cycleId}/summary`);
  const report = await user.read<BudgetsReportResponse>(`/reports/budgets?cycle_ids=${cycleId}`);
  expect(report.cycles[0]?.by_budget).toEqual(summary.by_budget);
  return summary.by_budget;
}

describe('a budget in pesos', () => {
  beforeAll(async () => {
    await service.query(
      `INSERT INTO exchange_rates (from_currency, to_currency, rate, rate_date)
       VALUES ('MXN', 'USD', 0.0625, '2026-02-10'), ('USD', 'MXN', 16.333333, '2026-02-20')`,
    );
  });

  it('has exactly its limit spent, however the peso moves', async () => {
    const user = await service.signUp();
    const food = await user.createBudget({ name: 'Súper', currency: 'MXN', limit: '12000.00' });
    const cycle = await user.createCycle();
    const fields = { currency: 'MXN', amount: '4000.00', budget_id: food.id };
    for (const due_date of ['2026-02-01', '2026-02-10', '2026-02-20']) {
      await user.createExpense(cycle.id, { ...fields, due_date });
    }
    expect(await byBudget(user, cycle.id)).toEqual([
      {
        ...{ budget: { id: food.id, name: 'Súper' }, currency: 'MXN', limit: '12000.00' },
        ...{ total_amount: '12000.00', paid_amount: '0.00', pending_amount: '12000.00' },
        ...{ refunded_amount: '0.00', left: '0.00', expense_count: 3 },
        total_amount_usd: '694.90',
      },
    ]);
  });

  it('takes what is in USD at the rate in force on its date, each half up', async () => {
    const user = await service.signUp();
    const food = await user.createBudget({ currency: 'MXN', limit: '1000.00' });
    const cycle = await user.createCycle();
    const method = await user.createPaymentMethod();
    const fields = { payment_method_id: method.id, budget_id: food.id };
    const first = await user.createExpense(cycle.id, {
      ...{ ...fields, amount: '0.05', due_date: '2026-02-20' },
    });
    await user.put(`/cycles/${cycle.id}/expenses/${first.id}`, { paid: true }).expect(200);
    await user.createExpense(cycle.id, { ...fields, amount: '0.05', due_date: '2026-02-20' });
    await user.createExpense(cycle.id, { ...fields, amount: '10.01', due_date: '2026-02-15' });
    const cancelled = await user.createExpense(cycle.id, { ...fields, due_date: '2026-02-15' });
    await user
      .put(`/cycles/${cycle.id}/expenses/${cancelled.id}`, { status: 'cancelled' })
      .expect(200);
    const incomes = { budget_id: food.id, income_date: '2026-02-11' };
    await user.createIncome(cycle.id, { ...incomes, amount: '2.00' });
    await user.createIncome(cycle.id, { ...incomes, amount: '7.50', currency: 'MXN' });
    const deleted = await user.createIncome(cycle.id, incomes);
    await user.delete(`/cycles/${cycle.id}/incomes/${deleted.id}`).expect(204);
    // 0.05 x 16.333333 is 0.81667, twice 1.64 rather than 1.63; 10.01 / 0.0625 is 160.16.
    expect(await byBudget(user, cycle.id)).toEqual([
      {
        ...{ budget: { id: food.id, name: food.name }, currency: 'MXN', limit: '1000.00' },
        ...{ total_amount: '161.80', paid_amount: '0.82', pending_amount: '160.98' },
        ...{ refunded_amount: '39.50', left: '877.70', total_amount_usd: '10.11' },
        expense_count: 3,
      },
    ]);
  });

  it('is refused where no rate converts an expense in USD', async () => {
    const user = await service.signUp();
    const food = await user.createBudget({ currency: 'MXN' });
    const cycle = await user.createCycle();
    await user.createExpense(cycle.id, { budget_id: food.id });
    const rates = await service.query<object>('SELECT * FROM exchange_rates');
    await service.query('DELETE FROM exchange_rates');
    try {
      for (const path of [
        `/cycles/${cycle.id}/summary`,
        `/reports/budgets?cycle_ids=${cycle.id}`,
      ]) {
        expectError(await user.get(path), 422, 'CURRENCY_CONVERSION_ERROR');
      }
    } finally {
      await service.query(
        `INSERT INTO exchange_rates SELECT * FROM jsonb_populate_recordset(null::exchange_rates, $1)`,
        [JSON.stringify(rates)],
      );
    }
  });
});

describe('refunds', () => {
  it('add to what is left of a budget, received or not, also without an expense', async () => {
    const user = await service.signUp();
    const shoes = await user.createBudget({ name: 'Shoes', limit: '80.00' });
    const other = await user.createBudget({ name: 'Toys' });
    const cycle = await user.createCycle();
    await user.createExpense(cycle.id, { amount: '100.00', budget_id: shoes.id });
    const back = await user.createIncome(cycle.id, { amount: '30.00', budget_id: shoes.id });
    expect(back.budget).toEqual({ id: shoes.id, name: 'Shoes' });
    await user.put(`/cycles/${cycle.id}/incomes/${back.id}`, { received: true }).expect(200);
    await user.createIncome(cycle.id, { amount: '5.00', budget_id: other.id });
    await user.createIncome(cycle.id, { amount: '7.00' });
    expect(await byBudget(user, cycle.id)).toEqual([
      {
        ...{ budget: { id: shoes.id, name: 'Shoes' }, currency: 'USD', limit: '80.00' },
        ...{ total_amount: '100.00', paid_amount: '0.00', pending_amount: '100.00' },
        ...{ refunded_amount: '30.00', left: '10.00', total_amount_usd: '100.00' },
        expense_count: 1,
      },
      {
        ...{ budget: { id: other.id, name: 'Toys' }, currency: 'USD', limit: null, left: null },
        ...{ total_amount: '0.00', paid_amount: '0.00', pending_amount: '0.00' },
        ...{ refunded_amount: '5.00', total_amount_usd: '0.00', expense_count: 0 },
      },
    ]);
  });
});
