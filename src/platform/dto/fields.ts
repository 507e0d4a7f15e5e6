/**
 * Decorators for the fields of request DTOs. Each one combines conversion, validation and the
 * OpenAPI schema of a type of field. Validators run in their order until the first that fails: the
 * type comes before the range, so that those of the range get values of the type.
 */
import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import {
  IsBoolean,
  IsDefined,
  isEmail,
  IsIn,
  IsInt,
  IsOptional,
  IsUUID,
  Max,
  Min,
  ValidateBy,
  ValidateIf,
} from 'class-validator';
import type { EnumName } from '../openapi/enum-name.js';
import { daysBetween, isCalendarDate } from '../values/calendar-date.js';
import { parseTimestamp } from '../values/instant.js';
import { hasInvisible, isBlank } from '../values/text.js';
import { REFUSES_NULL } from './constraint-reasons.js';
import { HasLength, IsNotBlank, IsText, rangeRule, TIMESTAMP_PROBLEM } from './field-validators.js';

/** An e-mail as stored: trimmed, in lower case and in Unicode NFC. */
export const normalizeEmail = (email: string): string =>
  email.trim().toLowerCase().normalize('NFC');

const MAX_INT32 = 2 ** 31 - 1;

export const DATE_RULE = 'a calendar day YYYY-MM-DD from 1900 to 2999';

export interface FieldOptions {
  /**
   * May be omitted or null: `null` is the same as omitted in a POST and clears the field in a PUT.
   */
  optional?: boolean;
  /** May be omitted, but not null. */
  omittable?: boolean;
  /** Marks a field that is validated and ignored, so that generated types warn of it. */
  deprecated?: boolean;
  description?: string;
  example?: unknown;
}

export interface IntegerOptions extends FieldOptions {
  min: number;
  max: number;
}

type FieldSchema = Record<string, unknown>;

interface TextOptions extends FieldOptions {
  min?: number;
  max: number;
  /** Stored as sent: comments. */
  verbatim?: boolean;
  /** Trimmed, and otherwise stored as sent: notes, which nothing is compared with. */
  notes?: boolean;
}

/**
 * A field with its OpenAPI schema, and with the validators that its options and its type require.
 */
export function field(
  { optional = false, omittable = false, deprecated, description, example }: FieldOptions,
  api: FieldSchema,
  ...decorators: PropertyDecorator[]
): PropertyDecorator {
  return applyDecorators(
    ApiProperty({
      ...api,
      ...(optional && { nullable: true }),
      description,
      example,
      ...(deprecated && { deprecated }),
      required: !optional && !omittable,
    }),
    ...(optional ? [IsOptional()] : []),
    ...(omittable ? [ValidateIf((_object, value) => value !== undefined), IsNotNull()] : []),
    ...(optional || omittable ? [] : [IsRequired()]),
    ...decorators,
  );
}

/**
 * Rejects a missing or null value; other validators skip missing values (`skipMissingProperties`).
 */
export const IsRequired = (): PropertyDecorator => IsDefined({ message: '$property is required' });

const IsNotNull = (): PropertyDecorator =>
  IsDefined({ message: '$property must not be null', context: REFUSES_NULL });

/**
 * Text of `min` to `max` characters, trimmed and in Unicode NFC; characters are counted, not bytes
 * or UTF-16 units. Text of white space and invisible characters alone is refused, or none where the
 * field is optional, as empty text is unless it has a minimum length.
 */
export function TextField(options: TextOptions): PropertyDecorator {
  const { min = 0, max } = options;
  return field(
    options,
    { type: 'string', minLength: min, maxLength: max },
    Transform(({ value }: { value: unknown }) =>
      typeof value === 'string' ? storedText(value, options) : value,
    ),
    IsText(),
    ...(min > 0 ? [IsNotBlank()] : []),
    HasLength(min, max),
  );
}

/** Text as fields store and compare it. */
export const normalizeText = (text: string): string => text.normalize('NFC').trim();

function storedText(
  text: string,
  { min = 0, optional, verbatim, notes }: TextOptions,
): string | null {
  if (verbatim) return text;
  if (notes) return text.trim();
  if (optional && (isBlank(text) || (text === '' && min === 0))) return null;
  // Blank text stays as it is, so that it is refused as blank.
  return isBlank(text) ? text : normalizeText(text);
}

