import { Param, type PipeTransform } from '@nestjs/common';
import { ApiParam } from '@nestjs/swagger';
import { ValidationFailedError } from '../platform/errors/domain-error.js';
import { documentedParameter } from '../platform/openapi/documented-parameter.js';
import { isCalendarDate, type CalendarDate } from '../platform/values/calendar-date.js';

class ClosingDatePipe implements PipeTransform<string, CalendarDate> {
  transform(value: string): CalendarDate {
    if (isCalendarDate(value)) return value;
    const message = 'closing_date must be a calendar day YYYY-MM-DD from 1900 to 2999';
    throw new ValidationFailedError({ closing_date: [{ reason: 'not_a_date', message }] });
  }
}

/** The path parameter of a statement. */
export const ClosingDateParam = (): ParameterDecorator =>
  documentedParameter(
    Param('closing_date', ClosingDatePipe),
    ApiParam({
      name: 'closing_date',
      schema: { type: 'string', format: 'date', example: '2026-01-12' },
      description: 'The closing date of the statement',
    }),
  );
