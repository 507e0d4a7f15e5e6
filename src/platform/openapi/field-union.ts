/** Fields of a DTO whose types depend on each other, as a union in the OpenAPI document. */
import { applyDecorators, type Type } from '@nestjs/common';
import { ApiExtension, ApiExtraModels, getSchemaPath } from '@nestjs/swagger';

/** Holds the keywords of a union until the document is built: decorators of classes cannot set them in the schema. */
export const UNION_EXTENSION = 'x-field-union';

interface Reference {
  $ref: string;
}

interface UnionKeywords {
  oneOf?: Reference[];
  allOf?: { anyOf: Reference[] }[];
  discriminator?: { propertyName: string; mapping: Record<string, string> };
}

export type UnionSchema = UnionKeywords & {
  properties?: Record<string, { type?: string }>;
  [UNION_EXTENSION]?: UnionKeywords;
};

/**
 * Documents that some fields of the class are those of exactly one type. Classes that extend it inherit that; mapped
 * types such as `PickType` do not.
 * @param discriminator the field that tells the type
 * @param types by the value of the discriminator
 */
export function HasFieldUnion(discriminator: string, types: Record<string, Type>): ClassDecorator {
  const mapping = Object.fromEntries(
    Object.entries(types).map(([value, type]) => [value, getSchemaPath(type)]),
  );
  return withUnion(Object.values(types), {
    oneOf: Object.values(types).map(referenceTo),
    discriminator: { propertyName: discriminator, mapping },
  });
}

/** Documents the same for partial updates: without the discriminator, several types may match. */
export const HasPartialFieldUnion = (types: Type[]): ClassDecorator =>
  // openapi-typescript takes an `anyOf` beside `properties` for an alternative to them.
  withUnion(types, { allOf: [{ anyOf: types.map(referenceTo) }] });

const referenceTo = (type: Type): Reference => ({ $ref: getSchemaPath(type) });

const withUnion = (types: Type[], keywords: UnionKeywords): ClassDecorator =>
  applyDecorators(ApiExtraModels(...types), ApiExtension(UNION_EXTENSION, keywords));