export function EmailField(options: FieldOptions = {}): PropertyDecorator {
  return field(
    options,
    { type: 'string', format: 'email', maxLength: 255 },
    Transform(({ value }: { value: unknown }) =>
      typeof value === 'string' ? normalizeEmail(value) : value,
    ),
    IsText(),
    ValidateBy({
      name: 'isEmail',
      validator: {
        // validator.js limits the length to 254 by default.
        validate: (text: string) =>
          !hasInvisible(text) && isEmail(text, { ignore_max_length: true }),
        defaultMessage: () => '$property must be an email',
      },
    }),
    HasLength(1, 255),
  );
}

export function EnumField(
  values: readonly string[],
  enumName: EnumName,
  options: FieldOptions = {},
): PropertyDecorator {
  return field(
    options,
    { enum: [...values], enumName },
    IsIn(values, { message: `$property must be one of: ${values.join(', ')}` }),
  );
}

interface DateOptions extends FieldOptions {
  /** The name of another date, which may not be later. */
  notBefore?: string;
  /** The maximum number of days after the date of `notBefore`. */
  maxDays?: number;
}

export function DateField({ notBefore, maxDays, ...options }: DateOptions = {}): PropertyDecorator {
  return field(
    options,
    { type: 'string', format: 'date' },
    ValidateBy({
      name: 'isCalendarDate',
      validator: {
        validate: isCalendarDate,
        defaultMessage: () => `$property must be ${DATE_RULE}`,
      },
    }),
    ...(notBefore === undefined ? [] : [IsNotBefore(notBefore)]),
    ...(notBefore === undefined || maxDays === undefined ? [] : [IsWithin(maxDays, notBefore)]),
  );
}

const IsNotBefore = (earlier: string): PropertyDecorator =>
  HasDaysAfter(earlier, {
    name: 'isNotBefore',
    isValid: (days) => days >= 0,
    message: `$property must not be before ${earlier}`,
  });

const IsWithin = (maxDays: number, earlier: string): PropertyDecorator =>
  HasDaysAfter(earlier, {
    name: 'isWithin',
    isValid: (days) => days <= maxDays,
    message: `$property must be at most ${maxDays} days after ${earlier}`,
  });

/** Passes if the earlier value is not a date, which its own validators report. */
function HasDaysAfter(
  earlier: string,
  { name, isValid, message }: { name: string; isValid: (days: number) => boolean; message: string },
): PropertyDecorator {
  return ValidateBy({
    name,
    validator: {
      validate: (to, args) => {
        const from = (args?.object as Record<string, unknown> | undefined)?.[earlier];
        return !isCalendarDate(from) || isValid(daysBetween({ from, to: to as string }));
      },
      defaultMessage: () => message,
    },
  });
}

/** An ISO 8601 timestamp with `Z` or an offset, converted to a `Date`. */
export function TimestampField(options: FieldOptions = {}): PropertyDecorator {
  return field(
    options,
    { type: 'string', format: 'date-time' },
    Transform(({ value }: { value: unknown }) => parseTimestamp(value) ?? value),
    ValidateBy({
      name: 'isTimestamp',
      validator: {
        validate: (value) => value instanceof Date,
        defaultMessage: () => `$property ${TIMESTAMP_PROBLEM}`,
      },
    }),
  );
}

export function UuidField(options: FieldOptions = {}): PropertyDecorator {
  return field(
    options,
    { type: 'string', format: 'uuid' },
    Transform(({ value }: { value: unknown }) =>
      typeof value === 'string' ? value.toLowerCase() : value,
    ),
    IsUUID('loose', { message: '$property must be a UUID' }),
  );
}

export function BooleanField(options: FieldOptions = {}): PropertyDecorator {
  return field(
    options,
    { type: 'boolean' },
    IsBoolean({ message: '$property must be true or false' }),
  );
}

export function IntegerField(options: IntegerOptions, api: FieldSchema = {}): PropertyDecorator {
  const { min, max } = options;
  const message = `$property ${rangeRule(min, max)}`;
  return field(
    options,
    // Generated clients take an integer without a format for one of 32 bits.
    {
      type: 'integer',
      ...(max > MAX_INT32 && { format: 'int64' }),
      minimum: min,
      maximum: max,
      ...api,
    },
    IsInt(),
    Min(min, { message }),
    Max(max, { message }),
  );
}
