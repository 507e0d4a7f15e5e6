/** JSON Schema (2020-12) from the schemas of an OpenAPI 3.0 document, which are nearly that. */
import type { OpenAPIObject } from '@nestjs/swagger';

export type JsonSchema = Record<string, unknown>;

/** What a schema of OpenAPI 3.0 has beside JSON Schema, and what assistants need not read. */
const LEFT_OUT = new Set(['example', 'nullable', 'discriminator', 'allOf']);

const REFERENCE_PREFIX = '#/components/schemas/';

/**
 * The JSON Schema of a schema of the document. References are replaced by what they name, because
 * some assistants do not follow them. `allOf` is how OpenAPI 3.0 adds to a reference: the members
 * beside it win.
 */
export function toJsonSchema(schema: JsonSchema, document: OpenAPIObject): JsonSchema {
  const { $ref, nullable, allOf, properties, items, oneOf } = schema;
  if (typeof $ref === 'string') return toJsonSchema(referencedSchema($ref, document), document);
  const convert = (one: unknown): JsonSchema => toJsonSchema(one as JsonSchema, document);
  const own = Object.fromEntries(Object.entries(schema).filter(([name]) => !LEFT_OUT.has(name)));
  const converted: JsonSchema = {
    ...((allOf ?? []) as unknown[])
      .map(convert)
      .reduce((merged, one) => ({ ...merged, ...one }), {}),
    ...own,
    ...(properties !== undefined && { properties: mapValues(properties as object, convert) }),
    ...(items !== undefined && { items: convert(items) }),
    ...(oneOf !== undefined && { oneOf: (oneOf as unknown[]).map(convert) }),
  };
  return nullable === true ? orNull(converted) : converted;
}

function orNull({ type, enum: options, ...schema }: JsonSchema): JsonSchema {
  return {
    ...schema,
    type: [type, 'null'],
    ...(Array.isArray(options) && { enum: [...(options as unknown[]), null] }),
  };
}

function referencedSchema(reference: string, { components }: OpenAPIObject): JsonSchema {
  const name = reference.slice(REFERENCE_PREFIX.length);
  const schema = components?.schemas?.[name];
  if (!schema) throw new Error(`The document has no schema ${reference}`);
  return schema as JsonSchema;
}

const mapValues = (object: object, change: (value: unknown) => JsonSchema): JsonSchema =>
  Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(value)]));
