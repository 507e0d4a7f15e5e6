/**
 * One decorator a kind of field: how it is read, checked and documented. A DTO states which kind each
 * of its fields is and nothing else.
 */
import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import {
  ArrayMaxSize,
  IsArray,
  IsBoolean,
  isEmail,
  IsIn,
  IsInt,
  IsOptional,
  IsUUID,
  Matches,
  Max,
  Min,
  ValidateBy,
  ValidateIf,
} from 'class-validator';
import { Big } from 'big.js';
import { isCalendarDate } from '../calendar-date.js';
import { parseMoney } from '../money.js';

interface FieldOptions {
  /** May be left out or null: `null` counts as left out in a POST and clears the field in a PUT. */
  optional?: boolean;
  /** May be left out, but not null. */
  omittable?: boolean;
  description?: string;
  example?: unknown;
}

interface IntegerOptions extends FieldOptions {
  min: number;
  max: number;
}

interface FieldSchema extends Record<string, unknown> {
  anyOf?: object[];
  enum?: unknown[];
}

interface TextOptions extends FieldOptions {
  min?: number;
  max: number;
  /** Kept as sent, without trimming: passwords. */
  verbatim?: boolean;
  /** White space alone is refused. */
  notBlank?: boolean;
  /** An empty text is stored as null. */
  emptyIsNull?: boolean;
}

function field(
  { optional = false, omittable = false, description, example }: FieldOptions,
  api: FieldSchema,
  ...decorators: PropertyDecorator[]
): PropertyDecorator {
  return applyDecorators(
    ApiProperty({
      ...(optional ? nullable(api) : api),
      description,
      example,
      required: !optional && !omittable,
    }),
    ...(optional ? [IsOptional()] : []),
    ...(omittable ? [ValidateIf((_object, value) => value !== undefined)] : []),
    ...decorators,
  );
}

/** The schema that takes null too: OpenAPI 3.0 heeds `nullable` only beside `type`. */
function nullable(api: FieldSchema): FieldSchema {
  if (api.anyOf) return { ...api, anyOf: api.anyOf.map((one) => ({ ...one, nullable: true })) };
  if (api.enum) return { type: 'string', enum: [...api.enum, null], nullable: true };
  return { ...api, nullable: true };
}

/** Text of `min` to `max` characters, trimmed; characters are counted, not bytes or UTF-16 units. */
export function TextField(options: TextOptions): PropertyDecorator {
  const { min = 0, max, verbatim = false, notBlank = false, emptyIsNull = false } = options;
  return field(
    options,
    { type: 'string', minLength: min, maxLength: max },
    Transform(({ value }: { value: unknown }) => {
      if (typeof value !== 'string' || verbatim) return value;
      const text = value.trim();
      return text === '' && emptyIsNull ? null : text;
    }),
    IsText(min, max),
    ...(notBlank ? [Matches(/\S/, { message: '$property must not be blank' })] : []),
  );
}

export function EmailField(options: FieldOptions = {}): PropertyDecorator {
  return field(
    options,
    { type: 'string', format: 'email', maxLength: 255 },
    Transform(({ value }: { value: unknown }) =>
      typeof value === 'string' ? value.trim().toLowerCase() : value,
    ),
    IsText(1, 255),
    ValidateBy({
      name: 'isEmail',
      validator: {
        // Its own maximum length is 254; a lone surrogate makes it throw.
        validate: (value) =>
          typeof value === 'string' &&
          value.isWellFormed() &&
          isEmail(value, { ignore_max_length: true }),
        defaultMessage: () => '$property must be an email',
      },
    }),
  );
}

export function EnumField(
  values: readonly string[],
  enumName: string,
  options: FieldOptions = {},
): PropertyDecorator {
  return field(
    options,
    { enum: [...values], enumName },
    IsIn(values, { message: `$property must be one of: ${values.join(', ')}` }),
  );
}

/** An amount of money; becomes an exact decimal. Zero only where `zero` says so. */
export function MoneyField(options: FieldOptions & { zero?: boolean } = {}): PropertyDecorator {
  const { zero = false } = options;
  const least = zero ? 0 : 0.01;
  return field(
    options,
    {
      type: 'string',
      anyOf: [
        { type: 'string', pattern: String.raw`^0*\d{1,9}(\.\d{1,2})?$` },
        { type: 'number', minimum: least, maximum: 999999999.99 },
      ],
    },
    Transform(({ value }: { value: unknown }) => parseMoney(value) ?? value),
    ValidateBy({
      name: 'isMoney',
      validator: {
        validate: (value) => value instanceof Big && (zero || value.gt(0)),
        defaultMessage: () =>
          `$property must be an amount from ${least} to 999999999.99 with at most 2 decimals`,
      },
    }),
  );
}

