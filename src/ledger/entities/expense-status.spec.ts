import { describe, expect, it } from '@jest/globals';
import { isCounted } from './balance.js';
import { EXPENSE_STATUSES, displayedStatus, type ExpenseStatus } from './expense-status.js';

const TODAY = '2026-02-10';
const YESTERDAY = '2026-02-09';

it('every expense counts towards totals, except a cancelled or deleted one', () => {
  expect(EXPENSE_STATUSES.filter((status) => isCounted({ status, active: true }))).toEqual([
    'pending',
    'paid',
    'overdue',
  ]);
  expect(EXPENSE_STATUSES.some((status) => isCounted({ status, active: false }))).toBe(false);
});

describe('the status that is shown', () => {
  const shown = (status: ExpenseStatus, dueDate: string) =>
    displayedStatus({ status, dueDate }, TODAY);

  it('the status that is shown is overdue for a pending expense from the day after it was due', () => {
    expect(shown('pending', YESTERDAY)).toBe('overdue');
    expect(shown('pending', TODAY)).toBe('pending');
  });

  it.each(['paid', 'cancelled', 'overdue'] as const)(
    'the status that is shown is the stored one when %s',
    (status) => {
      expect(shown(status, YESTERDAY)).toBe(status);
    },
  );
});
