import { applyDecorators } from '@nestjs/common';
import { IsString, ValidateBy, type ValidationArguments } from 'class-validator';
import type { FieldErrors } from '../errors/field-reasons.js';
import { dateOfInstant, isCalendarDate } from '../values/calendar-date.js';

const TIMESTAMP =
  /^(\d{4}-\d{2}-\d{2})T([01]\d|2[0-3]):[0-5]\d(:[0-5]\d([.,]\d{1,9})?)?(Z|[+-]([01]\d|2[0-3]):?[0-5]\d)$/;

/** Text that PostgreSQL can store: no U+0000, no lone surrogates. */
export const IsText = (): PropertyDecorator =>
  applyDecorators(
    IsString(),
    IsValid(
      'isStorable',
      'must not contain U+0000 or lone surrogates',
      (text) => !text.includes('\0') && text.isWellFormed(),
    ),
  );

/** From `min` to `max` characters, not bytes or UTF-16 units, of a valid text. */
export function HasLength(min: number, max: number): PropertyDecorator {
  const range = `must have ${min} to ${max} characters`;
  return applyDecorators(
    IsValid('isLongEnough', range, (text) => Array.from(text).length >= min),
    IsValid('isShortEnough', range, (text) => Array.from(text).length <= max),
  );
}

export const IsNotBlank = (): PropertyDecorator =>
  IsValid('isNotBlank', 'must not be blank', (text) => /\S/.test(text));

/** The rule of an integer within limits, such as `must be between 1 and 100`. */
export const rangeRule = (min: number, max: number): string =>
  max === Number.MAX_SAFE_INTEGER ? `must be at least ${min}` : `must be between ${min} and ${max}`;

function IsValid(
  name: string,
  problem: string,
  validate: (text: string) => boolean,
): PropertyDecorator {
  return ValidateBy({
    name,
    validator: { validate, defaultMessage: () => `$property ${problem}` },
  });
}

/**
 * Does not contradict another field.
 *
 * @param contradictionsOf returns the errors of the fields of a body that contradict each other
 */
export const Agrees = (contradictionsOf: (dto: never) => FieldErrors): PropertyDecorator => {
  const messageOf = (args?: ValidationArguments): string | undefined =>
    args && contradictionsOf(args.object as never)[args.property]?.[0]?.message;
  return ValidateBy({
    name: 'agrees',
    validator: {
      validate: (_value, args) => messageOf(args) === undefined,
      defaultMessage: (args) => messageOf(args) ?? '',
    },
  });
};

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
