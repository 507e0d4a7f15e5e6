import { describe, expect, it } from '@jest/globals';
import type { BudgetsOfCycle, SpentOnBudget } from '../budgets.queries.js';
import { toBudgetSummaries } from './budget-summary.dto.js';

const spentOn = (budget_id: string | null): SpentOnBudget => ({
  ...{ budget_id, total: '12.50', paid: '10.00', total_usd: '12.50', expense_count: 2 },
  lacks_rate: false,
});

const SPENT = {
  ...{ total_amount: '12.50', paid_amount: '10.00', pending_amount: '2.50' },
  ...{ total_amount_usd: '12.50', expense_count: 2 },
};

const inDollars = (id: string, name: string) => ({ id, name, currency: 'USD' }) as const;

const ofCycle = (fields: Partial<BudgetsOfCycle>): BudgetsOfCycle => ({
  ...{ budgets: [], limits: [], refunds: [] },
  ...fields,
});

describe('toBudgetSummaries', () => {
  it('toBudgetSummaries has nothing of a cycle without expenses, limits and refunds', () => {
    const budgets = [inDollars('1', 'Food')];
    expect(toBudgetSummaries(ofCycle({ budgets }), [])).toEqual([]);
  });

  it('toBudgetSummaries orders budgets by code points, then id, and expenses without one last', () => {
    const names = ['\u{1F600}', '\uFF01', 'food', 'Food', 'Food'];
    const budgets = names.map((name, n) => inDollars(`id ${9 - n}`, name));
    const spent = [spentOn(null), ...budgets.map(({ id }) => spentOn(id))];
    expect(toBudgetSummaries(ofCycle({ budgets }), spent)).toEqual(
      [
        ...[
          { id: 'id 5', name: 'Food' },
          { id: 'id 6', name: 'Food' },
          { id: 'id 7', name: 'food' },
        ],
        ...[{ id: 'id 8', name: '\uFF01' }, { id: 'id 9', name: '\u{1F600}' }, null],
      ].map((budget) => ({
        ...{ budget, currency: 'USD', limit: null, left: null, refunded_amount: '0.00' },
        ...SPENT,
      })),
    );
  });

  it('toBudgetSummaries has what is left of limits, with and without expenses', () => {
    const budgets = [inDollars('2', 'Fun'), inDollars('1', 'Food')];
    const limits = [
      { budget_id: '2', limit: '20.00' },
      { budget_id: '1', limit: '10.00' },
    ];
    const summaries = toBudgetSummaries(ofCycle({ budgets, limits }), [spentOn('1')]);
    const common = { currency: 'USD', refunded_amount: '0.00' };
    expect(summaries).toEqual([
      { budget: { id: '1', name: 'Food' }, limit: '10.00', left: '-2.50', ...common, ...SPENT },
      {
        ...{ budget: { id: '2', name: 'Fun' }, limit: '20.00', left: '20.00', ...common },
        ...{ total_amount: '0.00', paid_amount: '0.00', pending_amount: '0.00' },
        ...{ total_amount_usd: '0.00', expense_count: 0 },
      },
    ]);
  });

  it('toBudgetSummaries lists a budget with a refund alone, which adds to what is left', () => {
    const budgets = [{ id: '1', name: 'Shoes', currency: 'MXN' } as const];
    const refunds = [{ budget_id: '1', amount: '700.00', lacks_rate: false }];
    expect(toBudgetSummaries(ofCycle({ budgets, refunds }), [])).toEqual([
      {
        ...{ budget: { id: '1', name: 'Shoes' }, currency: 'MXN', limit: null, left: null },
        ...{ total_amount: '0.00', paid_amount: '0.00', pending_amount: '0.00' },
        ...{ refunded_amount: '700.00', total_amount_usd: '0.00', expense_count: 0 },
      },
    ]);
    const limits = [{ budget_id: '1', limit: '1000.00' }];
    expect(toBudgetSummaries(ofCycle({ budgets, limits, refunds }), [])).toMatchObject([
      { left: '1700.00' },
    ]);
  });

  it('toBudgetSummaries refuses an amount that no stored rate converts', () => {
    const refunds = [{ budget_id: '1', amount: '0.00', lacks_rate: true }];
    expect(() => toBudgetSummaries(ofCycle({ refunds }), [])).toThrow('No exchange rate');
  });
});
