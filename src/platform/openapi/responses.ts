import type { OpenAPIObject } from '@nestjs/swagger';
import { ERROR_CODES_EXTENSION } from '../errors/api-errors.decorator.js';
import { STATUS_OF_CODE, type ErrorCode } from '../errors/error-code.js';
import { ETAG_EXTENSION } from '../http/etag.interceptor.js';
import { IF_MATCH_HEADER } from '../values/precondition.js';
import { ERROR_EXAMPLES } from './error-examples.js';
import { errorBodySchema } from './error-schemas.js';
import { IDEMPOTENCY_KEY_HEADER } from './idempotency-key.js';

export type Operation = NonNullable<OpenAPIObject['paths'][string]['get']> & {
  [ERROR_CODES_EXTENSION]?: ErrorCode[];
  [ETAG_EXTENSION]?: boolean;
};

/** Errors with a `Retry-After` header. */
const RETRIED_LATER = new Set<ErrorCode>([
  'RATE_LIMIT_EXCEEDED',
  'SERVICE_UNAVAILABLE',
  'IDEMPOTENCY_KEY_IN_USE',
]);

type Components = NonNullable<OpenAPIObject['components']>;
type ResponseObject = NonNullable<Components['responses']>[string];
type Headers = Record<string, { $ref: string }>;

const text = (description: string, example: string): object => ({
  description,
  schema: { type: 'string' },
  example,
});

/** Documented response headers. */
const HEADERS = {
  'X-Request-Id': text(
    'The id of the request, also in the log: the one sent, or a generated one',
    '7d3c9b1e-0f52-4c86-a1d4-2b6e8f0a3c5d',
  ),
  'RateLimit-Policy': text(
    'The quotas that apply to this request: q requests in w seconds',
    '"authenticated";q=1000;w=3600',
  ),
  RateLimit: text(
    'The remaining quotas: r requests, t seconds until the window resets',
    '"authenticated";r=987;t=3012',
  ),
  ETag: text(
    'A tag of the representation, for `If-Match`',
    '"8Jn3Yw0kq2m1V5xT7cR9aLbE4dFgHsUuPzQoXiKjMn0"',
  ),
  'Idempotent-Replayed': text(
    '`true` when this is the response to an earlier request with the same `Idempotency-Key`',
    'true',
  ),
  'WWW-Authenticate': text('The authentication scheme', 'Bearer'),
  'Retry-After': {
    description: 'Seconds to wait before the next request',
    schema: { type: 'integer' },
    example: 42,
  },
};

interface DocumentedError {
  status: number;
  code: ErrorCode;
}

/**
 * Adds the error responses of an operation: by status those of `@ApiErrors` and those derived from its parameters, and
 * as the default response those that all operations of its kind have. They refer to shared components, which are
 * added too.
 *
 * @param isBodyRead whether the method reads a body; an unreadable body is rejected even if no body is expected
 */
export function addErrorResponses(
  operation: Operation,
  components: Components,
  isBodyRead: boolean,
): void {
  const common = commonErrors(operation, isBodyRead);
  const own = ownErrors(operation, isBodyRead);
  Reflect.deleteProperty(operation, ERROR_CODES_EXTENSION);
  const responses = (components.responses ??= {});
  const isCounted = isLimited(operation);
  for (const status of new Set(own.map((error) => error.status))) {
    const errors = [...common, ...own].filter((error) => error.status === status);
    const examples = errors.map((error) => exampleOf(error, operation));
    const name = [...(isCounted ? [] : ['uncounted']), ...examples].join('.');
    const codes = errors.map(({ code }) => code);
    responses[name] ??= errorResponse(codes.join(', '), errors, operation);
    operation.responses[status] = { $ref: `#/components/responses/${name}` };
  }
  const kind = operation.security ? 'Authenticated' : isCounted ? 'Public' : 'Uncounted';
  const name = `${kind}${isBodyRead ? 'Write' : 'Read'}Error`;
  const list = common.map(({ status, code }) => `${status} ${code}`).join(', ');
  responses[name] ??= errorResponse(`Any other error: ${list}`, common, operation);
  operation.responses.default = { $ref: `#/components/responses/${name}` };
}

