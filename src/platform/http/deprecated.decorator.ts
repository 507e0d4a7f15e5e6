import { applyDecorators, Header } from '@nestjs/common';
import { ApiOperation } from '@nestjs/swagger';
import { ApiResponseHeader } from '../openapi/response-header.decorator.js';
import {
  calendarDate,
  dateParts,
  isCalendarDate,
  type CalendarDate,
} from '../values/calendar-date.js';

interface Deprecation {
  /** The day from which clients should no longer use the operation; may be in the future. */
  since: CalendarDate;
  /** When the operation may be removed, at least 12 months later. */
  sunset: CalendarDate;
}

/** The same day of the next year. */
function oneYearAfter(date: CalendarDate): CalendarDate {
  const { year, ...day } = dateParts(date);
  return calendarDate({ ...day, year: year + 1 });
}

/**
 * The operation is deprecated: the document marks it, and what passes its guards gets `Deprecation`
 * (RFC 9745) and `Sunset` (RFC 8594), 00:00 UTC of these days.
 *
 * @throws Error when there are less than 12 months between the days, the least that
 *   docs/operations.md promises (Compatibility)
 */
export function Deprecated({ since, sunset }: Deprecation): MethodDecorator {
  if (!isCalendarDate(since) || !isCalendarDate(sunset) || sunset < oneYearAfter(since)) {
    throw new Error(`At least 12 months must be between ${since} and ${sunset}`);
  }
  const deprecation = `@${Date.parse(since) / 1000}`;
  const end = new Date(sunset).toUTCString();
  return applyDecorators(
    Header('Deprecation', deprecation),
    Header('Sunset', end),
    // Without `undefined` the default would replace the summary of other decorators.
    ApiOperation({ deprecated: true, summary: undefined }),
    ApiResponseHeader(
      'Deprecation',
      'Since when clients should not use the operation, in seconds since 1970',
      deprecation,
    ),
    ApiResponseHeader('Sunset', 'From when on the operation may be removed', end),
  );
}
