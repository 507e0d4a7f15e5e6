/** Objects with several variants in the OpenAPI document: one field tells the type of another. */
import { applyDecorators, type Type } from '@nestjs/common';
import { ApiExtension, ApiExtraModels, getSchemaPath } from '@nestjs/swagger';

/**
 * Holds the variants until the document is built: decorators of a class cannot replace its schema.
 */
export const VARIANTS_EXTENSION = 'x-variants';

export interface Variants {
  discriminator: string;
  field: string;
  /** The path of the field's schema by the value of the discriminator. */
  schemas: Record<string, string>;
}

/**
 * Documents that one field of the class tells the type of another. Classes that extend it inherit
 * that; mapped types such as `PickType` do not.
 *
 * @param discriminator the field that tells the type
 * @param field the field of that type
 * @param types by the value of the discriminator
 */
export function HasVariants(
  discriminator: string,
  field: string,
  types: Record<string, Type>,
): ClassDecorator {
  const paths = Object.entries(types).map(([value, type]) => [value, getSchemaPath(type)]);
  const schemas = Object.fromEntries(paths) as Record<string, string>;
  const variants: Variants = { discriminator, field, schemas };
  return applyDecorators(
    ApiExtraModels(...Object.values(types)),
    ApiExtension(VARIANTS_EXTENSION, variants),
  );
}

/** Holds the members of a union until the document is built, like {@link VARIANTS_EXTENSION}. */
export const UNION_EXTENSION = 'x-union';

/**
 * The class is a union of others in the document, with a name of its own: generators name a union
 * that is part of a field after the first field that they read.
 */
export const IsUnionOf = (types: readonly Type[]): ClassDecorator =>
  applyDecorators(
    ApiExtraModels(...types),
    ApiExtension(
      UNION_EXTENSION,
      types.map((type) => getSchemaPath(type)),
    ),
  );
