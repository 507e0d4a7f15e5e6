import { describe, expect, it } from '@jest/globals';
import type { ExpenseTemplateResponse } from '../../../src/templates/dto/expense-template.dto.js';
import {
  expectedIncomes,
  expectedTotals,
  household,
  createHousehold,
} from '../../support/household.js';
import { useService } from '../../support/service.js';

describe('the bilingual household', () => {
  const service = useService();

  it('the bilingual household has the exact expected due dates, amounts and totals', async () => {
    const user = await service.signUp();
    const cycle = await createHousehold(user);
    const { expected } = household;

    expect(cycle).toMatchObject({
      status: 'draft',
      remaining_balance: expectedTotals().remaining_balance,
      summary: {
        total_expenses: expected.total_expenses,
        fixed_expenses: expected.fixed_expenses,
        variable_expenses: expected.variable_expenses,
        expense_count: expected.expense_count,
        paid_count: 0,
        pending_count: expected.expense_count,
        total_incomes: expectedTotals().total_incomes,
        income_count: expectedIncomes().length,
      },
    });

    const { expenses, summary } = await user.expenses(cycle.id);
    const listed = expenses.map((expense) => ({
      description: expense.description,
      due_date: expense.due_date,
      currency: expense.currency,
      amount: expense.amount,
      amount_usd: expense.amount_usd,
      category: expense.category,
      payment_method: expense.payment_method.name,
    }));
    expect(listed).toEqual(expected.expenses);
    expect(summary).toEqual({
      total_amount_usd: expected.total_expenses,
      fixed_amount: expected.fixed_expenses,
      variable_amount: expected.variable_expenses,
      paid_amount: '0.00',
      pending_amount: expected.total_expenses,
      total_count: expected.expense_count,
    });
  });

  it('the bilingual household has incomes on every second Friday, and on two weekdays of each month', async () => {
    const user = await service.signUp();
    const cycle = await createHousehold(user);
    const { incomes, summary } = await user.incomes(cycle.id);
    expect(
      incomes.map(({ description, income_date, amount_usd }) => ({
        description,
        income_date,
        amount_usd,
      })),
    ).toEqual(expectedIncomes());
    // The 15th of February is a Sunday, the last days of January and February are Saturdays.
    expect(expectedIncomes().map(({ income_date }) => income_date)).toEqual([
      ...['2026-01-30', '2026-01-30', '2026-02-13', '2026-02-13', '2026-02-27', '2026-02-27'],
    ]);
    expect(summary).toEqual({
      total_amount_usd: expectedTotals().total_incomes,
      received_amount: '0.00',
      expected_amount: expectedTotals().total_incomes,
      total_count: 6,
    });
  });

  it('the bilingual household splits the total by currency', async () => {
    const user = await service.signUp();
    const cycle = await createHousehold(user);
    const usa = await user.expenses(cycle.id, '?currency=USD');
    const mexico = await user.expenses(cycle.id, '?currency=MXN');
    expect(usa.summary.total_amount_usd).toBe(household.expected.usa_expenses);
    expect(mexico.summary.total_amount_usd).toBe(household.expected.mexico_expenses);
  });

  it('the bilingual household copies the autopay information and the template id to each expense', async () => {
    const user = await service.signUp();
    const cycle = await createHousehold(user);
    const { expenses } = await user.expenses(cycle.id);
    const templates = (await user.get('/expense-templates').expect(200))
      .body as ExpenseTemplateResponse[];
    for (const expense of expenses) {
      const template = templates.find(({ id }) => id === expense.template_id);
      expect(template?.description).toBe(expense.description);
      expect(expense.autopay_info).toBe(template?.autopay_info);
    }
  });
});
