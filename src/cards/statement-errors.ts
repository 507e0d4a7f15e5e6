import { ValidationFailedError } from '../platform/errors/domain-error.js';
import type { FieldErrors, FieldReason } from '../platform/errors/field-reasons.js';
import { daysBetween, type CalendarDate } from '../platform/values/calendar-date.js';
import type { Money } from '../platform/values/money.js';
import type { UpdateCardStatementDto } from './dto/card-statement.dto.js';

/** How long after its closing a statement may be due, in days. */
const MAX_DAYS_UNTIL_DUE = 90;

const error = (field: string, reason: FieldReason, problem: string): FieldErrors => ({
  [field]: [{ reason, message: `${field} ${problem}` }],
});

/** @throws ValidationFailedError when the fields of a statement that is not paid say of a payment */
export function assertNoPayment(payment: { paidAt?: Date; paidAmount?: unknown }): void {
  const errors = {
    ...(payment.paidAt !== undefined && paymentWithout('paid_at')),
    ...(payment.paidAmount !== undefined && paymentWithout('paid_amount')),
  };
  assertNone(errors);
}

const paymentWithout = (field: string): FieldErrors =>
  error(field, 'contradiction', 'is only for a statement that is paid');

/**
 * @throws ValidationFailedError when the fields of a body contradict each other, or its due date is
 *   not 1 to 90 days after the closing
 */
export function assertConsistent(dto: UpdateCardStatementDto, closingDate: CalendarDate): void {
  if (dto.paid === false) assertNoPayment({ paidAt: dto.paid_at, paidAmount: dto.paid_amount });
  if (dto.due_date) assertNone(dueDateErrors(dto.due_date, closingDate));
}

/** @throws ValidationFailedError when a statement that has not closed is paid, or stated */
export const assertHasClosed = (
  dto: UpdateCardStatementDto,
  closingDate: CalendarDate,
  today: CalendarDate,
): void => {
  assertNone(closingErrors(dto, closingDate, today));
};

/** Why a statement cannot be due on a day: it is not 1 to 90 days after the closing. */
export function dueDateErrors(dueDate: CalendarDate, closingDate: CalendarDate): FieldErrors {
  const days = daysBetween({ from: closingDate, to: dueDate });
  if (days < 1) return error('due_date', 'out_of_order', 'must be after the closing date');
  if (days <= MAX_DAYS_UNTIL_DUE) return {};
  const problem = `must be at most ${MAX_DAYS_UNTIL_DUE} days after the closing date`;
  return error('due_date', 'too_far_apart', problem);
}

/** What is said of a statement although its closing date has not passed on a day. */
export function closingErrors(
  { paid, stated_amount: stated }: { paid?: boolean; stated_amount?: Money | null },
  closingDate: CalendarDate,
  today: CalendarDate,
): FieldErrors {
  if (closingDate < today) return {};
  const problem = 'is only for a statement whose closing date has passed';
  return {
    ...(paid && error('paid', 'out_of_order', problem)),
    ...(stated && error('stated_amount', 'out_of_order', problem)),
  };
}

function assertNone(errors: FieldErrors): void {
  if (Object.keys(errors).length > 0) throw new ValidationFailedError(errors);
}
