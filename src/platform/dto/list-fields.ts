/** Decorators for the fields of request DTOs that are arrays. */
import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayMinSize,
  ArrayUnique,
  IsUUID,
  ValidateBy,
  ValidateNested,
} from 'class-validator';
import { isCalendarDate } from '../values/calendar-date.js';
import { DATE_RULE, field, type FieldOptions } from './fields.js';

interface ListOptions extends FieldOptions {
  max: number;
}

/** A list of 1 to `max` different UUIDs. */
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

/** A list of 0 to `max` calendar dates, ascending and each once. */
export function DateListField({ max, ...options }: ListOptions): PropertyDecorator {
  return field(
    options,
    { type: 'array', items: { type: 'string', format: 'date' }, maxItems: max, uniqueItems: true },
    HasAtMost(max),
    ValidateBy({
      name: 'isCalendarDate',
      validator: {
        validate: (dates: unknown[]) => dates.every(isCalendarDate),
        defaultMessage: () => `$property must have elements that are each ${DATE_RULE}`,
      },
    }),
    IsAscending((date) => date),
  );
}

/**
 * The elements are ascending by a date, and no two have the same. What is no date is left out: its
 * own validators report it.
 */
export function IsAscending(dateOf: (element: never) => unknown): PropertyDecorator {
  const everyPair = (elements: never[], isValid: (a: string, b: string) => boolean): boolean =>
    elements
      .map(dateOf)
      .filter(isCalendarDate)
      .every((date, index, dates) => isValid(dates[index - 1] ?? '', date));
  return applyDecorators(
    ValidateBy({
      name: 'isAscending',
      validator: {
        validate: (elements: never[]) => everyPair(elements, (a, b) => a <= b),
        defaultMessage: () => '$property must be ascending by date',
      },
    }),
    ValidateBy({
      name: 'arrayUnique',
      validator: {
        validate: (elements: never[]) => everyPair(elements, (a, b) => a !== b),
        defaultMessage: () => '$property must not have a date twice',
      },
    }),
  );
}

/** An array of 1 to `max` elements. */
export const HasSize = (max: number): PropertyDecorator[] => {
  const options = { message: `$property must have 1 to ${max} elements` };
  return [IsList(), ArrayMinSize(1, options), ArrayMaxSize(max, options)];
};

/** Elements whose key an earlier one of their list has. */
const repeated = new WeakSet();

/** Refuses a repeated key of the elements that {@link toElements} makes. */
export const IsNotRepeated = (): PropertyDecorator =>
  ValidateBy({
    name: 'isNotRepeated',
    validator: {
      validate: (_key, args) => !args || !repeated.has(args.object),
      defaultMessage: () => '$property must not be given twice',
    },
  });

/**
 * The elements of a list up to the first one too many: the others would only take time. A value
 * that is not an object is replaced by its index, which nested validation refuses: it would accept
 * null, and validate the elements of an array.
 *
 * @param keyOf what {@link IsNotRepeated} compares
 */
export function toElements<Element extends object>(
  values: readonly unknown[],
  max: number,
  toElement: (value: object) => Element,
  keyOf?: (element: Element) => unknown,
): unknown[] {
  const keys = new Set<unknown>();
  return values.slice(0, max + 1).map((value, index) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return index;
    const element = toElement(value);
    const key = keyOf?.(element);
    if (key !== undefined && keys.has(key)) repeated.add(element);
    keys.add(key);
    return element;
  });
}

/** Nested validation of the elements that {@link toElements} makes. */
export const HasValidElements = (): PropertyDecorator =>
  ValidateNested({ message: ({ value: index }) => `${String(index)} must be an object` });

/** An array of 0 to `max` elements. */
export const HasAtMost = (max: number): PropertyDecorator =>
  applyDecorators(
    IsList(),
    ArrayMaxSize(max, { message: `$property must have 0 to ${max} elements` }),
  );

export const IsList = (): PropertyDecorator =>
  ValidateBy({
    name: 'isList',
    validator: {
      validate: (value) => Array.isArray(value),
      defaultMessage: () => '$property must be an array',
    },
  });

const lowerCase = (id: unknown): unknown => (typeof id === 'string' ? id.toLowerCase() : id);
