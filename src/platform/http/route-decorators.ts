import { applyDecorators, SetMetadata, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { ApiBody, ApiConsumes, ApiExtension } from '@nestjs/swagger';
import type { Request } from 'express';

/** Prefix of every path of the API; health probes and the documentation are outside it. */
export const API_PREFIX = 'api/v1';

export const FORM_TYPE = 'application/x-www-form-urlencoded';
export const JSON_TYPE = 'application/json';
export const CSV_TYPE = 'text/csv';

export const IDEMPOTENCY_KEY_HEADER = 'Idempotency-Key';

const PUBLIC = Symbol('PUBLIC');
const BODY_TYPE = Symbol('BODY_TYPE');
const FORM_FIELDS = Symbol('FORM_FIELDS');
const NO_IDEMPOTENCY_KEY = Symbol('NO_IDEMPOTENCY_KEY');
const SECRET_FIELD = Symbol('SECRET_FIELD');

/** Marks operations in the OpenAPI document until their headers are documented. */
export const NO_IDEMPOTENCY_KEY_EXTENSION = 'x-no-idempotency-key';

/** Allows requests without an access token. Every other route requires one. */
export const Public = (): MethodDecorator & ClassDecorator => SetMetadata(PUBLIC, true);

/** The route reads a URL-encoded form instead of JSON; `fields` are the ones that it requires. */
export const FormBody = (...fields: string[]): MethodDecorator =>
  applyDecorators(
    SetMetadata(BODY_TYPE, FORM_TYPE),
    SetMetadata(FORM_FIELDS, fields),
    ApiConsumes(FORM_TYPE),
  );

/** The route reads a CSV file instead of JSON. */
export const CsvBody = (options: { description: string; example: string }): MethodDecorator =>
  applyDecorators(
    SetMetadata(BODY_TYPE, CSV_TYPE),
    ApiConsumes(CSV_TYPE),
    ApiBody({
      description: options.description,
      schema: { type: 'string', example: options.example },
    }),
  );

/** The route ignores the `Idempotency-Key` header, which every other authenticated POST takes. */
export const IgnoresIdempotencyKey = (): MethodDecorator =>
  applyDecorators(
    IgnoresIdempotencyKeyIf(() => true),
    ApiExtension(NO_IDEMPOTENCY_KEY_EXTENSION, true),
  );

/** The route ignores the header of the requests for which the condition holds, such as a dry run, before they are validated. */
export const IgnoresIdempotencyKeyIf = (
  condition: (request: Request) => boolean,
): MethodDecorator => SetMetadata(NO_IDEMPOTENCY_KEY, condition);

/** The field of the response with a secret that is shown once; it is null where the response is sent again. */
export const SecretField = (name: string): MethodDecorator => SetMetadata(SECRET_FIELD, name);

/** Adds a decorator of the OpenAPI document to the method of a parameter. */
export const documentedParameter =
  (bind: ParameterDecorator, document: MethodDecorator): ParameterDecorator =>
  (target, key, index) => {
    bind(target, key, index);
    if (key === undefined) return;
    const method = Object.getOwnPropertyDescriptor(target, key);
    if (method) document(target, key, method);
  };

const reflector = new Reflector();

/** Reads metadata of the handler, or else of its class. */
function metadataOf(key: symbol, context: ExecutionContext): unknown {
  return reflector.getAllAndOverride(key, [context.getHandler(), context.getClass()]);
}

export const isPublic = (context: ExecutionContext): boolean =>
  metadataOf(PUBLIC, context) === true;

/** The content type that the route reads. */
export const bodyTypeOf = (context: ExecutionContext): string =>
  (metadataOf(BODY_TYPE, context) as string | undefined) ?? JSON_TYPE;

/** The required fields of a form; undefined where the route reads no form. */
export const formFieldsOf = (context: ExecutionContext): string[] | undefined =>
  metadataOf(FORM_FIELDS, context) as string[] | undefined;

export function ignoresIdempotencyKey(context: ExecutionContext): boolean {
  const condition = metadataOf(NO_IDEMPOTENCY_KEY, context) as
    ((request: Request) => boolean) | undefined;
  return condition?.(context.switchToHttp().getRequest<Request>()) ?? false;
}

export const secretFieldOf = (context: ExecutionContext): string | undefined =>
  metadataOf(SECRET_FIELD, context) as string | undefined;
