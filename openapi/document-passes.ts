/**
 * What no decorator can say about the OpenAPI document when a class is defined, because it depends
 * on several decorators of an operation or because `@nestjs/swagger` has none for it.
 */
import type { OpenAPIObject } from '@nestjs/swagger';
import { STATUS_OF_CODE } from '../src/errors/error-catalog.js';
import { ERROR_EXTENSION, type ApiError } from '../src/platform/errors/api-errors.decorator.js';
import { errorExampleName } from '../src/platform/errors/error-body.js';
import type { ErrorCode } from '../src/platform/errors/error-types.js';
import { IGNORED_BODY_EXTENSION } from '../src/platform/openapi/ignored-body.decorator.js';
import { HEADER_EXTENSION, textHeader } from '../src/platform/openapi/response-header.decorator.js';
import { PERSONAL_ACCESS_TOKEN, SIGN_IN_EXTENSION } from '../src/platform/openapi/security.js';
import { UNCOUNTED_EXTENSION } from '../src/platform/openapi/uncounted.decorator.js';
import { PROBES_TAG } from '../src/system/probes.controller.js';
import { ENUMERATIONS } from './enumerations.js';
import { ERROR_EXAMPLES } from './error-examples.js';
import { errorBodySchema, errorSchemas } from './error-schemas.js';
import { expandUnions, expandVariants, type ObjectSchema } from './object-variants.js';
import { RECORDED_EXAMPLES } from './recorded-examples.js';

/** Errors with a `Retry-After` header. */
const RETRIED_LATER = new Set<ErrorCode>([
  'RATE_LIMIT_EXCEEDED',
  'SERVICE_UNAVAILABLE',
  'IDEMPOTENCY_KEY_IN_USE',
]);

type Operation = NonNullable<OpenAPIObject['paths'][string]['get']>;
type Components = NonNullable<OpenAPIObject['components']>;
type ResponseObject = NonNullable<Components['responses']>[string];
type Schema = NonNullable<Components['schemas']>[string];
type Headers = Record<string, { $ref: string }>;

/** Response headers that do not depend on what the operation does. */
const HEADERS = {
  'X-Request-Id': textHeader(
    'The id of the request, also in the log: the one sent, or a generated one',
    '7d3c9b1e-0f52-4c86-a1d4-2b6e8f0a3c5d',
  ),
  'RateLimit-Policy': textHeader(
    'The quotas that apply to this request: q requests in w seconds',
    '"authenticated";q=1000;w=3600',
  ),
  RateLimit: textHeader(
    'The remaining quotas: r requests, t seconds until the window resets',
    '"authenticated";r=987;t=3012',
  ),
  'WWW-Authenticate': textHeader('The authentication scheme', 'Bearer'),
  'Retry-After': {
    description: 'Seconds to wait before the next request',
    schema: { type: 'integer' },
    example: 42,
  },
};

/** Completes the document that `@nestjs/swagger` generates from the decorators. */
export function completeDocument(document: OpenAPIObject): void {
  const components = (document.components ??= {});
  components.headers = HEADERS;
  components.schemas = { ...components.schemas, ...errorSchemas() };
  expandUnions(components.schemas as Record<string, ObjectSchema>);
  expandVariants(components.schemas as Record<string, ObjectSchema>);
  describeEnums(components);
  for (const path of Object.values(document.paths)) {
    for (const method of ['get', 'post', 'put', 'patch', 'delete'] as const) {
      const operation = path[method];
      if (!operation) continue;
      addHeaders(operation, components);
      addExamples(operation);
      const isBodyRead = !['get', 'delete'].includes(method) && !ignoresBody(operation);
      addErrorResponses(operation, components, isBodyRead);
      completeBody(operation, components);
      addTokenSecurity(operation);
      takeExtensions(operation, UNCOUNTED_EXTENSION);
      takeExtensions(operation, IGNORED_BODY_EXTENSION);
    }
  }
}

/**
 * Sets the descriptions of enumerations: `@nestjs/swagger` gives them that of the first property it
 * finds.
 */
function describeEnums({ schemas }: Components): void {
  for (const [name, description] of Object.entries(ENUMERATIONS)) {
    const schema = schemas?.[name];
    if (!schema) throw new Error(`${name} of enumerations.ts is not in the document`);
    Object.assign(schema, { description });
  }
}

