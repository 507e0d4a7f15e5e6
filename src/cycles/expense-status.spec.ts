import { describe, expect, it } from '@jest/globals';
import { costs, EXPENSE_STATUSES, shownStatus, type ExpenseStatus } from './expense-status.js';

const TODAY = '2026-02-10';
const YESTERDAY = '2026-02-09';

it('every expense costs something, except a cancelled one', () => {
  expect(EXPENSE_STATUSES.filter((status) => costs({ status }))).toEqual([
    'pending',
    'paid',
    'overdue',
  ]);
});

describe('the status that is shown', () => {
  const shown = (status: ExpenseStatus, dueDate: string, cycle: 'draft' | 'active' | 'completed') =>
    shownStatus({ status, dueDate }, { status: cycle }, TODAY);

  it('is overdue for a pending expense of an active cycle from the day after it was due', () => {
    expect(shown('pending', YESTERDAY, 'active')).toBe('overdue');
    expect(shown('pending', TODAY, 'active')).toBe('pending');
  });

  it.each(['draft', 'completed'] as const)('is the stored one in a %s cycle', (cycle) => {
    expect(shown('pending', YESTERDAY, cycle)).toBe('pending');
  });

  it.each(['paid', 'cancelled', 'overdue'] as const)('is the stored one when %s', (status) => {
    expect(shown(status, YESTERDAY, 'active')).toBe(status);
  });
});
