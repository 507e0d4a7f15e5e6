import { ValidateBy } from 'class-validator';
import { isCalendarDate } from '../values/calendar-date.js';

const TIMESTAMP =
  /^(\d{4}-\d{2}-\d{2})T([01]\d|2[0-3]):[0-5]\d(:[0-5]\d([.,]\d{1,9})?)?(Z|[+-]([01]\d|2[0-3]):?[0-5]\d)$/;

/** Text of `min` to `max` characters that PostgreSQL can store: no U+0000, no lone surrogates. */
export function IsText(min: number, max: number): PropertyDecorator {
  return ValidateBy({
    name: 'isText',
    validator: {
      validate: (value) => typeof value === 'string' && textProblem(value, min, max) === undefined,
      defaultMessage: (args) =>
        typeof args?.value === 'string'
          ? `$property ${textProblem(args.value, min, max) ?? ''}`
          : '$property must be a string',
    },
  });
}

function textProblem(text: string, min: number, max: number): string | undefined {
  if (text.includes('\0') || !text.isWellFormed()) {
    return 'must not contain U+0000 or lone surrogates';
  }
  const length = [...text].length;
  return length < min || length > max ? `must have ${min} to ${max} characters` : undefined;
}

/** The instant of an ISO 8601 timestamp with `Z` or an offset; undefined for any other value. */
export function parseTimestamp(value: unknown): Date | undefined {
  if (typeof value !== 'string') return undefined;
  const match = TIMESTAMP.exec(value);
  if (!match || !isCalendarDate(match[1])) return undefined;
  const instant = new Date(value.replace(',', '.'));
  return Number.isNaN(instant.getTime()) ? undefined : instant;
}
