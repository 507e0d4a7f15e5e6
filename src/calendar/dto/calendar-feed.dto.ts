import { ApiSchema } from '@nestjs/swagger';
import { EXAMPLE_CALENDAR_TOKEN, EXAMPLE_ID } from '../../platform/dto/example-values.js';
import { TextField, UuidField } from '../../platform/dto/fields.js';
import {
  CreatedAtProperty,
  TextProperty,
  UuidProperty,
} from '../../platform/dto/response-fields.js';
import type { NewCalendarFeed } from '../calendar-feeds.service.js';
import type { CalendarEntry } from '../calendar.queries.js';
import { beginCalendar, endCalendar, writeEvents, type CalendarEvent } from '../icalendar.js';

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
}

@ApiSchema({ description: 'A calendar feed, without its URL' })
export class CalendarFeedResponse {
  @UuidProperty(EXAMPLE_ID.calendarFeed, { description: 'The id of the feed' })
  id!: string;

  @TextProperty({ example: 'Gastos', description: 'The name of the calendar in applications' })
  name!: string;

  @UuidProperty(EXAMPLE_ID.paymentMethod, { nullable: true, description: 'null: all' })
  payment_method_id!: string | null;

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

export function toCalendarFeedResponse(feed: NewCalendarFeed['feed']): CalendarFeedResponse {
  return {
    id: feed.id,
    name: feed.name,
    payment_method_id: feed.paymentMethodId,
    created_at: feed.createdAt.toISOString(),
  };
}

/** @param publicUrl where clients reach the service */
export function toCreatedCalendarFeedResponse(
  { feed, token }: NewCalendarFeed,
  publicUrl: string,
): CreatedCalendarFeedResponse {
  return { ...toCalendarFeedResponse(feed), url: `${publicUrl}/calendar/${token}.ics` };
}

/** The text of an iCalendar file in parts. */
export async function* toCalendarFile(
  name: string,
  pages: AsyncIterable<CalendarEntry[]>,
): AsyncGenerator<string> {
  yield beginCalendar(name);
  for await (const entries of pages) yield writeEvents(entries.map(toEvent));
  yield endCalendar();
}

function toEvent(entry: CalendarEntry): CalendarEvent {
  const { payment_method_name: method, status, amount_usd: usd } = entry;
  return {
    uid: entry.id,
    date: entry.date,
    updatedAt: entry.updated_at,
    summary: `${entry.description} ${entry.amount} ${entry.currency}`,
    description: [
      ...(method === null ? [] : [`Payment method: ${method}`]),
      `Status: ${status}`,
      `Amount: ${usd} USD`,
    ].join('\n'),
    status: entry.cycle_status === 'draft' ? 'TENTATIVE' : 'CONFIRMED',
  };
}
