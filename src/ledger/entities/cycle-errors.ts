import { DomainError } from '../../platform/errors/domain-error.js';
import { daysBetween, type CalendarDate } from '../../platform/values/calendar-date.js';

/** An entry that an undo would bring back has the template and occurrence of another one. */
export const occurrenceExists = (resource: 'cycle_expense' | 'cycle_income'): DomainError =>
  new DomainError('RESOURCE_CONFLICT', 'Another one has the same template and occurrence', {
    resource,
  });

export const cycleNotFound = (): DomainError =>
  new DomainError('CYCLE_NOT_FOUND', 'Cycle not found');

export const cycleCompleted = (): DomainError =>
  new DomainError('CYCLE_ALREADY_COMPLETED', 'Cannot modify completed cycle');

/**
 * @param sentDate the field of the request that the error is about
 * @throws DomainError INVALID_CYCLE_DATES unless the end is 1 to `maxDays` days after the start
 */
export function assertCycleDates(
  { startDate, endDate }: { startDate: CalendarDate; endDate: CalendarDate },
  maxDays: number,
  sentDate: 'start_date' | 'end_date' = 'end_date',
): void {
  const days = daysBetween({ from: startDate, to: endDate });
  if (days >= 1 && days <= maxDays) return;
  const problem =
    days < 1 ? 'end_date must be after start_date' : `A cycle lasts at most ${maxDays} days`;
  throw new DomainError('INVALID_CYCLE_DATES', problem, {
    start_date: startDate,
    end_date: endDate,
    max_days: maxDays,
    fields: { [sentDate]: [problem] },
  });
}
