import {
  applyDecorators,
  createParamDecorator,
  SetMetadata,
  type ExecutionContext,
} from '@nestjs/common';
import { ApiExtension, ApiHeader } from '@nestjs/swagger';
import type { Request } from 'express';
import { IF_MATCH_HEADER, Precondition } from '../values/precondition.js';
import { documentedParameter } from './route-decorators.js';

export const ETAG = Symbol('ETAG');

/** Marks operations in the OpenAPI document until the header is documented. */
export const ETAG_EXTENSION = 'x-etag';

/**
 * The response is the representation of a single entity and has its `ETag`.
 *
 * @param asRead returns what a GET would respond now, where that differs from the response
 */
export function HasEtag(
  asRead: (response: never) => object = (response) => response,
): MethodDecorator {
  return applyDecorators(SetMetadata(ETAG, asRead), ApiExtension(ETAG_EXTENSION, true));
}

const IfMatchHeader = createParamDecorator(
  (_data: unknown, context: ExecutionContext): Precondition =>
    Precondition.ofIfMatch(context.switchToHttp().getRequest<Request>().get(IF_MATCH_HEADER)),
);

const documentHeader = ApiHeader({
  name: IF_MATCH_HEADER,
  required: false,
  description:
    'The `ETag` of the representation that the request is based on, or its `updated_at` in quotes, or several ' +
    'tags, or `*`. If the current ones are others, nothing happens and the response is 412',
  schema: { type: 'string' },
  example: '"8Jn3Yw0kq2m1V5xT7cR9aLbE4dFgHsUuPzQoXiKjMn0"',
});

/** The condition of the `If-Match` header. */
export const IfMatch = (): ParameterDecorator =>
  documentedParameter(IfMatchHeader(), documentHeader);
