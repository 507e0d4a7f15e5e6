import type { CalendarDate } from '../common/calendar-date.js';
import { ValidationFailedError } from '../common/errors/domain-error.js';

export const EXPENSE_STATUSES = ['pending', 'paid', 'cancelled', 'overdue'] as const;
export type ExpenseStatus = (typeof EXPENSE_STATUSES)[number];

/** The three fields that always agree: `paid` with status `paid`, and only then a `paidAt`. */
export interface PaymentState {
  status: ExpenseStatus;
  paid: boolean;
  paidAt: Date | null;
}

/**
 * What a client asks of an expense's status, `paid` and `paid_at`, applied to what they are.
 *
 * @throws ValidationFailedError when the asked fields contradict each other, or `paidAt` is given for
 *   an expense that is not paid
 */
export function applyPayment(
  current: PaymentState,
  asked: Partial<Omit<PaymentState, 'paidAt'>> & { paidAt?: Date },
  now: Date,
): PaymentState {
  const status = askedStatus(current, asked);
  if (status !== 'paid') {
    if (asked.paidAt !== undefined) {
      throw new ValidationFailedError({ paid_at: ['paid_at is only for an expense that is paid'] });
    }
    return { status, paid: false, paidAt: null };
  }
  return { status, paid: true, paidAt: asked.paidAt ?? current.paidAt ?? now };
}

function askedStatus(
  current: PaymentState,
  { status, paid }: { status?: ExpenseStatus; paid?: boolean },
): ExpenseStatus {
  if (status !== undefined && paid !== undefined && paid !== (status === 'paid')) {
    const message = `paid ${String(paid)} contradicts status ${status}`;
    throw new ValidationFailedError({ paid: [message], status: [message] });
  }
  if (status !== undefined) return status;
  if (paid === true) return 'paid';
  if (paid === false && current.paid) return 'pending';
  return current.status;
}

/** Whether an expense costs anything: a cancelled one is in no sum and no count. */
export const costs = ({ status }: { status: ExpenseStatus }): boolean => status !== 'cancelled';

/** The same of an expense `e`. */
// Stryker disable next-line all: SQL, which the tests with a database hold
export const COSTS_SQL = `e.status <> 'cancelled'`;

/**
 * The status a reader sees of an expense. In an active cycle a pending expense whose due date is past
 * reads as overdue; a draft is a plan and a completed cycle is history, where nothing is derived.
 */
export function shownStatus(
  { status, dueDate }: { status: ExpenseStatus; dueDate: CalendarDate },
  cycle: { status: 'draft' | 'active' | 'completed' },
  today: CalendarDate,
): ExpenseStatus {
  const isOverdue = cycle.status === 'active' && status === 'pending' && dueDate < today;
  return isOverdue ? 'overdue' : status;
}

/**
 * The same of an expense `e` in cycle `c`.
 *
 * @param today the parameter that holds the day, as `$1`
 */
// Stryker disable next-line all: SQL, which the tests with a database hold
export const shownStatusSql = (today: `$${number}`): string => `CASE
  WHEN c.status = 'active' AND e.status = 'pending' AND e.due_date < ${today}::date
  THEN 'overdue' ELSE e.status::text END`;
