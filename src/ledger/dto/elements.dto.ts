/**
 * Bodies that change several records at once: a list of elements, each of which names its record.
 */
import type { Type } from '@nestjs/common';
import { plainToInstance, Transform } from 'class-transformer';
import { IsIn, ValidateBy, ValidateNested } from 'class-validator';
import { field, TextField, UuidField } from '../../platform/dto/fields.js';
import { HasSize } from '../../platform/dto/list-fields.js';
import { EXAMPLE_ID } from '../../record-ids.js';

const MAX_ELEMENTS = 200;

/** Elements whose id an earlier one of their list has. */
const repeated = new WeakSet();

const IsNotRepeated = (): PropertyDecorator =>
  ValidateBy({
    name: 'isNotRepeated',
    validator: {
      validate: (_id, args) => !args || !repeated.has(args.object),
      defaultMessage: () => '$property must not be given twice',
    },
  });

/**
 * Which record an element changes, and on which condition. With `active: false` it has no other
 * fields.
 */
export class ElementDto {
  @UuidField({ example: EXAMPLE_ID.expense, description: 'The record that changes' })
  @IsNotRepeated()
  id!: string;

  @TextField({
    omittable: true,
    verbatim: true,
    max: 255,
    example: '2026-01-26T02:11:09.057Z',
    description:
      'The `ETag` or the `updated_at` (in any form of the instant) that the change is based on, with or without quotes: ' +
      'with another one nothing happens and the response is 412',
  })
  if_match?: string;

  @field(
    {
      omittable: true,
      example: false,
      description: 'Deletes the record; only `id` and `if_match` may stand beside it',
    },
    { type: 'boolean', enum: [false] },
    IsIn([false], { message: '$property must be false' }),
  )
  active?: false;
}

/** From 1 to 200 elements with different ids. */
export const ElementsField = (type: Type<ElementDto>, description: string): PropertyDecorator =>
  field(
    { description },
    { type: [type], minItems: 1, maxItems: MAX_ELEMENTS },
    Transform(({ value }: { value: unknown }) =>
      Array.isArray(value) ? toElements(type, value) : value,
    ),
    ...HasSize(MAX_ELEMENTS),
    ValidateNested({ message: ({ value: index }) => `${String(index)} must be an object` }),
  );

/**
 * The elements up to the first one too many: the others would only take time. A value that is not
 * an object is replaced by its index, which nested validation refuses: it would accept null, and
 * validate the elements of an array.
 */
function toElements(type: Type<ElementDto>, values: readonly unknown[]): unknown[] {
  const ids = new Set<string>();
  return values.slice(0, MAX_ELEMENTS + 1).map((value, index) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return index;
    const isDeletion = 'active' in value && value.active === false;
    const element = plainToInstance<ElementDto, object>(isDeletion ? ElementDto : type, value);
    if (ids.has(element.id)) repeated.add(element);
    ids.add(element.id);
    return element;
  });
}
