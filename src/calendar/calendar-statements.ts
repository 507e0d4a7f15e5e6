import type { Statement } from '../cards/statements.js';
import { addDays, daysBetween, type CalendarDate } from '../platform/values/calendar-date.js';
import type { Instant } from '../platform/values/instant.js';
import { formatMoney } from '../platform/values/money.js';
import { startOfDay } from '../platform/values/time-zone.js';
import { DAYS_AFTER, DAYS_BEFORE, type ReadableFeed } from './calendar.queries.js';
import type { CalendarEvent } from './icalendar.js';

/** The statements of a calendar: those that are due nearest to today. */
const MAX_CALENDAR_STATEMENTS = 1000;

/**
 * The statements of cards that a calendar has, by due date: those of which something is to be paid.
 *
 * @param changedAt when anything was last changed that they may show
 */
export function statementEvents(
  statements: readonly Statement[],
  { paymentMethodId, alarmDays, timeZone }: ReadableFeed,
  { today, changedAt }: { today: CalendarDate; changedAt: Instant },
): CalendarEvent[] {
  const distance = ({ dueDate }: Statement): number =>
    Math.abs(daysBetween({ from: today, to: dueDate }));
  return statements
    .filter(
      ({ card, paid, amount, dueDate }) =>
        !paid &&
        amount.gt(0) &&
        (paymentMethodId === null || card.id === paymentMethodId) &&
        dueDate >= addDays(today, -DAYS_BEFORE) &&
        dueDate <= addDays(today, DAYS_AFTER),
    )
    .toSorted((a, b) => distance(a) - distance(b))
    .slice(0, MAX_CALENDAR_STATEMENTS)
    .toSorted((a, b) => a.dueDate.localeCompare(b.dueDate))
    .map((statement) => toEvent(statement, { alarmDays, timeZone, changedAt }));
}

function toEvent(
  statement: Statement,
  {
    alarmDays,
    timeZone,
    changedAt,
  }: { alarmDays: number | null; timeZone: string; changedAt: Instant },
): CalendarEvent {
  const { card, closingDate, dueDate, status, amount } = statement;
  // Its status changes at the beginning of the day after its closing, or its due date.
  const lastDay = status === 'overdue' ? dueDate : closingDate;
  const since =
    status === 'open' ? changedAt : startOfDay(timeZone, addDays(lastDay, 1)).toISOString();
  return {
    uid: `${card.id}-${closingDate}`,
    date: dueDate,
    changedAt: since > changedAt ? since : changedAt,
    summary: `${card.name} ${formatMoney(amount)} ${card.currency}`,
    description: [`Closes: ${closingDate}`, `Status: ${status}`].join('\n'),
    status: 'CONFIRMED',
    alarmDays,
  };
}
