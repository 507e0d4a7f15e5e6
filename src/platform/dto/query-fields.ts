/** Decorators for the fields of query DTOs whose values are not text. */
import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { ArrayMaxSize, IsArray, IsIn, IsUUID } from 'class-validator';
import type { EnumName } from '../openapi/enum-name.js';
import {
  BooleanField,
  field,
  IntegerField,
  type FieldOptions,
  type IntegerOptions,
} from './fields.js';

/** `true` or `false` in a query string. */
export function QueryBooleanField(options: FieldOptions = {}): PropertyDecorator {
  return applyDecorators(
    Transform(({ value }: { value: unknown }) =>
      value === 'true' ? true : value === 'false' ? false : value,
    ),
    BooleanField({ ...options, omittable: true }),
  );
}

/** An integer in a query string. */
export function QueryIntegerField({
  default: defaultValue,
  ...options
}: IntegerOptions & { default: number }): PropertyDecorator {
  return applyDecorators(
    Transform(({ value }: { value: unknown }) =>
      typeof value === 'string' && /^-?\d{1,16}$/.test(value) ? Number(value) : value,
    ),
    IntegerField({ ...options, omittable: true }, { default: defaultValue }),
  );
}

/** Comma-separated UUIDs in a query string; duplicates are removed. */
export function QueryUuidListField(options: FieldOptions & { max: number }): PropertyDecorator {
  const { max } = options;
  return field(
    options,
    { type: 'string', pattern: '^[0-9A-Fa-f-]{36}(,[0-9A-Fa-f-]{36})*$' },
    Transform(({ value }: { value: unknown }) =>
      // A repeated parameter arrives as an array, which must not be accepted as the list.
      typeof value === 'string' ? [...new Set(value.toLowerCase().split(','))] : String(value),
    ),
    IsArray({ message: '$property must be given once, separated by commas' }),
    IsUUID('loose', { each: true, message: '$property must be UUIDs, separated by commas' }),
    ArrayMaxSize(max),
  );
}

/** Enum values in a query string, comma-separated or repeated; duplicates are removed. */
export function QueryEnumListField(
  values: readonly string[],
  enumName: EnumName,
  options: FieldOptions = {},
): PropertyDecorator {
  return field(
    options,
    { enum: [...values], enumName, isArray: true },
    Transform(({ value }: { value: unknown }) => {
      const items: unknown[] = Array.isArray(value) ? value : [value];
      return [
        ...new Set(items.flatMap((item) => (typeof item === 'string' ? item.split(',') : [item]))),
      ];
    }),
    IsIn(values, { each: true, message: `$property must be among: ${values.join(', ')}` }),
  );
}