/** Adds the recorded request and response of the operation, which belong together. */
function addExamples(operation: Operation): void {
  const example = RECORDED_EXAMPLES[operation.operationId ?? ''];
  if (!example) return;
  for (const parameter of operation.parameters ?? []) {
    if (!('name' in parameter) || parameter.in === 'header') continue;
    const value = example.parameters?.[parameter.name];
    if (value !== undefined) parameter.example = value;
  }
  const { requestBody, responses } = operation;
  if (requestBody && 'content' in requestBody) addTo(requestBody.content, example.request);
  for (const response of Object.values(responses)) {
    if (response && 'content' in response) addTo(response.content, example.response);
  }
}

/**
 * @param content of a request, or of the successful response; errors are references to shared
 *   components
 */
function addTo(content: Record<string, { example?: unknown }> = {}, value: unknown): void {
  if (value === undefined) return;
  for (const media of Object.values(content)) media.example = value;
}

interface DocumentedError extends ApiError {
  status: number;
}

/**
 * Adds the error responses of an operation by status: those of `@ApiErrors`, a recorded
 * `VALIDATION_ERROR`, and those that all operations of its kind have. They refer to shared
 * components, which are added too.
 *
 * @param isBodyRead whether the method reads a body; an unreadable body is rejected even if no body
 *   is expected
 */
function addErrorResponses(
  operation: Operation,
  components: Components,
  isBodyRead: boolean,
): void {
  const all = [...ownErrors(operation), ...commonErrors(operation, isBodyRead)];
  const responses = (components.responses ??= {});
  const shown = (components.examples ??= {});
  for (const status of new Set(all.map((error) => error.status))) {
    const errors = all.filter((error) => error.status === status);
    const examples = new Map(errors.map((error) => [exampleOf(error, operation), error.body]));
    const name = [...(isLimited(operation) ? [] : ['uncounted']), ...examples.keys()].join('.');
    responses[name] ??= errorResponse(errors, operation);
    for (const [example, body] of examples) {
      shown[example] ??= { value: body ?? ERROR_EXAMPLES[example] };
    }
    operation.responses[status] = referenceTo('responses', name);
  }
}

/** The name of the example for an error of this operation. */
function exampleOf({ status, code, body }: DocumentedError, operation: Operation): string {
  if (body) return errorExampleName(body);
  const ofPublic = `${code}.public`;
  if (!operation.security && ofPublic in ERROR_EXAMPLES) return ofPublic;
  if (status !== STATUS_OF_CODE[code]) return `${code}.${status}`;
  // The body of the readiness probe names the failed component.
  const isProbe = operation.tags?.includes(PROBES_TAG) ?? false;
  return code === 'SERVICE_UNAVAILABLE' && isProbe ? `${code}.readiness` : code;
}

/**
 * Documents the headers of the successful response: the common ones and those of
 * `@ApiResponseHeader()`.
 */
function addHeaders(operation: Operation, components: Components): void {
  const own = takeExtensions(operation, HEADER_EXTENSION) as Required<Components>['headers'];
  components.headers = { ...components.headers, ...own };
  const headers = headersOf(operation);
  for (const name of Object.keys(own)) headers[name] = referenceTo('headers', name);
  for (const response of Object.values(operation.responses)) {
    if (!response || '$ref' in response) continue;
    response.description ||= descriptionOf(response.content, components) ?? 'Done';
    response.headers = { ...response.headers, ...headers };
  }
}

/** The description of the schema of a response, or of the items of a list. */
function descriptionOf(
  content: Record<string, { schema?: Schema }> = {},
  { schemas }: Components,
): string | undefined {
  const [schema] = Object.values(content).map((media) => media.schema);
  const shown = schema && 'items' in schema ? schema.items : schema;
  const described = shown && '$ref' in shown ? schemas?.[nameIn(shown.$ref)] : shown;
  return described && 'description' in described ? described.description : undefined;
}

/** Removes the extensions with the prefix, and returns their values by the rest of their names. */
function takeExtensions(operation: Operation, prefix: string): Record<string, unknown> {
  const entries = Object.entries(operation) as [string, unknown][];
  const taken = entries.filter(([key]) => key.startsWith(prefix));
  for (const [key] of taken) Reflect.deleteProperty(operation, key);
  return Object.fromEntries(taken.map(([key, value]) => [key.slice(prefix.length), value]));
}

const referenceTo = (kind: keyof Components, name: string): { $ref: string } => ({
  $ref: `#/components/${kind}/${name}`,
});