/** The name of the example for an error of this operation. */
function exampleOf({ status, code }: DocumentedError, operation: Operation): string {
  if (status !== STATUS_OF_CODE[code]) return `${code}.${status}`;
  // The body of the readiness probe names the failed component.
  const isProbe = operation.tags?.includes('Probes') ?? false;
  return code === 'SERVICE_UNAVAILABLE' && isProbe ? `${code}.readiness` : code;
}

/** Documents the common headers of the successful responses. */
export function addHeaders(operation: Operation): void {
  for (const response of Object.values(operation.responses)) {
    if (!response || !('description' in response)) continue;
    response.headers = { ...response.headers, ...headersOf(operation) };
    if (operation[ETAG_EXTENSION]) response.headers.ETag = headerReference('ETag');
    if (takesHeader(operation, IDEMPOTENCY_KEY_HEADER)) {
      response.headers['Idempotent-Replayed'] = headerReference('Idempotent-Replayed');
    }
  }
  Reflect.deleteProperty(operation, ETAG_EXTENSION);
}

const headerReference = (name: keyof typeof HEADERS): { $ref: string } => ({
  $ref: `#/components/headers/${name}`,
});

const takesHeader = ({ parameters = [] }: Operation, name: string): boolean =>
  parameters.some((parameter) => 'name' in parameter && parameter.name === name);

export const sharedComponents = (): Components => ({
  headers: HEADERS,
  examples: Object.fromEntries(
    Object.entries(ERROR_EXAMPLES).map(([name, value]) => [name, { value }]),
  ),
});

/** Errors that do not depend on what the operation does. */
function commonErrors(operation: Operation, isBodyRead: boolean): DocumentedError[] {
  const malformed = [400, ...(isBodyRead ? [413, 415] : [])];
  return [
    ...malformed.map((status) => ({ status, code: 'VALIDATION_ERROR' as const })),
    ...(operation.security ? usual('INVALID_TOKEN', 'INACTIVE_USER') : []),
    ...(isLimited(operation) ? usual('RATE_LIMIT_EXCEEDED') : []),
    ...usual('INTERNAL_SERVER_ERROR'),
    ...(isLimited(operation) ? usual('SERVICE_UNAVAILABLE') : []),
  ];
}

function ownErrors(operation: Operation, isBodyRead: boolean): DocumentedError[] {
  const { parameters = [] } = operation;
  return [
    ...(parameters.length > 0 || isBodyRead ? usual('VALIDATION_ERROR') : []),
    ...(takesHeader(operation, IF_MATCH_HEADER) ? usual('PRECONDITION_FAILED') : []),
    ...usual(...(operation[ERROR_CODES_EXTENSION] ?? [])),
  ];
}

const usual = (...codes: ErrorCode[]): DocumentedError[] =>
  codes.map((code) => ({ status: STATUS_OF_CODE[code], code }));

/** All operations but the health probes are rate limited. */
function isLimited({ tags }: Operation): boolean {
  return !tags?.includes('Probes');
}

function errorResponse(
  description: string,
  errors: readonly DocumentedError[],
  operation: Operation,
): ResponseObject {
  const codes = [...new Set(errors.map(({ code }) => code))];
  const examples = errors.map((error) => exampleOf(error, operation));
  return {
    description,
    headers: headersOf(operation, codes),
    content: {
      'application/json': {
        schema: errorBodySchema(codes),
        examples: Object.fromEntries(
          examples.map((name) => [name, { $ref: `#/components/examples/${name}` }]),
        ),
      },
    },
  };
}

function headersOf(operation: Operation, codes: ErrorCode[] = []): Headers {
  const names: (keyof typeof HEADERS)[] = ['X-Request-Id'];
  if (isLimited(operation)) names.push('RateLimit-Policy', 'RateLimit');
  if (codes.includes('INVALID_TOKEN')) names.push('WWW-Authenticate');
  if (codes.some((code) => RETRIED_LATER.has(code))) {
    names.push('Retry-After');
  }
  return Object.fromEntries(names.map((name) => [name, headerReference(name)]));
}
