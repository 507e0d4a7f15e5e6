import { Ajv, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import { readFileSync } from 'node:fs';
import type { Response } from 'supertest';
import type { ErrorBody, ErrorDetails } from '../../src/platform/errors/error-body.js';

type Schema = Record<string, unknown>;

interface Documented {
  $ref?: string;
  content?: Record<string, { schema: Schema }>;
}

interface Operation {
  responses: Record<string, Documented>;
}

interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema>; responses: Record<string, Documented> };
}

const document = JSON.parse(
  readFileSync(new URL('../../docs/openapi.json', import.meta.url), 'utf8'),
) as Document;

const ajv = new Ajv({ strict: false, allErrors: true });
addFormats.default(ajv);
ajv.addSchema({ $id: 'openapi', components: strictSchema(document.components) });

const countParameters = (template: string): number => template.split('{').length;

/** `/cycles/next` before `/cycles/{id}`, which it matches too. */
const routes = Object.entries(document.paths)
  .map(([template, methods]) => ({
    pattern: new RegExp(`^${template.replaceAll(/\{\w+\}/g, '[^/]+')}/?$`),
    template,
    methods,
  }))
  .sort((a, b) => countParameters(a.template) - countParameters(b.template));

const validators = new Map<string, ValidateFunction>();

/** The component's name at the end of a reference. */
function nameIn(reference = ''): string {
  return reference.slice(reference.lastIndexOf('/') + 1);
}

/**
 * The schema as validators of JSON Schema understand it: undocumented fields are invalid, and
 * `nullable` beside a reference allows null, as generators of clients take it.
 */
export function strictSchema(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(strictSchema);
  if (typeof value !== 'object' || value === null) return value;
  const { nullable, ...schema } = Object.fromEntries(
    Object.entries(value).map(([key, inner]): [string, unknown] => [key, strictSchema(inner)]),
  );
  const isOpen =
    schema.type !== 'object' || !('properties' in schema) || 'additionalProperties' in schema;
  const closed = isOpen ? schema : { ...schema, additionalProperties: false };
  return nullable === true ? { anyOf: [closed, { type: 'null' }] } : closed;
}

interface ReceivedResponse {
  method: string;
  pathname: string;
  status: number;
  body: unknown;
}

/** {@link assertResponseAsDocumented} for a response of supertest. */
export function assertAsDocumented(method: string, { request, status, body }: Response): void {
  const { pathname } = new URL(request.url);
  assertResponseAsDocumented({ method, pathname, status, body });
}

/**
 * Throws if the status or the body of a response of a documented route does not match the OpenAPI
 * document.
 */
export function assertResponseAsDocumented({
  method,
  pathname,
  status,
  body,
}: ReceivedResponse): void {
  const route = routes.find(({ pattern }) => pattern.test(pathname));
  const operation = route?.methods[method];
  if (!route || !operation) return;
  const name = `${method.toUpperCase()} ${route.template} ${status}`;
  const direct = operation.responses[String(status)];
  const documented = document.components.responses[nameIn(direct?.$ref)] ?? direct;
  if (!documented) throw new Error(`${name} is not in the OpenAPI document`);
  const schema = documented.content?.['application/json']?.schema;
  if (!schema) return;
  const validate =
    validators.get(name) ?? ajv.compile(strictSchema(resolveReferences(schema)) as Schema);
  validators.set(name, validate);
  if (!validate(body)) {
    throw new Error(`${name} is not as documented: ${ajv.errorsText(validate.errors)}`);
  }
  const { error } = body as Partial<ErrorBody>;
  if (error?.code === 'VALIDATION_ERROR') assertReasons(name, error.details);
}

/** Throws unless each message of a refused field or row has a reason. */
function assertReasons(name: string, details: ErrorDetails): void {
  const { fields, reasons, rows, row_reasons: rowReasons } = details;
  const differs = shapeOf(fields) !== shapeOf(reasons) || shapeOf(rows) !== shapeOf(rowReasons);
  if (differs) throw new Error(`${name}: the reasons differ from ${JSON.stringify(details)}`);
}

/** The keys of objects and the lengths of arrays. */
const shapeOf = (value: unknown = null): string =>
  JSON.stringify(value, (_key, inner: unknown) => (typeof inner === 'string' ? '' : inner));

/** Resolves references within the document against the schema registered as `openapi`. */
function resolveReferences(schema: Schema): Schema {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"openapi#/')) as Schema;
}
