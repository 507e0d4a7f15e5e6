import { ApiSchema, PartialType } from '@nestjs/swagger';
import type { ExpenseStatus } from '../../ledger/entities/expense-status.js';
import { IntegerField, TextField, UuidField } from '../../platform/dto/fields.js';
import {
  CountProperty,
  CreatedAtProperty,
  TextProperty,
  UuidProperty,
} from '../../platform/dto/response-fields.js';
import { addDays, type CalendarDate } from '../../platform/values/calendar-date.js';
import type { Instant } from '../../platform/values/instant.js';
import { startOfDay } from '../../platform/values/time-zone.js';
import { withoutUndefined } from '../../platform/values/without-undefined.js';
import { EXAMPLE_ID } from '../../records/record-ids.js';
import { MAX_ALARM_DAYS, type CalendarFeed } from '../calendar-feed.entity.js';
import type { CalendarEntry, ReadableFeed } from '../calendar.queries.js';
import { beginCalendar, endCalendar, writeEvents, type CalendarEvent } from '../icalendar.js';

export const EXAMPLE_CALENDAR_TOKEN = 'q3Zr8Yk1n5VbT0cXwLhJ7sMdGfPeUoRi2A4t6B9yKxE';

@ApiSchema({ description: 'A new calendar feed' })
export class CreateCalendarFeedDto {
  @TextField({
    min: 1,
    max: 100,
    example: 'Gastos',
    description: 'The name of the calendar in applications',
  })
  name!: string;

  @UuidField({
    optional: true,
    example: null,
    description: 'Only the expenses and incomes with this payment method; active or not',
  })
  payment_method_id?: string | null;

  @IntegerField({
    optional: true,
    min: 0,
    max: MAX_ALARM_DAYS,
    example: 1,
    description:
      'Every expense that is neither paid nor cancelled has an alarm at 09:00, this many days before its due date; ' +
      'null: no alarms',
  })
  alarm_days?: number | null;
}

@ApiSchema({ description: 'A partial update: omitted fields keep their values' })
export class UpdateCalendarFeedDto extends PartialType(CreateCalendarFeedDto, {
  skipNullProperties: false,
}) {}

@ApiSchema({ description: 'A calendar feed, without its URL' })
export class CalendarFeedResponse {
  @UuidProperty(EXAMPLE_ID.calendarFeed, { description: 'The id of the feed' })
  id!: string;

  @TextProperty({ example: 'Gastos', description: 'The name of the calendar in applications' })
  name!: string;

  @UuidProperty(EXAMPLE_ID.paymentMethod, { nullable: true, description: 'null: all' })
  payment_method_id!: string | null;

  @CountProperty({
    nullable: true,
    example: 1,
    description: 'How many days before its due date an expense has an alarm; null: no alarms',
  })
  alarm_days!: number | null;

  @CreatedAtProperty()
  created_at!: string;
}

@ApiSchema({ description: 'A new calendar feed with its URL' })
export class CreatedCalendarFeedResponse extends CalendarFeedResponse {
  @TextProperty({
    example: `https://expenses.example/calendar/${EXAMPLE_CALENDAR_TOKEN}.ics`,
    description:
      'For a calendar application; contains the secret token, and only this response has it. Null where the ' +
      'response is sent again for the same `Idempotency-Key`',
    nullable: true,
  })
  url!: string;
}

/** The fields that an update changes. */
export function changedCalendarFeedFields(
  feed: CalendarFeed,
  dto: UpdateCalendarFeedDto,
): Partial<CalendarFeed> {
  const fields = withoutUndefined({
    name: dto.name,
    paymentMethodId: dto.payment_method_id,
    alarmDays: dto.alarm_days,
  });
  return Object.fromEntries(
    Object.entries(fields).filter(([name, value]) => feed[name as keyof CalendarFeed] !== value),
  );
}

export function toCalendarFeedResponse(
  feed: Omit<CalendarFeed, 'seq' | 'userId' | 'householdId'>,
): CalendarFeedResponse {
  return {
    id: feed.id,
    name: feed.name,
    payment_method_id: feed.paymentMethodId,
    alarm_days: feed.alarmDays,
    created_at: feed.createdAt.toISOString(),
  };
}

/** The text of an iCalendar file in parts: statements of cards, then entries. */
export async function* toCalendarFile(
  { name, alarmDays, timeZone }: ReadableFeed,
  statements: readonly CalendarEvent[],
  pages: AsyncIterable<CalendarEntry[]>,
): AsyncGenerator<string> {
  const overdueSince = overdueSinceIn(timeZone);
  yield beginCalendar(name);
  yield writeEvents(statements);
  for await (const entries of pages) {
    yield writeEvents(entries.map((entry) => toEvent(entry, { alarmDays, overdueSince })));
  }
  yield endCalendar();
}

type OverdueSince = (dueDate: CalendarDate) => Instant;

/** When a pending expense became overdue: at the beginning of the day after its due date. */
function overdueSinceIn(timeZone: string): OverdueSince {
  const computed = new Map<CalendarDate, Instant>();
  return (dueDate) => {
    const instant =
      computed.get(dueDate) ?? startOfDay(timeZone, addDays(dueDate, 1)).toISOString();
    computed.set(dueDate, instant);
    return instant;
  };
}

/** What {@link CalendarEntry} has as the status of an expense that is to be paid. */
const OPEN_STATUSES: readonly string[] = ['pending', 'overdue'] satisfies ExpenseStatus[];

function toEvent(
  entry: CalendarEntry,
  { alarmDays, overdueSince }: { alarmDays: number | null; overdueSince: OverdueSince },
): CalendarEvent {
  const { payment_method_name: method, budget_name: budget, changed_at: changedAt } = entry;
  const { status, amount_usd: usd } = entry;
  const overdueAt = status === 'overdue' ? overdueSince(entry.date) : changedAt;
  return {
    uid: entry.id,
    date: entry.date,
    changedAt: overdueAt > changedAt ? overdueAt : changedAt,
    summary: `${entry.description} ${entry.amount} ${entry.currency}`,
    description: [
      ...(method === null ? [] : [`Payment method: ${method}`]),
      ...(budget === null ? [] : [`Budget: ${budget}`]),
      `Status: ${status}`,
      `Amount: ${usd} USD`,
    ].join('\n'),
    status: entry.cycle_status === 'draft' ? 'TENTATIVE' : 'CONFIRMED',
    alarmDays: OPEN_STATUSES.includes(status) && !entry.has_statement ? alarmDays : null,
  };
}
