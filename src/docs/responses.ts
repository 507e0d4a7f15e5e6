import { getSchemaPath, type OpenAPIObject } from '@nestjs/swagger';
import { ERROR_CODES_EXTENSION } from '../common/errors/api-errors.decorator.js';
import { ErrorBody } from '../common/errors/error-body.js';
import { STATUS_OF_CODE, type ErrorCode } from '../common/errors/error-code.js';
import { ERROR_EXAMPLES } from './error-examples.js';

export type Operation = NonNullable<OpenAPIObject['paths'][string]['get']> & {
  [ERROR_CODES_EXTENSION]?: ErrorCode[];
};

type Components = NonNullable<OpenAPIObject['components']>;
type ResponseObject = NonNullable<Components['responses']>[string];
type Headers = Record<string, { $ref: string }>;

const text = (description: string, example: string): object => ({
  description,
  schema: { type: 'string' },
  example,
});

/** The headers that a client may rely on. */
const HEADERS = {
  'X-Request-Id': text(
    'Of this request, in the log too: the one sent, or a new one',
    '7d3c9b1e-0f52-4c86-a1d4-2b6e8f0a3c5d',
  ),
  'RateLimit-Policy': text(
    'The quotas that count this request: q requests in w seconds',
    '"authenticated";q=1000;w=3600',
  ),
  RateLimit: text(
    'What is left of each quota: r requests, t seconds to the next window',
    '"authenticated";r=987;t=3012',
  ),
  'WWW-Authenticate': text('How to authenticate', 'Bearer'),
  'Retry-After': {
    description: 'Seconds until a request is served again',
    schema: { type: 'integer' },
    example: 42,
  },
};

/**
 * Adds the failures that follow from an operation's shape and those that it names with `@ApiErrors`,
 * as references to components, which it adds too.
 *
 * @param isBodyRead - also where the operation takes none, one that cannot be read is refused
 */
export function addFailures(
  operation: Operation,
  components: Components,
  isBodyRead: boolean,
): void {
  const codes = failuresByShape(operation, isBodyRead);
  for (const code of operation[ERROR_CODES_EXTENSION] ?? []) {
    const status = STATUS_OF_CODE[code];
    codes.set(status, [...(codes.get(status) ?? []), code]);
  }
  Reflect.deleteProperty(operation, ERROR_CODES_EXTENSION);
  components.responses ??= {};
  for (const [status, some] of codes) {
    const name = [...(isLimited(operation) ? [] : ['uncounted']), ...some].join('.');
    components.responses[name] ??= failure(some, headersOf(operation, some));
    operation.responses[status] = { $ref: `#/components/responses/${name}` };
  }
}

/** Names the headers of an operation's success, beside its own. */
export function addHeaders(operation: Operation): void {
  for (const response of Object.values(operation.responses)) {
    if (!response || !('description' in response)) continue;
    response.headers = { ...response.headers, ...headersOf(operation) };
  }
}

export const sharedComponents = (): Components => ({
  headers: HEADERS,
  examples: Object.fromEntries(
    Object.entries(ERROR_EXAMPLES).map(([code, value]) => [code, { value }]),
  ),
});

function failuresByShape(operation: Operation, isBodyRead: boolean): Map<number, ErrorCode[]> {
  const codes = new Map<number, ErrorCode[]>([[500, ['INTERNAL_SERVER_ERROR']]]);
  const hasBody = operation.requestBody !== undefined;
  const parameters = operation.parameters ?? [];
  const hasPath = parameters.some((parameter) => 'in' in parameter && parameter.in === 'path');

  if (operation.security) {
    codes.set(401, ['INVALID_TOKEN']);
    codes.set(403, ['INACTIVE_USER']);
  }
  if (isLimited(operation)) {
    codes.set(429, ['RATE_LIMIT_EXCEEDED']);
    codes.set(503, ['SERVICE_UNAVAILABLE']);
  }
  const refusals = [
    ...(hasPath || isBodyRead ? [400] : []),
    ...(isBodyRead ? [413, 415] : []),
    ...(parameters.length > 0 || hasBody ? [422] : []),
  ];
  for (const status of refusals) codes.set(status, ['VALIDATION_ERROR']);
  return codes;
}

/** Everything but the probes is counted: by its token, or as one of the ways to get one. */
function isLimited({ security, requestBody }: Operation): boolean {
  return security !== undefined || requestBody !== undefined;
}

function failure(codes: ErrorCode[], headers: Headers): ResponseObject {
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
          codes.map((code) => [code, { $ref: `#/components/examples/${code}` }]),
        ),
      },
    },
  };
}

function headersOf(operation: Operation, codes: ErrorCode[] = []): Headers {
  const names: (keyof typeof HEADERS)[] = ['X-Request-Id'];
  if (isLimited(operation)) names.push('RateLimit-Policy', 'RateLimit');
  if (codes.includes('INVALID_TOKEN')) names.push('WWW-Authenticate');
  if (codes.includes('RATE_LIMIT_EXCEEDED') || codes.includes('SERVICE_UNAVAILABLE')) {
    names.push('Retry-After');
  }
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
