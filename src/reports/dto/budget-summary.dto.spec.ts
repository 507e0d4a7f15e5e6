import { describe, expect, it } from '@jest/globals';
import { toBudgetSummaries, type SpentOnBudget } from './budget-summary.dto.js';

const spentOn = (budget_id: string | null, budget_name: string | null): SpentOnBudget => ({
  ...{ budget_id, budget_name, total: '12.50', paid: '10.00', pending: '2.50', expense_count: 2 },
});

const SPENT = {
  total_amount: '12.50',
  paid_amount: '10.00',
  pending_amount: '2.50',
  expense_count: 2,
};

describe('toBudgetSummaries', () => {
  it('toBudgetSummaries has nothing of a cycle without expenses and limits', () => {
    expect(toBudgetSummaries([], [])).toEqual([]);
  });

  it('toBudgetSummaries orders budgets by code points, then id, and expenses without one last', () => {
    const names = ['\u{1F600}', '\uFF01', 'food', 'Food', 'Food'];
    const spent = [spentOn(null, null), ...names.map((name, n) => spentOn(`id ${9 - n}`, name))];
    expect(toBudgetSummaries([], spent)).toEqual(
      [
        ...[
          { id: 'id 5', name: 'Food' },
          { id: 'id 6', name: 'Food' },
          { id: 'id 7', name: 'food' },
        ],
        ...[{ id: 'id 8', name: '\uFF01' }, { id: 'id 9', name: '\u{1F600}' }, null],
      ].map((budget) => ({ budget, limit: null, left: null, ...SPENT })),
    );
  });

  it('toBudgetSummaries has what is left of limits, with and without expenses', () => {
    const limits = [
      { budget_id: '2', budget_name: 'Fun', limit: '20.00' },
      { budget_id: '1', budget_name: 'Food', limit: '10.00' },
    ];
    expect(toBudgetSummaries(limits, [spentOn('1', 'Food')])).toEqual([
      { budget: { id: '1', name: 'Food' }, limit: '10.00', left: '-2.50', ...SPENT },
      {
        ...{ budget: { id: '2', name: 'Fun' }, limit: '20.00', left: '20.00', expense_count: 0 },
        ...{ total_amount: '0.00', paid_amount: '0.00', pending_amount: '0.00' },
      },
    ]);
  });
});
