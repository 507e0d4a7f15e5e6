import { Ajv, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import { readFileSync } from 'node:fs';
import type { Response } from 'supertest';

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
ajv.addSchema({ $id: 'openapi', components: closed(document.components) });

const routes = Object.entries(document.paths).map(([template, methods]) => ({
  pattern: new RegExp(`^${template.replaceAll(/\{\w+\}/g, '[^/]+')}/?$`),
  template,
  methods,
}));

const validators = new Map<string, ValidateFunction>();

/** What an object schema does not name, an answer must not have. */
function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed);
  if (typeof value !== 'object' || value === null) return value;
  const copy = Object.fromEntries(
    Object.entries(value).map(([key, inner]): [string, unknown] => [key, closed(inner)]),
  );
  const isOpen =
    copy.type !== 'object' || !('properties' in copy) || 'additionalProperties' in copy;
  return isOpen ? copy : { ...copy, additionalProperties: false };
}

/** What is seen of an answer, and what it answers. */
interface Answer {
  method: string;
  pathname: string;
  status: number;
  body: unknown;
}

/** {@link assertAnswerAsDocumented} for an answer of supertest. */
export function assertAsDocumented(method: string, { request, status, body }: Response): void {
  const { pathname } = new URL(request.url);
  assertAnswerAsDocumented({ method, pathname, status, body });
}

/**
 * Fails when an answer of a documented route is not what the OpenAPI document says: its status, the
 * shape of its body, every field.
 */
export function assertAnswerAsDocumented({ method, pathname, status, body }: Answer): void {
  const route = routes.find(({ pattern }) => pattern.test(pathname));
  const operation = route?.methods[method];
  if (!route || !operation) return;
  const name = `${method.toUpperCase()} ${route.template} ${status}`;
  const direct = operation.responses[String(status)];
  const documented = document.components.responses[nameIn(direct?.$ref)] ?? direct;
  if (!documented) throw new Error(`${name} is not in the OpenAPI document`);
  const schema = documented.content?.['application/json']?.schema;
  if (!schema) return;
  const validate = validators.get(name) ?? ajv.compile(absolute(schema));
  validators.set(name, validate);
  if (!validate(body)) {
    throw new Error(`${name} is not as documented: ${ajv.errorsText(validate.errors)}`);
  }
}

/** What a reference to a component ends in. */
const nameIn = (reference = ''): string => reference.slice(reference.lastIndexOf('/') + 1);

/** References from within the document to the document as it is registered. */
function absolute(schema: Schema): Schema {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"openapi#/')) as Schema;
}