/** Errors that do not depend on what the operation does. */
function commonErrors(operation: Operation, isBodyRead: boolean): DocumentedError[] {
  const malformed = [400, ...(isBodyRead ? [408, 413, 415] : []), 431];
  return [
    ...malformed.map((status) => ({ status, code: 'VALIDATION_ERROR' as const })),
    ...(operation.security ? errorsOf('INVALID_TOKEN', 'INACTIVE_USER', 'FORBIDDEN') : []),
    ...(isLimited(operation) ? errorsOf('RATE_LIMIT_EXCEEDED') : []),
    ...errorsOf('INTERNAL_SERVER_ERROR'),
    ...(isLimited(operation) ? errorsOf('SERVICE_UNAVAILABLE') : []),
  ];
}

function ownErrors(operation: Operation): DocumentedError[] {
  const documented = takeExtensions(operation, ERROR_EXTENSION) as Record<string, ApiError>;
  const { errors: recorded = {} } = RECORDED_EXAMPLES[operation.operationId ?? ''] ?? {};
  const errors: ApiError[] = recorded.VALIDATION_ERROR ? [{ code: 'VALIDATION_ERROR' }] : [];
  const inOrder = Object.entries(documented).sort(([a], [b]) => (a < b ? -1 : 1));
  errors.push(...inOrder.map(([, error]) => error));
  return errors.map(({ code, body = recorded[code] }) => ({ ...errorOf(code), body }));
}

const errorOf = (code: ErrorCode): DocumentedError => ({ status: STATUS_OF_CODE[code], code });

const errorsOf = (...codes: ErrorCode[]): DocumentedError[] => codes.map(errorOf);

const ignoresBody = (operation: Operation): boolean => IGNORED_BODY_EXTENSION in operation;

/** Operations are rate limited unless they are `@Uncounted()`. */
function isLimited(operation: Operation): boolean {
  return !(UNCOUNTED_EXTENSION in operation);
}

function errorResponse(errors: readonly DocumentedError[], operation: Operation): ResponseObject {
  const codes = [...new Set(errors.map(({ code }) => code))];
  const examples = errors.map((error) => exampleOf(error, operation));
  return {
    description: codes.join(', '),
    headers: headersOf(operation, codes),
    content: {
      'application/json': {
        schema: errorBodySchema(codes),
        examples: Object.fromEntries(examples.map((name) => [name, referenceTo('examples', name)])),
      },
    },
  };
}

function headersOf(operation: Operation, codes: ErrorCode[] = []): Headers {
  const names: (keyof typeof HEADERS)[] = ['X-Request-Id'];
  if (isLimited(operation)) names.push('RateLimit-Policy', 'RateLimit');
  if (operation.security && codes.includes('INVALID_TOKEN')) names.push('WWW-Authenticate');
  if (codes.some((code) => RETRIED_LATER.has(code))) {
    names.push('Retry-After');
  }
  return Object.fromEntries(names.map((name) => [name, referenceTo('headers', name)]));
}

/** Forbids additional fields in the objects of a body, and says whether the body may be empty. */
function completeBody({ requestBody }: Operation, components: Components): void {
  if (!requestBody || !('content' in requestBody)) return;
  const schemas = components.schemas as Record<string, ObjectSchema>;
  for (const { schema } of Object.values(requestBody.content)) {
    for (const name of referencedNames(schema, schemas)) {
      const object = schemas[name];
      if (object?.properties) object.additionalProperties = false;
    }
    const body = schema && '$ref' in schema ? schemas[nameIn(schema.$ref)] : undefined;
    if (body && !body.required && !body.oneOf) {
      requestBody.description ??= requestBody.required
        ? 'May be `{}`'
        : 'May be `{}`, and may be omitted';
    }
  }
}

/** The names of all schemas that a schema refers to, also indirectly. */
function referencedNames(
  schema: unknown,
  schemas: Record<string, unknown>,
  found = new Set<string>(),
): Set<string> {
  for (const [, name = ''] of JSON.stringify(schema ?? {}).matchAll(
    /"#\/components\/schemas\/(\w+)"/g,
  )) {
    if (found.has(name)) continue;
    found.add(name);
    referencedNames(schemas[name], schemas, found);
  }
  return found;
}

const nameIn = (reference: string): string => reference.slice(reference.lastIndexOf('/') + 1);

/**
 * Adds personal access tokens to an operation that takes them in place of the token of a sign-in.
 */
function addTokenSecurity(operation: Operation & { [SIGN_IN_EXTENSION]?: boolean }): void {
  const requiresSignIn = operation[SIGN_IN_EXTENSION] ?? false;
  Reflect.deleteProperty(operation, SIGN_IN_EXTENSION);
  const { security } = operation;
  // Tools could else not tell an open operation from one whose security was forgotten.
  if (!security) operation.security = [];
  else if (!requiresSignIn) operation.security = [...security, { [PERSONAL_ACCESS_TOKEN]: [] }];
}
