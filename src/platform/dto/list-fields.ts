/** Decorators for the fields of request DTOs that are arrays. */
import { Transform } from 'class-transformer';
import { ArrayMaxSize, ArrayMinSize, ArrayUnique, IsUUID, ValidateBy } from 'class-validator';
import { field, type FieldOptions } from './fields.js';

interface ListOptions extends FieldOptions {
  max: number;
}

/** From 1 to `max` different UUIDs. */
export function UuidListField({ max, ...options }: ListOptions): PropertyDecorator {
  return field(
    options,
    {
      type: 'array',
      items: { type: 'string', format: 'uuid' },
      minItems: 1,
      maxItems: max,
      uniqueItems: true,
    },
    Transform(({ value }: { value: unknown }) =>
      Array.isArray(value) ? value.map((id: unknown) => lowerCase(id)) : value,
    ),
    ...HasSize(max),
    IsUUID('loose', { each: true, message: '$property must be UUIDs' }),
    ArrayUnique({ message: '$property must not have an id twice' }),
  );
}

/** An array of 1 to `max` elements. */
export const HasSize = (max: number): PropertyDecorator[] => {
  const options = { message: `$property must have 1 to ${max} elements` };
  return [IsList(), ArrayMinSize(1, options), ArrayMaxSize(max, options)];
};

export const IsList = (): PropertyDecorator =>
  ValidateBy({
    name: 'isList',
    validator: {
      validate: (value) => Array.isArray(value),
      defaultMessage: () => '$property must be an array',
    },
  });

const lowerCase = (id: unknown): unknown => (typeof id === 'string' ? id.toLowerCase() : id);
