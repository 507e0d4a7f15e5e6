/** Fields of a DTO whose types depend on each other, as a union in the OpenAPI document. */
import { applyDecorators, type Type } from '@nestjs/common';
import { ApiExtension, ApiExtraModels, getSchemaPath, type OpenAPIObject } from '@nestjs/swagger';

/** Holds the keywords of a union until the document is built: decorators of classes cannot set them in the schema. */
const UNION_EXTENSION = 'x-field-union';

interface Reference {
  $ref: string;
}

interface UnionKeywords {
  oneOf?: Reference[];
  allOf?: { anyOf: Reference[] }[];
  discriminator?: { propertyName: string; mapping: Record<string, string> };
}

type Schema = UnionKeywords & {
  properties?: Record<string, { type?: string }>;
  [UNION_EXTENSION]?: UnionKeywords;
};

/**
 * Documents that some fields of the class are those of exactly one type. Classes that extend it inherit that; mapped
 * types such as `PickType` do not.
 * @param discriminator the field that tells the type
 * @param types by the value of the discriminator
 */
export function HasFieldsOfOne(discriminator: string, types: Record<string, Type>): ClassDecorator {
  const mapping = Object.fromEntries(
    Object.entries(types).map(([value, type]) => [value, getSchemaPath(type)]),
  );
  return withUnion(Object.values(types), {
    oneOf: Object.values(types).map(referenceTo),
    discriminator: { propertyName: discriminator, mapping },
  });
}

/** Documents the same for partial updates: without the discriminator, several types may match. */
export const HasFieldsOfAny = (types: Type[]): ClassDecorator =>
  // openapi-typescript takes an `anyOf` beside `properties` for an alternative to them.
  withUnion(types, { allOf: [{ anyOf: types.map(referenceTo) }] });

const referenceTo = (type: Type): Reference => ({ $ref: getSchemaPath(type) });

const withUnion = (types: Type[], keywords: UnionKeywords): ClassDecorator =>
  applyDecorators(ApiExtraModels(...types), ApiExtension(UNION_EXTENSION, keywords));

/**
 * Replaces the extensions with the unions. Their fields remain properties of the object, so that it can forbid additional
 * properties, but only the union says which objects they may hold.
 */
export function addFieldUnions({ components }: OpenAPIObject): void {
  const schemas = (components?.schemas ?? {}) as Record<string, Schema>;
  for (const schema of Object.values(schemas)) {
    const { [UNION_EXTENSION]: keywords, properties = {} } = schema;
    if (!keywords) continue;
    Reflect.deleteProperty(schema, UNION_EXTENSION);
    Object.assign(schema, keywords);
    const references = keywords.oneOf ?? keywords.allOf?.flatMap(({ anyOf }) => anyOf) ?? [];
    for (const { $ref } of references) {
      const member = schemas[$ref.slice($ref.lastIndexOf('/') + 1)];
      for (const name of Object.keys(member?.properties ?? {})) {
        if (properties[name]?.type === 'object') Reflect.deleteProperty(properties[name], 'type');
      }
    }
  }
}
