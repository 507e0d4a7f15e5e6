import { applyDecorators } from '@nestjs/common';
import { ValidateBy } from 'class-validator';
import { dateOfInstant, isCalendarDate } from '../values/calendar-date.js';

const TIMESTAMP =
  /^(\d{4}-\d{2}-\d{2})T([01]\d|2[0-3]):[0-5]\d(:[0-5]\d([.,]\d{1,9})?)?(Z|[+-]([01]\d|2[0-3]):?[0-5]\d)$/;

/**
 * Text of `min` to `max` characters that PostgreSQL can store: no U+0000, no lone surrogates. A value violates one of
 * its constraints at most.
 */
export function IsText(min: number, max: number): PropertyDecorator {
  const range = `must have ${min} to ${max} characters`;
  return applyDecorators(
    IsValid('isString', 'must be a string', isString),
    IsValid(
      'isStorable',
      'must not contain U+0000 or lone surrogates',
      (value) => !isString(value) || isStorable(value),
    ),
    IsValid(
      'isLongEnough',
      range,
      (value) => !isString(value) || !isStorable(value) || [...value].length >= min,
    ),
    IsValid(
      'isShortEnough',
      range,
      (value) => !isString(value) || !isStorable(value) || [...value].length <= max,
    ),
  );
}

export const IsNotBlank = (): PropertyDecorator =>
  IsValid('isNotBlank', 'must not be blank', (value) => isString(value) && /\S/.test(value));

const isString = (value: unknown): value is string => typeof value === 'string';

const isStorable = (text: string): boolean => !text.includes('\0') && text.isWellFormed();

function IsValid(
  name: string,
  problem: string,
  validate: (value: unknown) => boolean,
): PropertyDecorator {
  return ValidateBy({
    name,
    validator: { validate, defaultMessage: () => `$property ${problem}` },
  });
}

/**
 * The instant of an ISO 8601 timestamp with `Z` or an offset; undefined for any other value, and for an instant that is
 * not in the years of calendar dates in UTC, as which it is shown and exported.
 */
export function parseTimestamp(value: unknown): Date | undefined {
  if (typeof value !== 'string') return undefined;
  const match = TIMESTAMP.exec(value);
  if (!match || !isCalendarDate(match[1])) return undefined;
  const instant = new Date(value.replace(',', '.'));
  return isCalendarDate(dateOfInstant(instant)) ? instant : undefined;
}
