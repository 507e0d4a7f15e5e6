import fc from 'fast-check';
import { hostileJson, hostileKeys } from './values.js';

/** The parts of an OpenAPI schema that the document uses. */
export interface Schema {
  $ref?: string;
  type?: string;
  format?: string;
  enum?: unknown[];
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  nullable?: boolean;
  example?: unknown;
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  oneOf?: Schema[];
  anyOf?: Schema[];
  allOf?: Schema[];
}

export type Components = Record<string, Schema>;

/** The placeholder of an id in a request's text. */
export const ID_PLACEHOLDER = '{some_id}';

/** JSON text that a schema allows, with a bias to limits. */
export function validJson(schema: Schema, components: Components): fc.Arbitrary<string> {
  const value = (inner: Schema): fc.Arbitrary<string> => validJson(inner, components);
  const choices = schema.oneOf ?? schema.anyOf ?? schema.allOf;
  const text = (arbitrary: fc.Arbitrary<unknown>): fc.Arbitrary<string> =>
    arbitrary.map((one) => JSON.stringify(one));

  if (schema.$ref !== undefined) return value(resolved(schema, components));
  if (choices) return fc.oneof(...choices.map(value));
  if (schema.enum) return text(fc.constantFrom(...schema.enum));
  if (schema.properties) return objectJson(schema, components);
  switch (schema.type) {
    case 'boolean':
      return text(fc.boolean());
    case 'integer':
      return text(integers(schema));
    case 'number':
      return text(
        fc.oneof(
          limitValues(schema),
          fc.integer({ min: 1, max: 99_999_999 }).map((n) => n / 100),
        ),
      );
    case 'array':
      return fc
        .array(value(schema.items ?? {}), { maxLength: 5 })
        .map((all) => `[${all.join(',')}]`);
    case 'string':
    case undefined:
    default:
      return text(texts(schema));
  }
}

export function resolved({ $ref = '' }: Schema, components: Components): Schema {
  const schema = components[$ref.slice($ref.lastIndexOf('/') + 1)];
  if (!schema) throw new Error(`Unknown reference ${$ref}`);
  const variants = schema.oneOf?.map((variant) => resolved(variant, components));
  return variants ? withFieldsOf(variants) : schema;
}

/** An object whose fields have the types of any of the variants, regardless of the other fields. */
function withFieldsOf(variants: Schema[]): Schema {
  const fields = variants.map(({ properties = {} }) => properties);
  const names = new Set(fields.flatMap((one) => Object.keys(one)));
  const properties = [...names].map((name) => [
    name,
    { oneOf: fields.map((one) => one[name] ?? {}) },
  ]);
  return { ...variants[0], properties: Object.fromEntries(properties) as Record<string, Schema> };
}

function limitValues({
  minimum = 0,
  maximum = Number.MAX_SAFE_INTEGER,
}: Schema): fc.Arbitrary<number> {
  return fc.constantFrom(minimum, maximum);
}

function integers({
  minimum = 0,
  maximum = Number.MAX_SAFE_INTEGER,
}: Schema): fc.Arbitrary<number> {
  return fc.oneof(limitValues({ minimum, maximum }), fc.integer({ min: minimum, max: maximum }));
}

function texts({ format, pattern, minLength, maxLength }: Schema): fc.Arbitrary<string> {
  switch (format) {
    case 'uuid':
      return fc.oneof({ weight: 9, arbitrary: fc.constant(ID_PLACEHOLDER) }, fc.uuid());
    case 'email':
      return fc.emailAddress();
    case 'date':
      return days();
    case 'date-time':
      return days().map((day) => `${day}T23:59:59.999Z`);
    case undefined:
    default:
      return plainTexts({ pattern, minLength, maxLength });
  }
}

function plainTexts({ pattern, minLength = 1, maxLength = 40 }: Schema): fc.Arbitrary<string> {
  if (pattern !== undefined) return fc.stringMatching(new RegExp(pattern));
  const lengths = fc.constantFrom(minLength, maxLength, Math.min(maxLength, minLength + 7));
  return fc
    .tuple(fc.constantFrom('a', 'é', '👍', 'ب', '"'), lengths)
    .map(([letter, length]) => letter.repeat(length));
}

const days = (): fc.Arbitrary<string> =>
  fc.oneof(
    fc.constantFrom('1900-01-01', '2024-02-29', '2026-01-31', '2999-12-31'),
    fc
      .date({ min: new Date('1900-01-01'), max: new Date('2999-12-31'), noInvalidDate: true })
      .map((date) => date.toISOString().slice(0, 10)),
  );

function objectJson(schema: Schema, components: Components): fc.Arbitrary<string> {
  const { properties = {}, required = [] } = schema;
  const fields = Object.fromEntries(
    Object.entries(properties).map(([name, field]) => [name, validJson(field, components)]),
  );
  return fc
    .record(fields, { requiredKeys: required })
    .map((values) => objectText(Object.entries<string>(values)));
}

/** The text of an object; keys may be duplicate. */
export const objectText = (members: [key: string, json: string][]): string =>
  `{${members.map(([key, json]) => `${JSON.stringify(key)}:${json}`).join(',')}}`;

/** Values just beyond the limits of the schema. */
function invalidNearLimits(schema: Schema, components: Components): fc.Arbitrary<string> {
  if (schema.$ref !== undefined) return invalidNearLimits(resolved(schema, components), components);
  const choices = schema.oneOf ?? schema.anyOf ?? schema.allOf;
  if (choices) return fc.oneof(...choices.map((choice) => invalidNearLimits(choice, components)));
  const past = [
    ...(schema.minimum === undefined ? [] : [schema.minimum - 1, schema.minimum - 0.01]),
    ...(schema.maximum === undefined ? [] : [schema.maximum + 1, schema.maximum + 0.01]),
    ...(schema.minLength ? ['a'.repeat(schema.minLength - 1)] : []),
    ...(schema.maxLength === undefined ? [] : ['é'.repeat(schema.maxLength + 1)]),
  ].map((value) => JSON.stringify(value));
  return fc.constantFrom(...past, 'null', `["${ID_PLACEHOLDER}"]`);
}

/** Invalid values of a field, from just beyond its limits to any value. */
export const invalidJson = (schema: Schema, components: Components): fc.Arbitrary<string> =>
  fc.oneof(invalidNearLimits(schema, components), hostileJson);

/** Unknown members. */
export const extraMembers = fc.array(fc.tuple(fc.oneof(hostileKeys, fc.string()), hostileJson), {
  minLength: 1,
  maxLength: 3,
});
