import { applyDecorators } from '@nestjs/common';
import { IsString, ValidateBy, type ValidationArguments } from 'class-validator';
import type { FieldErrors } from '../errors/field-reasons.js';
import { isBlank } from '../values/text.js';
import { isTimeZone } from '../values/time-zone.js';

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

/** The text is valid and has `min` to `max` characters, not bytes or UTF-16 units. */
export function HasLength(min: number, max: number): PropertyDecorator {
  const range = `must have ${min} to ${max} characters`;
  return applyDecorators(
    IsValid('isLongEnough', range, (text) => Array.from(text).length >= min),
    IsValid('isShortEnough', range, (text) => Array.from(text).length <= max),
  );
}

export const IsNotBlank = (): PropertyDecorator =>
  IsValid('isNotBlank', 'must not be blank', (text) => !isBlank(text));

/** `UTC` or a name with a slash that `Intl` knows. */
export const IsTimeZone = (): PropertyDecorator =>
  ValidateBy({
    name: 'isTimeZone',
    validator: {
      validate: isTimeZone,
      defaultMessage: () => '$property must be UTC or a time zone such as America/Mexico_City',
    },
  });

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

export const TIMESTAMP_PROBLEM =
  'must be an ISO 8601 timestamp with Z or an offset, from 1900 to 2999';