export function DateField(options: FieldOptions = {}): PropertyDecorator {
  return field(
    options,
    { type: 'string', format: 'date' },
    ValidateBy({
      name: 'isCalendarDate',
      validator: {
        validate: isCalendarDate,
        defaultMessage: () => '$property must be a calendar day YYYY-MM-DD from 1900 to 2999',
      },
    }),
  );
}

const TIMESTAMP =
  /^(\d{4}-\d{2}-\d{2})T([01]\d|2[0-3]):[0-5]\d(:[0-5]\d([.,]\d{1,9})?)?(Z|[+-]([01]\d|2[0-3]):?[0-5]\d)$/;

/** An instant, ISO 8601 with `Z` or an offset; becomes a `Date`. */
export function TimestampField(options: FieldOptions = {}): PropertyDecorator {
  return field(
    options,
    { type: 'string', format: 'date-time' },
    Transform(({ value }: { value: unknown }) => parseTimestamp(value) ?? value),
    ValidateBy({
      name: 'isTimestamp',
      validator: {
        validate: (value) => value instanceof Date,
        defaultMessage: () => '$property must be an ISO 8601 timestamp with Z or an offset',
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
  return field(options, { type: 'boolean' }, IsBoolean());
}

export function IntegerField(options: IntegerOptions, api: FieldSchema = {}): PropertyDecorator {
  const { min, max } = options;
  return field(
    options,
    { type: 'integer', minimum: min, maximum: max, ...api },
    IsInt(),
    Min(min),
    Max(max),
  );
}

/** `true` or `false` in a query string. */
export function QueryBooleanField(options: FieldOptions = {}): PropertyDecorator {
  return applyDecorators(
    Transform(({ value }: { value: unknown }) =>
      value === 'true' ? true : value === 'false' ? false : value,
    ),
    BooleanField({ ...options, omittable: true }),
  );
}

/** Digits in a query string. */
export function QueryIntegerField({
  default: byDefault,
  ...options
}: IntegerOptions & { default: number }): PropertyDecorator {
  return applyDecorators(
    Transform(({ value }: { value: unknown }) =>
      typeof value === 'string' && /^\d{1,16}$/.test(value) ? Number(value) : value,
    ),
    IntegerField({ ...options, omittable: true }, { default: byDefault }),
  );
}

/** UUIDs in a query string, separated by commas; duplicates collapse to the first. */
export function QueryUuidListField(options: FieldOptions & { max: number }): PropertyDecorator {
  const { max } = options;
  return field(
    options,
    { type: 'string', pattern: '^[0-9A-Fa-f-]{36}(,[0-9A-Fa-f-]{36})*$' },
    Transform(({ value }: { value: unknown }) =>
      typeof value === 'string' ? [...new Set(value.toLowerCase().split(','))] : undefined,
    ),
    IsArray({ message: '$property must be given once, separated by commas' }),
    ArrayMaxSize(max),
    IsUUID('loose', { each: true, message: '$property must be UUIDs, separated by commas' }),
  );
}

/** Names in a query string, separated by commas or the parameter repeated; duplicates collapse. */
export function QueryEnumListField(
  values: readonly string[],
  options: FieldOptions = {},
): PropertyDecorator {
  return field(
    options,
    { type: 'array', items: { type: 'string', enum: [...values] } },
    Transform(({ value }: { value: unknown }) => {
      const items: unknown[] = Array.isArray(value) ? value : [value];
      return [
        ...new Set(items.flatMap((item) => (typeof item === 'string' ? item.split(',') : [item]))),
      ];
    }),
    IsIn(values, { each: true, message: `$property must be among: ${values.join(', ')}` }),
  );
}

/** Refuses what PostgreSQL cannot store (U+0000, lone surrogates) beside the wrong length. */
function IsText(min: number, max: number): PropertyDecorator {
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

function parseTimestamp(value: unknown): Date | undefined {
  if (typeof value !== 'string') return undefined;
  const match = TIMESTAMP.exec(value);
  if (!match || !isCalendarDate(match[1])) return undefined;
  const instant = new Date(value.replace(',', '.'));
  return Number.isNaN(instant.getTime()) ? undefined : instant;
}
