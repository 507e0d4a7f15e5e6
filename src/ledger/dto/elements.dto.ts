/**
 * Bodies that change several records at once: a list of elements, each of which names its record.
 */
import type { Type } from '@nestjs/common';
import { plainToInstance, Transform } from 'class-transformer';
import { IsIn } from 'class-validator';
import { field, TextField, UuidField } from '../../platform/dto/fields.js';
import {
  HasSize,
  HasValidElements,
  IsNotRepeated,
  toElements,
} from '../../platform/dto/list-fields.js';
import { EXAMPLE_ID } from '../../records/record-ids.js';

const MAX_ELEMENTS = 200;

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

/** A list of 1 to 200 elements with different ids. */
export const ElementsField = (type: Type<ElementDto>, description: string): PropertyDecorator =>
  field(
    { description },
    { type: [type], minItems: 1, maxItems: MAX_ELEMENTS },
    Transform(({ value }: { value: unknown }) =>
      Array.isArray(value)
        ? toElements(
            value,
            MAX_ELEMENTS,
            (element) => toElementOf(type, element),
            ({ id }) => id,
          )
        : value,
    ),
    ...HasSize(MAX_ELEMENTS),
    HasValidElements(),
  );

function toElementOf(type: Type<ElementDto>, value: object): ElementDto {
  const isDeletion = 'active' in value && value.active === false;
  return plainToInstance<ElementDto, object>(isDeletion ? ElementDto : type, value);
}
