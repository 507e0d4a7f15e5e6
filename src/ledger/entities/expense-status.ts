import sql, { type Sql } from 'sql-template-tag';
import { ValidationFailedError } from '../../platform/errors/domain-error.js';
import type { FieldErrors } from '../../platform/errors/field-reasons.js';
import type { CalendarDate } from '../../platform/values/calendar-date.js';

export const EXPENSE_STATUSES = ['pending', 'paid', 'cancelled', 'overdue'] as const;
export type ExpenseStatus = (typeof EXPENSE_STATUSES)[number];

/**
 * Three consistent fields: `paid` is true and `paidAt` is set exactly when the status is `paid`.
 */
export interface PaymentState {
  status: ExpenseStatus;
  paid: boolean;
  paidAt: Date | null;
}

/** The requested changes of the three fields. */
export interface PaymentChange {
  status?: ExpenseStatus;
  paid?: boolean;
  paidAt?: Date;
}

/** The errors of requested fields that contradict each other, by their names in a body. */
export function paymentContradictions({ status, paid, paidAt }: PaymentChange): FieldErrors {
  if (status !== undefined && paid !== undefined && paid !== (status === 'paid')) {
    return {
      paid: [
        { reason: 'contradiction', message: `paid ${String(paid)} contradicts status ${status}` },
      ],
      status: [
        { reason: 'contradiction', message: `status ${status} contradicts paid ${String(paid)}` },
      ],
    };
  }
  const isUnpaid = paid === false || (status !== undefined && status !== 'paid');
  return isUnpaid && paidAt !== undefined ? PAID_AT_WITHOUT_PAYMENT : {};
}

/**
 * Applies requested changes of status, `paid` and `paid_at` to the current state.
 *
 * @throws ValidationFailedError when the requested fields contradict each other, or `paidAt` is
 *   given for an expense that is not paid
 */
export function applyPayment(
  current: PaymentState,
  requested: PaymentChange,
  now: Date,
): PaymentState {
  const contradictions = paymentContradictions(requested);
  if (Object.keys(contradictions).length > 0) throw new ValidationFailedError(contradictions);
  const status = requestedStatus(current, requested);
  if (status === 'paid') {
    return { status, paid: true, paidAt: requested.paidAt ?? current.paidAt ?? now };
  }
  if (requested.paidAt !== undefined) throw new ValidationFailedError(PAID_AT_WITHOUT_PAYMENT);
  return { status, paid: false, paidAt: null };
}

function requestedStatus(current: PaymentState, { status, paid }: PaymentChange): ExpenseStatus {
  if (status !== undefined) return status;
  if (paid === true) return 'paid';
  if (paid === false && current.paid) return 'pending';
  return current.status;
}

const PAID_AT_WITHOUT_PAYMENT: FieldErrors = {
  paid_at: [{ reason: 'contradiction', message: 'paid_at is only for an expense that is paid' }],
};

/**
 * The status in responses: a pending expense whose due date is before today is displayed as
 * overdue, in any state of its cycle.
 */
export function displayedStatus(
  { status, dueDate }: { status: ExpenseStatus; dueDate: CalendarDate },
  today: CalendarDate,
): ExpenseStatus {
  return status === 'pending' && dueDate < today ? 'overdue' : status;
}

/** The SQL of {@link displayedStatus} for a row `e` of `cycle_expenses`. */
// Stryker disable next-line all: SQL, covered by the integration tests
export const displayedStatusSql = (today: CalendarDate): Sql => sql`CASE
  WHEN e.status = 'pending' AND e.due_date < ${today}::date THEN 'overdue'
  ELSE e.status::text END`;
