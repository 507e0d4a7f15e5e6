import type { Type } from '@nestjs/common';
import { ApiExtraModels, ApiProperty, ApiSchema } from '@nestjs/swagger';
import { HasFieldUnion } from './field-union.js';
import { orNull } from './null-value.js';

/** The schema of each type: its name, and the representation that the endpoints of the type return. */
type Variants = Record<string, [name: string, representation: Type]>;

/**
 * Documents that the `entity_type` of a response tells the type of its `representation`.
 *
 * @param response what the response is, such as `A change`
 */
export function HasRepresentation(response: string, variants: Variants): ClassDecorator {
  const schemas = Object.entries(variants).map(([type, [name, representation]]) => {
    const description = `${response} with \`entity_type\` \`${type}\``;
    return [type, variantOf(type, representation, { name, description })] as const;
  });
  return HasFieldUnion('entity_type', Object.fromEntries(schemas));
}

function variantOf(
  entityType: string,
  representation: Type,
  schema: { name: string; description: string },
): Type {
  @ApiExtraModels(representation)
  @ApiSchema(schema)
  class RepresentationVariant {
    @ApiProperty({
      type: 'string',
      enum: [entityType],
      description: 'The kind of entity',
      example: entityType,
    })
    entity_type!: string;

    @ApiProperty({
      anyOf: orNull(representation),
      description: 'The present state of the entity; null if deleted',
      example: null,
    })
    representation!: object | null;
  }
  return RepresentationVariant;
}
