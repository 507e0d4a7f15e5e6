/**
 * Decorators that say what a route is: its interceptors, its status and its documentation. Nest runs
 * first the interceptor that is bound first, which is that of the lowest decorator of a method; here
 * their order is that of {@link INTERCEPTORS}.
 */
import { applyDecorators, HttpCode, type Type } from '@nestjs/common';
import {
  ApiCreatedResponse,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
  type ApiResponseNoStatusOptions,
} from '@nestjs/swagger';
import { Idempotent } from './idempotency/idempotency.interceptor.js';
import { ApiErrors } from './platform/errors/api-errors.decorator.js';
import type { DomainError } from './platform/errors/domain-error.js';
import type { ErrorCode } from './platform/errors/error-types.js';
import { JsonBody } from './platform/http/body.interceptor.js';
import { HasEtag } from './platform/http/etag.interceptor.js';
import { HasLocation } from './platform/http/location.interceptor.js';
import { HasOperationId } from './platform/http/operation-id.interceptor.js';
import { IsReadOnly } from './platform/http/read-only.decorator.js';

/** The interceptors of a route in the order in which they begin; they end in the reverse order. */
const INTERCEPTORS = ['operationId', 'etag', 'location', 'body', 'queue', 'idempotency'] as const;

type Interceptors = Partial<Record<(typeof INTERCEPTORS)[number], MethodDecorator>>;

/** Binds the interceptors of these decorators in their order. */
export const Intercepted = (interceptors: Interceptors): MethodDecorator =>
  applyDecorators(...INTERCEPTORS.flatMap((name) => interceptors[name] ?? []));

/** The documentation of an operation. */
interface Operation {
  summary: string;
  description: string;
  /** Errors in addition to those that its parameters and its body have. */
  errors?: (ErrorCode | DomainError)[];
}

/** The class of the response, or of its elements. */
type ResponseType = Type | [Type];

const documented = (
  { errors = [], summary, description }: Operation,
  response: MethodDecorator,
): MethodDecorator =>
  applyDecorators(response, ApiErrors(...errors), ApiOperation({ summary, description }));

/** The route reads what is no single record: a list, a report. */
export const Reads = (
  response: ResponseType,
  { headers, ...operation }: Operation & Pick<ApiResponseNoStatusOptions, 'headers'>,
): MethodDecorator =>
  documented(operation, ApiOkResponse({ type: response, ...(headers && { headers }) }));

/** The route reads a record. */
export const ReadsRecord = (record: Type, operation: Operation): MethodDecorator =>
  applyDecorators(
    documented(operation, ApiOkResponse({ type: record })),
    Intercepted({ etag: HasEtag() }),
  );

/**
 * The route computes a response from its body, and stores nothing; personal access tokens with
 * `read` access may use it.
 */
export const Computes = (
  response: Type,
  { queue, ...operation }: Operation & Pick<Interceptors, 'queue'>,
): MethodDecorator =>
  applyDecorators(
    documented(operation, ApiOkResponse({ type: response })),
    Intercepted({ body: JsonBody(), queue }),
    IsReadOnly(true),
    HttpCode(200),
  );

/**
 * The route creates a record.
 *
 * @param hasLocation whether a GET of `{path}/{id}` shows it
 */
export const CreatesRecord = (
  record: Type,
  {
    etag = HasEtag(),
    hasLocation = true,
    ...operation
  }: Operation & Pick<Interceptors, 'etag'> & { hasLocation?: boolean },
): MethodDecorator =>
  applyDecorators(
    documented(operation, ApiCreatedResponse({ type: record })),
    Intercepted({
      operationId: HasOperationId(),
      etag,
      ...(hasLocation && { location: HasLocation() }),
      body: JsonBody(),
      idempotency: Idempotent(),
    }),
  );

/** The route creates several records. */
export const CreatesRecords = (
  response: Type,
  { idempotency = Idempotent(), ...operation }: Operation & Pick<Interceptors, 'idempotency'>,
): MethodDecorator =>
  applyDecorators(
    documented(operation, ApiCreatedResponse({ type: response })),
    Intercepted({ operationId: HasOperationId(), body: JsonBody(), idempotency }),
  );

/** The route changes a record. */
export const UpdatesRecord = (record: Type, operation: Operation): MethodDecorator =>
  applyDecorators(
    documented(operation, ApiOkResponse({ type: record })),
    Intercepted({ operationId: HasOperationId(), etag: HasEtag(), body: JsonBody() }),
  );

/** The route deletes a record. */
export const DeletesRecord = (operation: Operation): MethodDecorator =>
  applyDecorators(
    documented(operation, ApiNoContentResponse()),
    Intercepted({ operationId: HasOperationId() }),
    HttpCode(204),
  );

/** The route changes several records, or creates or deletes them, and says what it has done. */
export const ChangesRecords = (
  response: Type,
  {
    body = JsonBody(),
    idempotency,
    ...operation
  }: Operation & Pick<Interceptors, 'body' | 'idempotency'>,
): MethodDecorator =>
  applyDecorators(
    documented(operation, ApiOkResponse({ type: response })),
    Intercepted({ operationId: HasOperationId(), body, idempotency }),
    HttpCode(200),
  );
