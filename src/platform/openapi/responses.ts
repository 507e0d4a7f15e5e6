import { getSchemaPath, type OpenAPIObject } from '@nestjs/swagger';
import { ERROR_CODES_EXTENSION } from '../errors/api-errors.decorator.js';
import { ErrorBody } from '../errors/error-body.js';
import { STATUS_OF_CODE, type ErrorCode } from '../errors/error-code.js';
import { ETAG_EXTENSION } from '../http/etag.decorators.js';
import { IF_MATCH_HEADER } from '../http/etag.js';
import { ERROR_EXAMPLES } from './error-examples.js';

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

/**
 * Adds the error responses of an operation: those derived from its security, parameters and body, and those
 * of `@ApiErrors`. They refer to shared components, which are added too.
 *
 * @param isBodyRead whether the method reads a body; an unreadable body is rejected even if no body is expected
 */
export function addErrorResponses(
  operation: Operation,
  components: Components,
  isBodyRead: boolean,
): void {
  const codes = derivedErrors(operation, isBodyRead);
  for (const code of operation[ERROR_CODES_EXTENSION] ?? []) {
    const status = STATUS_OF_CODE[code];
    codes.set(status, [...(codes.get(status) ?? []), code]);
  }
  Reflect.deleteProperty(operation, ERROR_CODES_EXTENSION);
  components.responses ??= {};
  for (const [status, statusCodes] of codes) {
    const examples = statusCodes.map((code) => exampleOf(code, status, operation));
    const name = [...(isLimited(operation) ? [] : ['uncounted']), ...examples].join('.');
    components.responses[name] ??= errorResponse(
      statusCodes,
      examples,
      headersOf(operation, statusCodes),
    );
    operation.responses[status] = { $ref: `#/components/responses/${name}` };
  }
}

/** The name of the example for a code of this operation. */
function exampleOf(code: ErrorCode, status: number, operation: Operation): string {
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
    if (takesHeader(operation, 'Idempotency-Key')) {
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

function derivedErrors(operation: Operation, isBodyRead: boolean): Map<number, ErrorCode[]> {
  const codes = new Map<number, ErrorCode[]>([[500, ['INTERNAL_SERVER_ERROR']]]);
  const hasBody = operation.requestBody !== undefined;
  const parameters = operation.parameters ?? [];

  if (operation.security) {
    codes.set(401, ['INVALID_TOKEN']);
    codes.set(403, ['INACTIVE_USER']);
  }
  if (isLimited(operation)) {
    codes.set(429, ['RATE_LIMIT_EXCEEDED']);
    codes.set(503, ['SERVICE_UNAVAILABLE']);
  }
  const statuses = [
    400,
    ...(isBodyRead ? [413, 415] : []),
    ...(parameters.length > 0 || hasBody ? [422] : []),
  ];
  for (const status of statuses) codes.set(status, ['VALIDATION_ERROR']);
  if (takesHeader(operation, IF_MATCH_HEADER)) codes.set(412, ['PRECONDITION_FAILED']);
  return codes;
}

/** All operations but the health probes and calendars are rate limited: by token, or as register and login. */
function isLimited({ security, requestBody }: Operation): boolean {
  return security !== undefined || requestBody !== undefined;
}

function errorResponse(codes: ErrorCode[], examples: string[], headers: Headers): ResponseObject {
  return {
    description: codes.join(', '),
    headers,
    content: {
      'application/json': {
        schema: {
          allOf: [
            { $ref: getSchemaPath(ErrorBody) },
            { properties: { error: { properties: { code: { enum: codes } } } } },
          ],
        },
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
