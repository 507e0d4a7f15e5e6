import { ValidationFailedError } from '../platform/errors/domain-error.js';
import type { FieldReason } from '../platform/errors/field-reasons.js';
import { addDays, daysBetween, type CalendarDate } from '../platform/values/calendar-date.js';
import type { ListStatementsQuery } from './dto/card-statement.dto.js';
import type { Statement } from './statements.js';

/** How far before today the statements that are listed by default begin, in days. */
const MAX_DAYS_BACK = 400;
/** How far after today a statement may close that is shown, in days. */
export const MAX_DAYS_AHEAD = 400;
const MAX_DAYS_APART = 1100;
/** The statements after the current one that are listed by default. */
const NEXT_STATEMENTS = 2;

/** The first and the last closing date of a list. */
interface Range {
  from: CalendarDate;
  to: CalendarDate;
}

/**
 * The closing dates that a list has: by default from the oldest statement of the last 400 days that
 * is not paid, or else the current one, to the second after the current one.
 *
 * @param statements by closing date
 * @throws ValidationFailedError
 */
export function rangeOf(
  query: ListStatementsQuery,
  statements: readonly Pick<Statement, 'closingDate' | 'paid'>[],
  today: CalendarDate,
): Range {
  const earliest = addDays(today, -MAX_DAYS_BACK);
  const present = statements.filter(({ closingDate }) => closingDate >= today);
  const unpaid = statements.find(({ paid, closingDate }) => !paid && closingDate >= earliest);
  const from = query.from ?? (unpaid ?? present[0])?.closingDate ?? earliest;
  const to = query.to ?? (present[NEXT_STATEMENTS] ?? present.at(-1))?.closingDate ?? today;
  if (daysBetween({ from: today, to }) > MAX_DAYS_AHEAD) {
    refuse('to', 'too_far_apart', `must be at most ${MAX_DAYS_AHEAD} days after today`);
  }
  if (daysBetween({ from, to }) > MAX_DAYS_APART) {
    const name = query.to === undefined ? 'from' : 'to';
    refuse(name, 'too_far_apart', `from and to must be at most ${MAX_DAYS_APART} days apart`);
  }
  return { from, to };
}

function refuse(field: string, reason: FieldReason, problem: string): never {
  throw new ValidationFailedError({ [field]: [{ reason, message: `${field}: ${problem}` }] });
}
